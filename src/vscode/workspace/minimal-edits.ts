import { differingStretches } from '../../text/line-diff.js';
import { inSlices } from '../../concurrency/steps.js';
import type { OffsetEdit } from '../../text/text-edit.js';

/**
 * The few small edits that turn one text into another, in rising order and apart from each other, so that cursors,
 * markers and folds outside of them stay where they are. No edit begins or ends inside a character or a CRLF.
 */
export async function minimalEdits(before: string, after: string): Promise<readonly OffsetEdit[]> {
  if (before === after) return [];
  const { diffArrays } = await import('diff');
  const stretches = await inSlices(differingStretches(before, after, diffArrays));
  const edits = stretches.map(({ start, end, newStart, newEnd }) => ({ start, end, text: after.slice(newStart, newEnd) }));
  return edits.map((edit) => narrowed(before, edit)).filter((edit) => edit.start < edit.end || edit.text !== '');
}

/** The edit without what it leaves the same at both ends. */
function narrowed(before: string, edit: OffsetEdit): OffsetEdit {
  const old = before.slice(edit.start, edit.end);
  const most = Math.min(old.length, edit.text.length);
  let head = 0;
  while (head < most && old[head] === edit.text[head]) head += 1;
  if (divides(old, head) || divides(edit.text, head)) head -= 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === edit.text[edit.text.length - 1 - tail]) tail += 1;
  if (divides(old, old.length - tail) || divides(edit.text, edit.text.length - tail)) tail -= 1;
  return { start: edit.start + head, end: edit.end - tail, text: edit.text.slice(head, edit.text.length - tail) };
}

/** Whether an offset lies inside a CRLF or a surrogate pair. */
function divides(text: string, offset: number): boolean {
  return /^(\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])$/.test(text.slice(Math.max(offset - 1, 0), offset + 1));
}
