/** An object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;
/** How each message of a union is checked. */
export type HostChecks<Message extends { readonly type: string }> = Readonly<Record<Message['type'], (message: Fields) => boolean>>;

/** Whether a value is an object and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list of objects that pass a check. */
export function isListOf(value: unknown, check: (entry: Fields) => boolean): boolean {
  return Array.isArray(value) && value.every((entry) => isFields(entry) && check(entry));
}

/** Whether all fields named hold texts. */
export function hasTexts(value: Fields, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string');
}

/** Whether a value is a whole number from 0. */
export function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
