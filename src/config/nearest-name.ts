/** Characters of a name that others are looked for near to. */
const MAX_NAME = 40;
/** Characters by which the beginning of a name is known. */
const MIN_BEGINNING = 5;
/** Changes of characters by which a name may be off. */
const MAX_CHANGES = 4;

/** The known name that a name is most like, if any is like it at all. @param most changes of characters by which it may be off */
export function nearestName(name: string, known: readonly string[], most = MAX_CHANGES): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const longer = name.length >= MIN_BEGINNING ? known.find((each) => each.toLowerCase().startsWith(name.toLowerCase())) : undefined;
  if (longer !== undefined) return longer;
  const letters = name.toLowerCase().replace(/[^a-z]/g, '');
  // Names whose lengths differ by more need more changes than that.
  const alike = known.filter((each) => Math.abs(each.length - letters.length) <= most);
  const [nearest] = alike.map((each) => ({ each, changes: changesBetween(letters, each.toLowerCase()) })).sort((a, b) => a.changes - b.changes);
  // Of a short name, a few changes make any other.
  return nearest !== undefined && nearest.changes <= Math.min(most, Math.ceil(name.length / 3)) ? nearest.each : undefined;
}

/** Edit distance of two names (Levenshtein). */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
