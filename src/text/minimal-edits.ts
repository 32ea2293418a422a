import { differingStretches } from './line-diff.js';
import { inSlices } from '../concurrency/steps.js';
import { commonEnds } from './common-ends.js';
import type { OffsetEdit } from './text-edit.js';

/**
 * The few small edits that turn one text into another, in rising order and apart from each other, so that cursors,
 * markers and folds outside of them stay where they are. No edit begins or ends inside a character or a CRLF.
 */
export async function minimalEdits(before: string, after: string): Promise<readonly OffsetEdit[]> {
  if (before === after) return [];
  const { diffArrays } = await import('./diffs.js');
  const stretches = await inSlices(differingStretches(before, after, diffArrays));
  const edits = stretches.map(({ start, end, newStart, newEnd }) => ({ start, end, text: after.slice(newStart, newEnd) }));
  return edits.map((edit) => narrowed(before, edit)).filter((edit) => edit.start < edit.end || edit.text !== '');
}

/** The edit without what it leaves the same at both ends. */
function narrowed(before: string, edit: OffsetEdit): OffsetEdit {
  const old = before.slice(edit.start, edit.end);
  const { head, tail } = commonEnds(old, edit.text);
  return { start: edit.start + head, end: edit.end - tail, text: edit.text.slice(head, edit.text.length - tail) };
}
