import type { Node } from 'jsonc-parser';
import { t } from '../domain/l10n.js';
import { JsonDocument, propertiesOf } from '../text/json-document.js';
import { shownName } from '../text/key-path.js';
import { type JsonObject, isObject, isTooDeep, parsedJson } from './plain-json.js';

/** Parsed output of a hook: empty, JSON with its decision, a text, or invalid JSON. */
export type Printed =
  | { readonly type: 'nothing' }
  | { readonly type: 'json'; readonly value: JsonObject }
  /** `holds`: the objects of JSON in it, of which a hook may have meant one to be all that it prints. */
  | { readonly type: 'text'; readonly text: string; readonly holds: readonly JsonObject[] }
  | { readonly type: 'garbage'; /** A sentence for users. */ readonly why: string; readonly text: string };

/** Colors and other sequences for terminals (ECMA-48, 5.4, and the `OSC` of links and titles). */
// oxlint-disable-next-line no-control-regex -- Escape sequences are made of control characters.
const TERMINAL = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\^_])/g;

/** Lines of a text that are looked at for JSON. */
const MAX_LINES = 1_000;

/**
 * Sorts what a hook printed. Only a text that begins with `{` is JSON, as in Claude Code: so `null`, `[]`, `"x"` and `NaN` are texts. A text
 * that begins so and is no single JSON object is garbage, be it because more follows, or because it is cut or no UTF-8. So is an object in
 * which a name stands twice: which of the two counts is up to who reads it.
 * @param isCut whether more was printed than was kept
 */
export function sortPrinted(bytes: Uint8Array, isCut: boolean): Printed {
  const { text: raw, isUtf8 } = decoded(bytes);
  const text = raw.replace(TERMINAL, '').trim();
  if (text === '') return { type: 'nothing' };
  if (!text.startsWith('{')) return { type: 'text', text, holds: objectsIn(text) };
  if (isCut) return { type: 'garbage', why: t('It printed more than is read.'), text };
  if (!isUtf8) return { type: 'garbage', why: t('What it printed is not UTF-8.'), text };
  const value = parsedJson(text);
  if (!isObject(value)) return { type: 'garbage', why: t('It printed something that begins like JSON and is not.'), text };
  if (isTooDeep(value)) return { type: 'garbage', why: t('What it printed is nested too deep.'), text };
  const twice = nameTwice(new JsonDocument('', text, { lenient: true, hasLines: false }).root);
  return twice === undefined ? { type: 'json', value } : { type: 'garbage', why: t('It printed JSON in which “{0}” is there twice.', shownName(twice)), text };
}

/** A name that an object has twice, or one in it. */
function nameTwice(root: Node | undefined): string | undefined {
  for (let level = root === undefined ? [] : [root]; level.length > 0; level = level.flatMap(valuesIn)) {
    for (const node of level) {
      const names = new Set<string>();
      for (const { name } of propertiesOf(node)) {
        if (names.has(name)) return name;
        names.add(name);
      }
    }
  }
  return undefined;
}

function valuesIn(node: Node): readonly Node[] {
  return node.type === 'array' ? (node.children ?? []) : propertiesOf(node).map(({ value }) => value);
}

function objectsIn(text: string): readonly JsonObject[] {
  const whole = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  const lines = text
    .split('\n', MAX_LINES)
    .map((line) => line.trim())
    .filter((line) => line.startsWith('{') && line !== whole);
  return [whole, ...lines].map(parsedJson).filter((value): value is JsonObject => isObject(value) && !isTooDeep(value));
}

function decoded(bytes: Uint8Array): { readonly text: string; readonly isUtf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isUtf8: true };
  } catch {
    // What cannot be read is replaced: for a plain text that does no harm.
    return { text: new TextDecoder().decode(bytes), isUtf8: false };
  }
}
