/** What is in an object, in the order of some keys, whichever it was made in. Fails for a key that is none of these. */
export function inOrder(object: object, keys: readonly string[]): readonly (readonly [key: string, value: unknown])[] {
  const entries = Object.entries(object).map(([key, value]: [string, unknown]) => [key, value] as const);
  const unknown = entries.map(([key]) => key).filter((key) => !keys.includes(key));
  if (unknown.length > 0) throw new Error(`Reports do not say where ${unknown.join(', ')} belongs.`);
  return entries.sort(([a], [b]) => keys.indexOf(a) - keys.indexOf(b));
}
