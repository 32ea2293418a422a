/** An object with named values, from outside. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The value as an object; `undefined` when it is none. */
export function record(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

/** The value as a list; empty when it is none. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; `''` when it is none. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value as a whole number of 0 or more; `undefined` when it is none. */
export function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** The JSON in a text; `undefined` when it is none. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Whoever asks takes “not JSON” for an answer like any other.
    return undefined;
  }
}
