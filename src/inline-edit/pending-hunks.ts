import type { LineEdit, LineShift } from './line-edit.js';
import { growthOf, movedLine, withEdit } from './line-edit.js';

/** Lines that become others once the person keeps them. */
export interface PendingHunk {
  readonly id: number;
  /** Number of its first line in the text as it is now, from 0. */
  readonly line: number;
  /** How many lines it has in the text as it is now. */
  readonly count: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Whether the person has changed its lines: nobody but them changes those then. */
  readonly touched: boolean;
}

/** What the person decides about a hunk. */
export type Decision = 'keep' | 'undo';

/** What has to be done to the text for a decision: nothing, an edit, or nothing can be, as the person changed the lines. */
export type Decided = LineEdit | 'nothing' | 'touched';

/**
 * Hunks that are neither kept nor undone, of one text that the person may go on typing in. The text holds either their new
 * lines (an edit in place) or still the old ones (an edit that is only shown).
 */
export class PendingHunks {
  private readonly holds: 'added' | 'removed';
  private hunks: readonly PendingHunk[] = [];
  private next = 0;

  /** @param holds which lines of its hunks the text has. */
  constructor(holds: 'added' | 'removed') {
    this.holds = holds;
  }

  /** The hunks in the order of the text. */
  get all(): readonly PendingHunk[] {
    return this.hunks;
  }

  /** Adds a hunk; one that goes on where the last one ends becomes part of it. */
  add(line: number, removed: readonly string[], added: readonly string[]): void {
    const count = (this.holds === 'added' ? added : removed).length;
    const growth = this.holds === 'added' ? added.length - removed.length : 0;
    const before = this.hunks.filter((hunk) => hunk.line + hunk.count <= line);
    const after = this.hunks.slice(before.length).map((hunk) => ({ ...hunk, line: hunk.line + growth }));
    const last = before.at(-1);
    if (last !== undefined && !last.touched && last.line + last.count === line) {
      const joined = { ...last, count: last.count + count, removed: [...last.removed, ...removed], added: [...last.added, ...added] };
      this.hunks = [...before.slice(0, -1), joined, ...after];
    } else this.hunks = [...before, { id: this.next, line, count, removed, added, touched: false }, ...after];
    this.next += 1;
  }

  /** Follows a change of the person. */
  typed(shift: LineShift): void {
    this.hunks = this.hunks.map((hunk) => moved(hunk, shift));
  }

  /** Takes a decision: the hunk pends no longer, unless the person changed its lines and those would have to be others. */
  decide(id: number, decision: Decision): Decided {
    const hunk = this.hunks.find((each) => each.id === id);
    if (hunk === undefined) return 'nothing';
    const wanted = decision === 'keep' ? 'added' : 'removed';
    const changes = wanted !== this.holds;
    if (changes && hunk.touched) return 'touched';
    const edit = { start: hunk.line, end: hunk.line + hunk.count, lines: hunk[wanted] };
    const growth = changes ? growthOf(edit) : 0;
    const place = this.hunks.indexOf(hunk);
    this.hunks = this.hunks.flatMap((each, index) => (index < place ? [each] : index === place ? [] : [{ ...each, line: each.line + growth }]));
    return changes ? edit : 'nothing';
  }

  /** The other text: without the hunks where it holds them, else with them. Lines that the person changed stay as they are. */
  otherText(text: readonly string[]): readonly string[] {
    const other = this.holds === 'added' ? 'removed' : 'added';
    return this.hunks.toReversed().reduce((lines, hunk) => (hunk.touched ? lines : withEdit(lines, { start: hunk.line, end: hunk.line + hunk.count, lines: hunk[other] })), text);
  }
}

function moved(hunk: PendingHunk, shift: LineShift): PendingHunk {
  const end = hunk.line + hunk.count;
  // What is added where lines were only taken comes behind them.
  if (shift.start >= end && shift.end === shift.start && hunk.count === 0) return hunk;
  if (shift.end <= hunk.line) return { ...hunk, line: hunk.line + shift.count - (shift.end - shift.start) };
  if (shift.start >= end) return hunk;
  const line = Math.min(hunk.line, shift.start);
  return { ...hunk, line, count: movedLine(Math.max(end, shift.end), shift) - line, touched: true };
}
