import { ToolInputError } from '../../domain/errors.js';
import type { JsonSchema } from '../../domain/tool/tool.js';

/** The fields of an object that a model wrote. */
export type Fields = Readonly<Record<string, unknown>>;

/** Says in one sentence how an argument was understood, for the model to read behind the result. */
export type Note = (text: string) => void;

/** How models write the arguments of a tool otherwise than its schema has them. Names are written as {@link plainName} gives them. */
export interface OtherForms {
  /** Other names of fields. A field that the schema does not have is one that `reshape` takes up. */
  readonly names?: Readonly<Record<string, string>>;
  /** Fields that the schema does not have, with the values that only say what happens anyway. */
  readonly idle?: Readonly<Record<string, readonly unknown[]>>;
  /** Fields that the schema does not have and that change nothing that matters. */
  readonly ignored?: readonly string[];
  /** The least and the greatest value of numbers for which the schema does not say it. */
  readonly limits?: Readonly<Record<string, readonly [number, number]>>;
  /** Brings fields into the form of the schema, where that takes more than another name. */
  readonly reshape?: (fields: Fields, note: Note) => Fields;
}

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
  ('description explanation reason reasoning rationale thought thoughts thinking justification purpose intent goal comment summary title ' +
    'instruction instructions taskprogress requiresapproval securityrisk toolsummary toolaction waitforprevioustools').split(' '),
);

/**
 * Brings the arguments of a call into the form of the schema: what permission judges, what is shown and what runs is
 * made from the result alone. What could mean something else is left as it is, for the schema to refuse.
 * @throws ToolInputError when two names of one field hold different values.
 */
export function lenient(args: unknown, parameters: JsonSchema, forms: OtherForms): LenientArguments {
  const notes: string[] = [];
  const note: Note = (text) => void notes.push(text);
  if (!isFields(args)) return { args, notes };
  const properties = propertiesOf(parameters);
  const fitted = fit(renamed(unwrapped(args, properties), { properties, names: forms.names ?? {} }, note), parameters);
  const shaped = forms.reshape === undefined ? fitted : fit(forms.reshape(asFields(fitted), note), parameters);
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

/** A name without upper case and punctuation, as `filepath` for `file_path`, `filePath` and `file-path`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a value is an object, and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a JSON text of a list or an object holds; any other value as it is. */
export function parsedText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    // Not JSON: the schema says what is wanted.
    return value;
  }
}

/** A number that may be written as a text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*[+-]?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value) ? Number(value) : undefined;
}

/** A truth value that may be written as a text. */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/**
 * Fields with another value for one of them.
 * @throws ToolInputError when it has a different one already.
 */
export function withField(fields: Fields, name: string, { value, from }: { readonly value: unknown; readonly from: string }): Fields {
  if (Object.hasOwn(fields, name) && !isSame(fields[name], value)) throw contradiction(from, name);
  return { ...fields, [name]: value };
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

interface Names {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly names: Readonly<Record<string, string>>;
}

/** The fields under the names that the schema has for them. */
function renamed(args: Fields, { properties, names }: Names, note: Note): Fields {
  // Switches such as -A and -a differ by nothing else than their case.
  const own = new Map(Object.keys(properties).filter((name) => !name.startsWith('-')).map((name) => [plainName(name), name]));
  const fields = new Map<string, unknown>();
  for (const [key, value] of Object.entries(args)) {
    const plain = plainName(key);
    const name = Object.hasOwn(properties, key) ? key : Object.hasOwn(names, plain) ? (names[plain] ?? key) : (own.get(plain) ?? key);
    if (name !== key && isNothing(value)) continue;
    if (fields.has(name) && !isNothing(fields.get(name)) && !isNothing(value) && !isSame(fields.get(name), value)) throw contradiction(key, name);
    if (name !== key && Object.hasOwn(properties, name)) note(`${key} was taken as ${name}`);
    if (!isNothing(value) || !fields.has(name)) fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

function contradiction(key: string, name: string): ToolInputError {
  return new ToolInputError(`${key} and ${name} mean the same here and hold different values; nothing was done. Give ${name} only.`);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
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
    const [least = limits[name]?.[0], most = limits[name]?.[1]] = [schema['minimum'], schema['maximum']].map((limit) => (typeof limit === 'number' ? limit : undefined));
    const raised = Math.max(value, least ?? value);
    const moved = Math.min(raised, most ?? raised);
    if (moved !== value) note(`${name} ${value} is out of range; ${moved} was used`);
    return [name, moved];
  });
  return Object.fromEntries(entries);
}
