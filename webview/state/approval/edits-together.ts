import type { ViewApproval, ViewBlock, ViewToolCall } from '../../../src/protocol/view-state.js';

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

/** The edits of an answer that ask at the same time; absent when fewer than two do, or one of them wants to be read alone: the user changed it, or its last answer could not be followed. */
export function editsTogether(blocks: readonly ViewBlock[]): EditsTogether | undefined {
  const asking = blocks.flatMap((block, index) => {
    const edit = block.type === 'tool' ? askedEdit(block.call) : undefined;
    return edit === undefined ? [] : [{ index, edit }];
  });
  const last = asking.at(-1);
  const alone = asking.some(({ edit: { approval } }) => approval.changed === true || approval.problem !== undefined || approval.reasons.length > 0);
  if (last === undefined || asking.length < 2 || alone) return undefined;
  return { at: last.index, edits: asking.map(({ edit }) => edit) };
}

function askedEdit(call: ViewToolCall): AskedEdit | undefined {
  const { status, approval, preview } = call;
  if (status !== 'awaiting_approval' || approval === undefined || preview?.kind !== 'diff') return undefined;
  return { call, approval, path: preview.path, diff: preview.diff, created: preview.created };
}
