import { commonHead, commonTail, commonEnds } from '../../text/common-ends.js';
import type { Suggestion } from '../suggestion.js';
import type { TextPosition, TextEdit } from '../../text/text-edit.js';

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

/** Comparison key of a replacement without its position: two with the same key are the same change to a user. */
export function signatureOf(replacement: Pick<LineReplacement, 'before' | 'after'>): string {
  const { before, after } = smallest({ first: 0, ...replacement }) ?? { before: [], after: [] };
  return JSON.stringify([before, after]);
}

/**
 * A change as text behind the cursor.
 * @param line that of the cursor, as it is now
 * @returns `undefined` when it is not one that only adds there.
 */
export function asSuggestion({ first, before, after }: LineReplacement, cursor: TextPosition, line: string): Suggestion | undefined {
  const [head, tail] = [line.slice(0, cursor.character), line.slice(cursor.character)];
  if (before.length === 0 && first === cursor.line + 1 && tail === '') return { text: `\n${after.join('\n')}`, replaces: 0 };
  if (before.length !== 1 || before[0] !== line || first !== cursor.line) return undefined;
  const next = after.join('\n');
  const fits = next.length > line.length && next.startsWith(head) && next.endsWith(tail) && (tail === '' || after.length === 1);
  return fits ? { text: next.slice(head.length, next.length - tail.length), replaces: 0 } : undefined;
}

/** A replacement as the change of the fewest characters in a row; its line endings are `\n`. @param lines those of the document now */
export function textEditOf({ first, before, after }: LineReplacement, lines: readonly string[]): TextEdit {
  if (before.length === 0) return added(first, after, lines);
  if (after.length === 0) return removed(first, before, lines);
  const [old, next] = [before.join('\n'), after.join('\n')];
  const { head, tail } = commonEnds(old, next);
  return { start: spotAt(old, head, first), end: spotAt(old, old.length - tail, first), text: next.slice(head, next.length - tail) };
}

function added(first: number, after: readonly string[], lines: readonly string[]): TextEdit {
  const text = after.join('\n');
  if (first < lines.length) return { ...at({ line: first, character: 0 }), text: `${text}\n` };
  const line = Math.max(0, lines.length - 1);
  return { ...at({ line, character: lines[line]?.length ?? 0 }), text: `\n${text}` };
}

function removed(first: number, before: readonly string[], lines: readonly string[]): TextEdit {
  const behind = first + before.length;
  if (behind < lines.length) return { start: { line: first, character: 0 }, end: { line: behind, character: 0 }, text: '' };
  const end = { line: behind - 1, character: before.at(-1)?.length ?? 0 };
  return { start: first === 0 ? { line: 0, character: 0 } : { line: first - 1, character: lines[first - 1]?.length ?? 0 }, end, text: '' };
}

function at(spot: TextPosition): Pick<TextEdit, 'start' | 'end'> {
  return { start: spot, end: spot };
}

function spotAt(text: string, offset: number, first: number): TextPosition {
  const above = text.slice(0, offset).split('\n');
  return { line: first + above.length - 1, character: above.at(-1)?.length ?? 0 };
}
