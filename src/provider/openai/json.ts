/** An object with named values, from outside. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The value as an object; `undefined` when it is not one. */
export function record(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

/** The value as an array; empty when it is not one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects in an array; none when it is not one. */
export function records(value: unknown): readonly JsonRecord[] {
  return list(value).flatMap((item) => {
    const each = record(item);
    return each === undefined ? [] : [each];
  });
}

/** The value as a string; `''` when it is not one. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value as an integer of 0 or more; `undefined` when it is not one. */
export function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** Parses JSON; `undefined` when it is invalid. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Callers treat “not JSON” like any other value.
    return undefined;
  }
}
