/** Names that are offered at most. */
const OFFERED = 3;

/** The names that come nearest to one that does not exist, best first: other case, other extension, a slip of typing. */
export function similarNames(wanted: string, names: readonly string[]): readonly string[] {
  const ranked = names.map((name) => ({ name, distance: distanceBetween(wanted.toLowerCase(), name.toLowerCase().replace(/\/$/, '')) }));
  const near = ranked.filter(({ distance }) => distance <= Math.max(2, Math.floor(wanted.length / 4)));
  return near.sort((a, b) => a.distance - b.distance).slice(0, OFFERED).map(({ name }) => name);
}

function distanceBetween(a: string, b: string): number {
  if (a === b) return 0;
  const sameStem = stemOf(a) === stemOf(b) && stemOf(a).length > 1;
  return sameStem ? 1 : editDistance(a, b);
}

function stemOf(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '');
}

/** How many characters must be added, removed or replaced to turn one name into the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a.charAt(i - 1) === b.charAt(j - 1) ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
