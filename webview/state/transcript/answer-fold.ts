import type { ViewBlock } from '../../../src/protocol/view-state.js';
import type { AnswerRow } from './tool-groups.js';

/** Rows of an answer that are shown at first, with up to {@link STEP} more; what came before them is folded. */
const SHOWN = 60;
/** Rows that are folded at a time while an answer continues, so that what is above the view moves seldom. */
const STEP = 20;
/** Rows, or calls of a group, that each **Show More** adds. */
export const MORE = 60;

/** Parts of an answer that are always shown, whatever else is folded. */
export interface RowWishes {
  /** First row that the user chose to see; by default, all that is not folded. */
  readonly from: number | undefined;
  /** The part that the search is at. */
  readonly found: number | undefined;
}

/** The first row of an answer that is shown: the newest are, what waits for the user, and what the user wants to see. */
export function firstShown(rows: readonly AnswerRow[], blocks: readonly ViewBlock[], { from, found }: RowWishes): number {
  const newest = Math.floor(Math.max(0, rows.length - SHOWN) / STEP) * STEP;
  const first = Math.min(newest, from ?? newest);
  if (first === 0) return 0;
  const needed = rows.findIndex((row) => holds(row, found) || waits(blocks[row.index]));
  return needed < 0 ? first : Math.min(first, needed);
}

function holds(row: AnswerRow, found: number | undefined): boolean {
  return row.kind === 'block' ? row.index === found : row.calls.some(({ index }) => index === found);
}

/** Whether the user is asked, or a command runs that may be stopped. */
function waits(block: ViewBlock | undefined): boolean {
  return block?.type === 'tool' && (block.call.status === 'awaiting_approval' || block.call.status === 'running');
}
