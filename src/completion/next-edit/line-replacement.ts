/** Some lines of a document in the place of others. Lines have no endings. */
export interface LineReplacement {
  /** Number of the first line, counted from 0. */
  readonly first: number;
  /** The lines that stand there; none where lines are only added. */
  readonly before: readonly string[];
  /** The lines that come in their place; none where lines are only removed. */
  readonly after: readonly string[];
}

/** A replacement without the lines that it leaves as they are. @returns `undefined` when it changes nothing. */
export function smallest({ first, before, after }: LineReplacement): LineReplacement | undefined {
  const least = Math.min(before.length, after.length);
  let same = 0;
  while (same < least && before[same] === after[same]) same += 1;
  let end = 0;
  while (end < least - same && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if (same + end === before.length && same + end === after.length) return undefined;
  return { first: first + same, before: before.slice(same, before.length - end), after: after.slice(same, after.length - end) };
}

/** Whether the lines of a document are still those that a replacement takes the place of. */
export function holds({ first, before }: LineReplacement, lines: readonly string[]): boolean {
  return first >= 0 && first + before.length <= lines.length && before.every((line, index) => line === lines[first + index]);
}

/** The lines of a document after a replacement. */
export function replaced(lines: readonly string[], { first, before, after }: LineReplacement): readonly string[] {
  return lines.slice(0, first).concat(after, lines.slice(first + before.length));
}

/** What a replacement does wherever it stands: two with the same are the same change to a person. */
export function signatureOf(replacement: Pick<LineReplacement, 'before' | 'after'>): string {
  const { before, after } = smallest({ first: 0, ...replacement }) ?? { before: [], after: [] };
  return JSON.stringify([before, after]);
}
