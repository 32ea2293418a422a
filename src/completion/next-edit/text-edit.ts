import { commonEnds } from '../../text/common-ends.js';
import type { TextEdit, TextPosition } from '../../text/text-edit.js';
import type { LineReplacement } from './line-replacement.js';

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
