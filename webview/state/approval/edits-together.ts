import type { ViewApproval, ViewBlock, ViewToolCall } from '../../../src/protocol/view-state.js';
import { wholeText } from './approval-text.js';
import { hasHidden } from './visible-text.js';

/** A call that asks whether it may change a file. */
export interface AskedEdit {
  readonly call: ViewToolCall;
  readonly approval: ViewApproval;
  readonly path: string;
  readonly diff: string;
  readonly created: boolean;
}

/** Edits that ask together, and the part of the answer under which they are listed. */
export interface EditsTogether {
  readonly at: number;
  readonly edits: readonly AskedEdit[];
}

/** Lines of differences that may be allowed by their names and counts alone: a glance at each is enough. */
const MAX_UNREAD = 50;

/**
 * Differences that have to be read before they are allowed together: those that do not fit on their own, and all when they are many lines.
 * @param fitting lines of one difference that fit, or nearly do
 */
export function toBeRead(lengths: readonly number[], fitting: number): readonly boolean[] {
  const many = lengths.reduce((sum, length) => sum + length, 0) > MAX_UNREAD;
  return lengths.map((length) => many || length > fitting);
}

/**
 * The edits of an answer that ask at the same time; absent when fewer than two do, they are not of one agent, or one of them wants to be read alone: the user
 * changed it, its last answer could not be followed, there is a reason to show, or something in it is hidden.
 */
export function editsTogether(blocks: readonly ViewBlock[]): EditsTogether | undefined {
  const asking = blocks.flatMap((block, index) => {
    const edit = block.type === 'tool' ? askedEdit(block.call) : undefined;
    return edit === undefined ? [] : [{ index, edit }];
  });
  const last = asking.at(-1);
  if (last === undefined || asking.length < 2 || asking.some(({ edit }) => edit.call.maker !== last.edit.call.maker || wantsToBeAlone(edit))) return undefined;
  return { at: last.index, edits: asking.map(({ edit }) => edit) };
}

function wantsToBeAlone({ call, approval: { changed, problem, reasons } }: AskedEdit): boolean {
  return changed === true || problem !== undefined || reasons.length > 0 || hasHidden(wholeText(call));
}

function askedEdit(call: ViewToolCall): AskedEdit | undefined {
  const { status, approval, preview } = call;
  if (status !== 'awaiting_approval' || approval === undefined || preview?.kind !== 'diff') return undefined;
  // Its name and its count of lines do not say that a file goes.
  if (preview.deleted === true || preview.from !== undefined) return undefined;
  return { call, approval, path: preview.path, diff: preview.diff, created: preview.created };
}
