import { ToolInputError } from '../../domain/errors.js';
import type { JsonSchema } from '../../domain/tool/tool.js';
import { booleanOf, type Fields, isFields, isNothing, type Names, type Note, numberOf, type OtherForms, parsedText, plainName, renamed } from './fields.js';

/** Arguments in the form of a schema, as far as it is clear what they mean. */
export interface LenientArguments {
  readonly args: unknown;
  /** How they were understood, where that is not plain; one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Fields in which models explain themselves to the user or to the program around them: what happens does not depend on
 * them. From the tool schemas of Cursor, Gemini CLI, Cline, Codex, Copilot, Windsurf and OpenHands.
 */
const EXPLANATIONS: ReadonlySet<string> = new Set(
  (
    'description explanation reason reasoning rationale thought thoughts thinking justification purpose intent goal comment summary title ' +
    'instruction instructions taskprogress requiresapproval securityrisk toolsummary toolaction waitforprevioustools'
  ).split(' '),
);

/**
 * The fields that a list or a text means which stands in place of an object; `undefined` where it means none.
 * @throws ToolInputError for the arguments of several calls in one.
 */
function bareFields(value: unknown, { bare, bareList, texts = [] }: OtherForms, note: Note): Fields | undefined {
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
function singled(fields: Fields, { schema, forms }: { readonly schema: Names; readonly forms: OtherForms }, note: Note): Fields {
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
function refuseSeveral(fields: Fields, properties: Names['properties'], forms: OtherForms): void {
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
function withPlainPaths(fields: Fields, { paths = [] }: OtherForms): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, paths.includes(name) && typeof value === 'string' ? value.replace(LINE_ENDS, '') : value]),
  );
}

/**
 * Brings the arguments of a call into the form of the schema: what permission judges, what is shown and what runs is
 * made from the result alone. What could mean something else is left as it is, for the schema to refuse.
 * @throws ToolInputError when two names of one field hold different values.
 */
export function lenient(args: unknown, parameters: JsonSchema, forms: OtherForms): LenientArguments {
  const notes: string[] = [];
  const note: Note = (text) => void notes.push(text);
  const properties = propertiesOf(parameters);
  const given = isFields(args) ? args : bareFields(args, forms, note);
  if (given === undefined) return { args, notes };
  const schema: Names = { properties, names: forms.names ?? {} };
  const single = singled(renamed(unwrapped(given, properties), schema, note), { schema, forms }, note);
  const fitted = fit(withPlainPaths(single, forms), parameters);
  const shaped = forms.reshape === undefined ? fitted : fit(forms.reshape(asFields(fitted), note), parameters);
  refuseSeveral(asFields(shaped), properties, forms);
  return { args: inRange(withoutUnused(asFields(shaped), properties, forms, note), properties, forms, note), notes };
}

/** The fields of stored arguments under their own names, for showing; those that contradict each other stay as they are. */
export function readableFields(args: Fields, forms: OtherForms): Fields {
  try {
    const named = renamed(args, { properties: {}, names: forms.names ?? {} }, () => undefined);
    return forms.reshape?.(named, () => undefined) ?? named;
  } catch {
    return args;
  }
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function isRequired(schema: JsonSchema, name: string): boolean {
  const required = schema['required'];
  return Array.isArray(required) && required.includes(name);
}

/** Models also put the arguments into an only field, as messages about calls have them. */
function unwrapped(args: Fields, properties: Readonly<Record<string, JsonSchema>>): Fields {
  const [only, ...others] = Object.keys(args);
  if (only === undefined || others.length > 0 || Object.hasOwn(properties, only) || !/^(?:arguments|args|input|parameters|params)$/i.test(only)) return args;
  const inner = parsedText(args[only]);
  return isFields(inner) ? inner : args;
}

/** A value in the type of its schema where only the way of writing differs: numbers as text, lists as JSON text, `null` for what is left out. */
function fit(value: unknown, schema: JsonSchema): unknown {
  switch (schema['type']) {
    case 'object':
      return fitFields(parsedText(value), schema);
    case 'array':
      return fitList(parsedText(value), schema);
    case 'integer':
    case 'number':
      return numberOf(value) ?? value;
    case 'boolean':
      return booleanOf(value) ?? value;
    default:
      return value;
  }
}

function fitFields(value: unknown, schema: JsonSchema): unknown {
  if (!isFields(value)) return value;
  const properties = propertiesOf(schema);
  const entries = Object.entries(value).flatMap(([name, held]): readonly (readonly [string, unknown])[] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) return isNothing(held) ? [] : [[name, held]];
    return (isNothing(held) || held === '') && !isRequired(schema, name) ? [] : [[name, fit(held, property)]];
  });
  return Object.fromEntries(entries);
}

