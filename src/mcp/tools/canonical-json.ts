/** A value as JSON that is the same whatever the order of keys. @param indent spaces of each level; none for a single line */
export function canonicalJson(value: unknown, indent = 0): string {
  return JSON.stringify(sorted(value), undefined, indent);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]));
}
