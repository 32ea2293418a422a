import { present } from '../../domain/present.js';
import type { Node } from 'jsonc-parser';
import { type JsonDocument, propertiesOf } from '../../text/json-document.js';

/** Maximum depth of a value. Valid hook files have at most 6. */
const MAX_DEPTH = 20;

/** A value of a configuration file that knows where it is, from JSON or from front matter. */
export type SourceValue = { readonly path: readonly (string | number)[]; /** From 1 on. */ readonly line?: number } & (
  | { readonly type: 'object'; readonly fields: readonly SourceField[] }
  | { readonly type: 'list'; readonly items: readonly SourceValue[] }
  | { readonly type: 'plain'; readonly value: string | number | boolean | null }
);

/** A field of an object; one that is there twice is there twice. */
export interface SourceField {
  readonly name: string;
  readonly value: SourceValue;
}

/** A value of a JSON file. @param path of keys to it */
export function fromJson(document: JsonDocument, node: Node, path: readonly (string | number)[] = []): SourceValue {
  const line = document.lineOf(node);
  const place = { path, ...present({ line }) };
  if (path.length > MAX_DEPTH) return { ...place, type: 'plain', value: null };
  switch (node.type) {
    case 'object':
      return { ...place, type: 'object', fields: propertiesOf(node).map(({ name, value }) => ({ name, value: fromJson(document, value, [...path, name]) })) };
    case 'array':
      return { ...place, type: 'list', items: (node.children ?? []).map((child, index) => fromJson(document, child, [...path, index])) };
    default:
      return { ...place, type: 'plain', value: plainOf(node.value) };
  }
}

/**
 * A value that was parsed already, such as that of the front matter of an agent.
 * @param lineAt from 1 on, of what is at a path; `undefined` where it is not known
 */
export function fromPlain(value: unknown, path: readonly (string | number)[], lineAt: (path: readonly (string | number)[]) => number | undefined): SourceValue {
  const line = lineAt(path);
  const place = { path, ...present({ line }) };
  if (Array.isArray(value) && path.length <= MAX_DEPTH)
    return { ...place, type: 'list', items: value.map((item: unknown, index) => fromPlain(item, [...path, index], lineAt)) };
  if (typeof value === 'object' && value !== null && path.length <= MAX_DEPTH) {
    return { ...place, type: 'object', fields: Object.entries(value).map(([name, each]) => ({ name, value: fromPlain(each, [...path, name], lineAt) })) };
  }
  return { ...place, type: 'plain', value: plainOf(value) };
}

function plainOf(value: unknown): string | number | boolean | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
