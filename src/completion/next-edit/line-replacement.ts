import { commonHead, commonTail } from '../../text/common-ends.js';

/** Some lines of a document in the place of others. Lines have no endings. */
export interface LineReplacement {
  /** Number of the first line, counted from 0. */
  readonly first: number;
  /** The lines to replace; empty where lines are only added. */
  readonly before: readonly string[];
  /** The lines that come in their place; none where lines are only removed. */
  readonly after: readonly string[];
}

/** A replacement without the lines that it leaves as they are. @returns `undefined` when it changes nothing. */
export function smallest({ first, before, after }: LineReplacement): LineReplacement | undefined {
  const head = commonHead(before, after);
  const tail = commonTail(before, after, head);
  if (head + tail === before.length && head + tail === after.length) return undefined;
  return { first: first + head, before: before.slice(head, before.length - tail), after: after.slice(head, after.length - tail) };
}

/** Whether the lines of a document are still those that a replacement takes the place of. */
export function holds({ first, before }: LineReplacement, lines: readonly string[]): boolean {
  return first >= 0 && first + before.length <= lines.length && before.every((line, index) => line === lines[first + index]);
}

/** The lines of a document after a replacement. */
export function replaced(lines: readonly string[], { first, before, after }: LineReplacement): readonly string[] {
  return lines.slice(0, first).concat(after, lines.slice(first + before.length));
}

/** What a replacement does wherever it stands: two with the same are the same change to a user. */
export function signatureOf(replacement: Pick<LineReplacement, 'before' | 'after'>): string {
  const { before, after } = smallest({ first: 0, ...replacement }) ?? { before: [], after: [] };
  return JSON.stringify([before, after]);
}
