/** Whether a value is of a type. No check runs code of the value or throws for data that crossed a message channel. */
export type Check<T> = (value: unknown) => value is T;
/** Type of the values that pass a check. */
export type Of<C> = C extends Check<infer T> ? T : never;
/** A check by field. */
export type Shape = Readonly<Record<string, Check<unknown>>>;
/** The messages that some shapes describe, each by the name of its type. */
export type Messages<Shapes> = { [Type in keyof Shapes]: Flat<{ readonly type: Type } & Fields<Shapes[Type]>> }[keyof Shapes];

type Optional<T> = Check<T> & { readonly optional: true };
type Flat<T> = { [Key in keyof T]: T[Key] };
type Fields<S> = Flat<
  { readonly [Key in keyof S as S[Key] extends Optional<unknown> ? never : Key]: Of<S[Key]> } & {
    readonly [Key in keyof S as S[Key] extends Optional<unknown> ? Key : never]?: Of<S[Key]>;
  }
>;
/** Those fields of a type that are checked. */
type Known<T> = { readonly [Key in keyof T]?: Check<unknown> };
type Tagged<Tag extends string> = Readonly<Record<Tag, string>>;

/** Characters of an id: of a session, an item, a call, a model or an attachment. */
export const MAX_ID_LENGTH = 512;

/** A text of any length. */
export const anyText: Check<string> = (value) => typeof value === 'string';

/** A string of `min` to `max` characters. */
export function text(max: number, min = 0): Check<string> {
  return (value): value is string => typeof value === 'string' && value.length >= min && value.length <= max;
}

/** An id that the host gave. */
export const id = text(MAX_ID_LENGTH, 1);

/** One of some strings. */
export function oneOf<const T extends string>(values: readonly T[]): Check<T> {
  return (value): value is T => values.some((each) => each === value);
}

/** A whole number from 0 to a greatest one. */
export function upTo(max: number): Check<number> {
  return (value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= max;
}

/** A whole number from 0. */
export const count = upTo(Number.MAX_SAFE_INTEGER);

/** An amount: a number from 0, with or without a fraction. */
export const amount: Check<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** `true` or `false`. */
export const flag: Check<boolean> = (value) => typeof value === 'boolean';

/** Bytes, also none. */
export const anyBytes: Check<Uint8Array> = (value) => value instanceof Uint8Array;

/** One to `max` bytes. */
export function bytes(max: number): Check<Uint8Array> {
  return (value): value is Uint8Array => value instanceof Uint8Array && value.byteLength > 0 && value.byteLength <= max;
}

/** A list of at most `max` items. */
export function listOf<T>(check: Check<T>, max = Infinity): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.length <= max && value.every(check);
}

/** An object of at most `max` fields of any name, all of one type. */
export function mapOf<T>(check: Check<T>, max: number): Check<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => {
    if (!isPlainObject(value)) return false;
    const keys = Reflect.ownKeys(value);
    return keys.length <= max && keys.every((key) => id(key) && check(value[key]));
  };
}

/** A field that may be absent. */
export function optional<T>(check: Check<T>): Optional<T> {
  return Object.assign((value: unknown): value is T => check(value), { optional: true } as const);
}

/** An object with exactly these fields: for what comes from where anyone may have written. */
export function exactly<S extends Shape>(shape: S): Check<Fields<S>> {
  const checks = Object.entries(shape);
  return (value): value is Fields<S> =>
    isPlainObject(value) &&
    Reflect.ownKeys(value).every((key) => Object.hasOwn(shape, key)) &&
    checks.every(([key, check]) => (Object.hasOwn(value, key) ? check(value[key]) : isOptional(check)));
}

/** An object with at least these fields. */
export function fields<S extends Shape>(shape: S): Check<Fields<S>> {
  return known<Fields<S>>(shape);
}

/** An object of a type, of which those fields are checked without which its reader would fail. */
export function known<T>(shape: Known<T>): Check<T> {
  const rules = rulesOf(shape);
  return (value): value is T => isObject(value) && keeps(value, rules);
}

/** An object of a union, discriminated by one of its fields; else as {@link known}. */
export function knownBy<T extends Tagged<Tag>, Tag extends string>(
  tag: Tag,
  shapes: { readonly [Name in T[Tag]]: Known<Extract<T, Readonly<Record<Tag, Name>>>> },
): Check<T> {
  const byName: ReadonlyMap<unknown, Rules> = new Map(Object.entries<Known<T>>(shapes).map(([name, shape]) => [name, rulesOf(shape)]));
  return (value): value is T => {
    if (!isObject(value)) return false;
    const rules = byName.get(value[tag]);
    return rules !== undefined && keeps(value, rules);
  };
}

/** A message of one of some types, with the fields that its type has and others as `form` says. */
export function messageOf<Shapes extends Readonly<Record<string, Shape>>>(form: typeof exactly | typeof fields, shapes: Shapes): Check<Messages<Shapes>> {
  const byType: ReadonlyMap<unknown, Check<unknown>> = new Map(Object.entries(shapes).map(([type, shape]) => [type, form({ type: anyText, ...shape })]));
  return (value): value is Messages<Shapes> => isObject(value) && byType.get(value['type'])?.(value) === true;
}

type Rules = readonly { readonly key: string; readonly check: Check<unknown> }[];

function rulesOf<T>(shape: Known<T>): Rules {
  return Object.entries<Check<unknown> | undefined>(shape).flatMap(([key, check]) => (check === undefined ? [] : [{ key, check }]));
}

function keeps(value: Readonly<Record<string, unknown>>, rules: Rules): boolean {
  for (const { key, check } of rules) {
    const field = value[key];
    if (field === undefined ? !isOptional(check) : !check(field)) return false;
  }
  return true;
}

function isOptional(check: Check<unknown>): boolean {
  return 'optional' in check;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
