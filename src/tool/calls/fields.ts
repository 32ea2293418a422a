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
  /** Fields whose text is content, in which a list, a line end, or a mark could be meant. */
  readonly texts?: readonly string[];
  /** Fields with the path of a file or folder. */
  readonly paths?: readonly string[];
  /** The field that is meant where there is only a list of one value in place of an object, or a text, for a field of `texts`. */
  readonly bare?: string;
  /** The field that is meant where there is only a list. */
  readonly bareList?: string;
  /** Brings fields into the form of the schema, where that takes more than another name. */
  readonly reshape?: (fields: Fields, note: Note) => Fields;
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

/** The fields of a schema, and other names of them. */
export interface Names {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly names: Readonly<Record<string, string>>;
}

/** The fields under the names that the schema has for them. */
export function renamed(args: Fields, { properties, names }: Names, note: Note): Fields {
  // Switches such as -A and -a differ by nothing else than their case.
  const own = new Map(
    Object.keys(properties)
      .filter((name) => !name.startsWith('-'))
      .map((name) => [plainName(name), name]),
  );
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

/** Whether a value stands for one that is left out. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
