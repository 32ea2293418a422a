/** Similarity of two lines; 0 where they are not the same line. */
export type Likeness = (old: string, next: string) => number;

/**
 * Aligns two lists of lines with maximum similarity. Returns pairs of indexes, in order.
 * The time grows with the product of their lengths.
 */
export function alignedLines(before: readonly string[], after: readonly string[], likeness: Likeness): readonly (readonly [old: number, next: number])[] {
  const scores = before.map((old) => after.map((next) => likeness(old, next)));
  // What the lines from these places on have in common at best.
  const width = after.length + 1;
  const best = new Float64Array((before.length + 1) * width);
  const at = (old: number, next: number): number => best[old * width + next] ?? 0;
  const paired = (old: number, next: number): number => (scores[old]?.[next] ?? 0) + at(old + 1, next + 1);
  for (let old = before.length - 1; old >= 0; old -= 1) {
    for (let next = after.length - 1; next >= 0; next -= 1) best[old * width + next] = Math.max(at(old + 1, next), at(old, next + 1), paired(old, next));
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [old, next] = [0, 0]; old < before.length && next < after.length;) {
    const score = at(old, next);
    if ((scores[old]?.[next] ?? 0) > 0 && score === paired(old, next)) pairs.push([old++, next++]);
    else if (score === at(old + 1, next)) old += 1;
    else next += 1;
  }
  return pairs;
}