/** The items of a list; one object in place of a list of objects is its only item. */
function fitList(value: unknown, schema: JsonSchema): unknown {
  const items = itemsOf(schema);
  const list: unknown = isFields(value) && items['type'] === 'object' ? [value] : value;
  return Array.isArray(list) ? list.map((item: unknown) => fit(item, items)) : list;
}

function itemsOf(schema: JsonSchema): JsonSchema {
  return (schema['items'] ?? {}) as JsonSchema;
}

/** A list without the explanations within its items. */
function withoutExplanations(value: unknown, schema: JsonSchema | undefined): unknown {
  if (schema?.['type'] !== 'array' || !Array.isArray(value)) return value;
  const known = propertiesOf(itemsOf(schema));
  const isKept = ([name]: readonly [string, unknown]): boolean => Object.hasOwn(known, name) || !EXPLANATIONS.has(plainName(name));
  return value.map((item: unknown) => (isFields(item) ? Object.fromEntries(Object.entries(item).filter(isKept)) : item));
}

/** The fields without those that the schema does not have and that change nothing. */
function withoutUnused(fields: Fields, properties: Readonly<Record<string, JsonSchema>>, forms: OtherForms, note: Note): Fields {
  const ignored: string[] = [];
  const kept = Object.entries(fields).filter(([name, value]) => {
    if (Object.hasOwn(properties, name) || saysSomething(name, value, forms) === 'much') return true;
    if (saysSomething(name, value, forms) === 'little') ignored.push(name);
    return false;
  });
  if (ignored.length > 0) note(`${ignored.join(', ')}: there is no such field; ignored`);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutExplanations(value, Object.hasOwn(properties, name) ? properties[name] : undefined)]));
}

function saysSomething(name: string, value: unknown, { idle = {}, ignored = [] }: OtherForms): 'nothing' | 'little' | 'much' {
  const plain = plainName(name);
  const isEmpty = value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  const said = booleanOf(value) ?? numberOf(value) ?? (typeof value === 'string' ? value.toLowerCase() : value);
  if (isEmpty || (Object.hasOwn(idle, plain) && idle[plain]?.includes(said) === true)) return 'nothing';
  return EXPLANATIONS.has(plain) || ignored.includes(plain) ? 'little' : 'much';
}

/** The fields with each number moved to the nearest one that its schema allows. */
function inRange(fields: Fields, properties: Readonly<Record<string, JsonSchema>>, { limits = {} }: OtherForms, note: Note): Fields {
  const entries = Object.entries(fields).map(([name, value]): readonly [string, unknown] => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined || typeof value !== 'number' || !Number.isFinite(value)) return [name, value];
    const [least = limits[name]?.[0], most = limits[name]?.[1]] = [schema['minimum'], schema['maximum']].map((limit) =>
      typeof limit === 'number' ? limit : undefined,
    );
    const raised = Math.max(value, least ?? value);
    const moved = Math.min(raised, most ?? raised);
    if (moved !== value) note(`${name} ${value} is out of range; ${moved} was used`);
    return [name, moved];
  });
  return Object.fromEntries(entries);
}
