import { ToolInputError } from '../../domain/errors.js';
import type { JsonSchema } from '../../domain/tool/tool.js';
import { type Fields, type Names, type Note, type OtherForms, isFields, renamed } from './fields.js';

/**
 * The fields that a list or a text means which stands in place of an object; `undefined` where it means none.
 * @throws ToolInputError for the arguments of several calls in one.
 */
export function bareFields(value: unknown, { bare, bareList, texts = [] }: OtherForms, note: Note): Fields | undefined {
  if (typeof value === 'string') return bare !== undefined && texts.includes(bare) ? taken(bare, value, note) : undefined;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const list: readonly unknown[] = value;
  if (bareList !== undefined) return taken(bareList, list, note);
  const only = list[0];
  if (list.length > 1 && list.every(isItem)) throw several(list.length);
  if (isFields(only)) return only;
  return bare === undefined || typeof only !== 'string' || list.length > 1 ? undefined : taken(bare, only, note);
}

function taken(field: string, value: unknown, note: Note): Fields {
  note(`they were taken as ${field}`);
  return { [field]: value };
}

/** The fields with the only item of a list where the schema has one value; an object in it has fields of the call. */
export function singled(fields: Fields, { schema, forms }: { readonly schema: Names; readonly forms: OtherForms }, note: Note): Fields {
  let all = fields;
  for (const [name, value] of Object.entries(fields)) {
    if (!isSingle(name, schema.properties, forms) || !Array.isArray(value) || value.length !== 1) continue;
    const only: unknown = value[0];
    const rest = Object.fromEntries(Object.entries(all).filter(([other]) => other !== name));
    if (typeof only === 'string') all = { ...all, [name]: only };
    else if (isFields(only)) all = merged(rest, renamed(only, schema, note), name);
    else continue;
    note(`${name}: the only item of the list was used`);
  }
  return all;
}

function merged(fields: Fields, more: Fields, from: string): Fields {
  const twice = Object.keys(more).find((name) => Object.hasOwn(fields, name) && JSON.stringify(fields[name]) !== JSON.stringify(more[name]));
  if (twice !== undefined) throw new ToolInputError(`${from} and ${twice} hold different values; nothing was done. Give ${twice} once.`);
  return { ...fields, ...more };
}

/** @throws ToolInputError for several values where the schema has one. */
export function refuseSeveral(fields: Fields, properties: Names['properties'], forms: OtherForms): void {
  for (const [name, value] of Object.entries(fields)) {
    if (isSingle(name, properties, forms) && Array.isArray(value) && value.length > 1 && value.every(isItem)) throw several(value.length, name);
  }
}

function several(count: number, field?: string): ToolInputError {
  const what = field === undefined ? `the arguments of one call are an object, not a list of ${count}` : `${field} takes one value, not ${count}`;
  return new ToolInputError(`${what}; nothing was done. Make one call for each, side by side in the same answer if you like.`);
}

function isItem(value: unknown): boolean {
  return typeof value === 'string' || isFields(value);
}

function isSingle(name: string, properties: Readonly<Record<string, JsonSchema>>, { texts = [] }: OtherForms): boolean {
  return Object.hasOwn(properties, name) && properties[name]?.['type'] === 'string' && !texts.includes(name);
}

/** Line ends around a path are of the answer, not of the name. */
const LINE_ENDS = /^\s*[\r\n]\s*|\s*[\r\n]\s*$/g;

/** The fields with paths alone in them. */
export function withPlainPaths(fields: Fields, { paths = [] }: OtherForms): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, paths.includes(name) && typeof value === 'string' ? value.replace(LINE_ENDS, '') : value]),
  );
}
