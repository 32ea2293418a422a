/** Whether a value may stand in a field. */
export type Check = (value: unknown) => boolean;
/** A check by field. The check of every field that may be absent is made by {@link optional}. */
export type Shape = Readonly<Record<string, Check>>;
/** The shape of each message of a union, without its `type`. */
export type Shapes<Message extends { readonly type: string }> = Readonly<Record<Message['type'], Shape>>;

/** Characters of an id: of a session, an item, a call, a model or an attachment. */
const MAX_ID_LENGTH = 512;

const optionalChecks = new WeakSet<Check>();

/** A text with so many characters. */
export function text(max: number, min = 0): Check {
  return (value) => typeof value === 'string' && value.length >= min && value.length <= max;
}

/** One of some words. */
export function oneOf(values: readonly string[]): Check {
  return (value) => typeof value === 'string' && values.includes(value);
}

/** A whole number from 0. */
export const count: Check = (value) => Number.isSafeInteger(value) && typeof value === 'number' && value >= 0;

/** `true` or `false`. */
export const flag: Check = (value) => typeof value === 'boolean';

/** An id that the host gave. */
export const id = text(MAX_ID_LENGTH, 1);

/** Bytes, at least one and at most so many. */
export function bytes(max: number): Check {
  return (value) => value instanceof Uint8Array && value.byteLength > 0 && value.byteLength <= max;
}

/** A list of at most so many. */
export function listOf(check: Check, max: number): Check {
  return (value) => Array.isArray(value) && value.length <= max && value.every(check);
}

/** An object with exactly these fields. */
export function object(shape: Shape): Check {
  return (value) => matches(value, shape);
}

/** A field that may be absent. */
export function optional(check: Check): Check {
  const copy: Check = (value) => check(value);
  optionalChecks.add(copy);
  return copy;
}

/** Whether a value is a plain object with exactly the fields of a shape. Runs no code of the value. */
export function matches(value: unknown, shape: Shape): boolean {
  if (!isPlainObject(value)) return false;
  if (Reflect.ownKeys(value).some((key) => typeof key !== 'string' || !Object.hasOwn(shape, key))) return false;
  return Object.entries(shape).every(([key, check]) =>
    Object.hasOwn(value, key) ? check(value[key]) : optionalChecks.has(check),
  );
}

/** Whether a value is an object without a class of its own. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
