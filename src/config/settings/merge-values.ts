/**
 * What counts of the values that two layers have for one setting. Nothing and `null` leave it to the other layer; objects are merged by
 * their keys, lists are put behind each other without what is in them already; of all else, the stronger value counts. Both have
 * the shape of the setting, so that a list meets no number.
 */
export function mergeValues(stronger: unknown, weaker: unknown): unknown {
  if (stronger === undefined || stronger === null) return weaker ?? undefined;
  if (weaker === undefined || weaker === null) return stronger;
  if (Array.isArray(stronger) && Array.isArray(weaker)) return withoutRepeated([...(stronger as unknown[]), ...(weaker as unknown[])]);
  if (!isRecord(stronger) || !isRecord(weaker)) return stronger;
  const names = [...new Set([...Object.keys(stronger), ...Object.keys(weaker)])];
  // Not by assignment, with which `__proto__` would be no key like others.
  return Object.fromEntries(names.map((name) => [name, mergeValues(own(stronger, name), own(weaker, name))]));
}

/** Whether the values of several layers count together. */
export function isMerged(value: unknown): boolean {
  return Array.isArray(value) || isRecord(value);
}

function withoutRepeated(items: readonly unknown[]): readonly unknown[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
