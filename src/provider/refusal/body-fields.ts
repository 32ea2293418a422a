import type { Substitute } from '../../domain/model/dispensable.js';

/** A field that a body can do without. */
export interface BodyField {
  /** As the API calls it, such as `reasoning.effort`. */
  readonly name: string;
  /** Where it is: keys, apart by dots, and `*` for each element of an array. Default: where its name says. */
  readonly paths?: readonly string[];
  /** The part of a request that it has, which goes another way without it: the schema of the answer, in words. */
  readonly holds?: 'output';
  /** Other words for it in refusals. */
  readonly words?: RegExp;
  /**
   * What takes the place of a field that the API demands, or knows under another name.
   * @param words of the refusal
   * @param isOut whether a field of another name was refused before
   */
  readonly instead?: (words: string, sent: unknown, isOut: (name: string) => boolean) => Substitute | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** Whether a body has a field. */
export function hasField(body: object, field: BodyField): boolean {
  return valueOf(body, field) !== undefined;
}

/** The value of a field, the first where there are several; `undefined` where there is none. */
export function valueOf(body: object, field: BodyField): unknown {
  return pathsOf(field)
    .map((path) => valueAt(body, path))
    .find((value) => value !== undefined);
}

/**
 * A body without fields that its server refused.
 * @param known every field that bodies of this kind can do without
 * @param refused what takes their place, by name
 */
export function bodyWithout<T extends object>(body: T, known: readonly BodyField[], refused: ReadonlyMap<string, Substitute | undefined>): T {
  // In the order of the refusals: one may be about what took the place of another.
  return [...refused].reduce<T>((kept, [name, instead]) => {
    const paths = known.filter((field) => field.name === name).flatMap(pathsOf);
    return paths.reduce((now, path) => changed(now, path, instead) as T, kept);
  }, body);
}

function pathsOf({ name, paths }: BodyField): readonly (readonly string[])[] {
  return (paths ?? [name]).map((path) => path.split('.'));
}

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (key === '*') return Array.isArray(value) ? value.map((each) => valueAt(each, rest)).find((each) => each !== undefined) : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? valueAt(value[key], rest) : undefined;
}

/** What stays the same is the same object: the JSON of messages is kept by object. */
function changed(value: unknown, [key, ...rest]: readonly string[], instead: Substitute | undefined): unknown {
  if (key === '*') return Array.isArray(value) ? value.map((each) => changed(each, rest, instead)) : value;
  if (key === undefined || !isObject(value) || !Object.hasOwn(value, key)) return value;
  if (rest.length > 0) {
    const inner = changed(value[key], rest, instead);
    if (inner === value[key]) return value;
    // An object of which nothing is left says nothing.
    return isObject(inner) && Object.keys(inner).length === 0 ? omit(value, key) : { ...value, [key]: inner };
  }
  if (instead === undefined) return omit(value, key);
  return 'name' in instead ? { ...omit(value, key), [instead.name]: value[key] } : { ...value, [key]: instead.value };
}

function omit(value: Json, key: string): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
