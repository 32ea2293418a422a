import { t } from '../domain/l10n.js';
import { type JsonObject, isObject, isTooDeep, parsedJson } from './plain-json.js';

/** What a hook printed: nothing, JSON by which it decides, a text, or what only looks like JSON. */
export type Printed =
  | { readonly type: 'nothing' }
  | { readonly type: 'json'; readonly value: JsonObject }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'garbage'; /** A sentence for users. */ readonly why: string; readonly text: string };

/** Colors and other sequences for terminals (ECMA-48, 5.4, and the `OSC` of links and titles). */
// oxlint-disable-next-line no-control-regex -- Escape sequences are made of control characters.
const TERMINAL = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\^_])/g;

/**
 * Sorts what a hook printed. Only a text that begins with `{` is JSON, as in Claude Code: so `null`, `[]`, `"x"` and `NaN` are texts. A text
 * that begins so and is no single JSON object is garbage, be it because more follows, or because it is cut or no UTF-8.
 * @param isCut whether more was printed than was kept
 */
export function sortPrinted(bytes: Uint8Array, isCut: boolean): Printed {
  const { text: raw, isUtf8 } = decoded(bytes);
  const text = raw.replace(TERMINAL, '').trim();
  if (text === '') return { type: 'nothing' };
  if (!text.startsWith('{')) return { type: 'text', text };
  if (isCut) return { type: 'garbage', why: t('It printed more than is read.'), text };
  if (!isUtf8) return { type: 'garbage', why: t('What it printed is not UTF-8.'), text };
  const value = parsedJson(text);
  if (!isObject(value)) return { type: 'garbage', why: t('It printed something that begins like JSON and is not.'), text };
  return isTooDeep(value) ? { type: 'garbage', why: t('What it printed is nested too deep.'), text } : { type: 'json', value };
}

function decoded(bytes: Uint8Array): { readonly text: string; readonly isUtf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isUtf8: true };
  } catch {
    // What cannot be read is replaced: for a plain text that does no harm.
    return { text: new TextDecoder().decode(bytes), isUtf8: false };
  }
}
