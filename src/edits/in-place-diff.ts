import { t } from '../domain/l10n.js';
import type { ChangeAuthor } from '../domain/workspace/change-author.js';
import { alignedLines } from '../text/align-lines.js';
import { columnsOf, dedented, withoutTabs } from '../text/columns.js';
import { headOf, showName } from '../text/show.js';
import { type WordChange, WordDiff, wordsOf } from '../text/word-diff.js';

/** A change as it is drawn. */
export interface DrawnHunk {
  /** Number of its first line now, from 0, and how many it has. */
  readonly line: number;
  readonly count: number;
  /** The lines that it replaced, without their endings. */
  readonly removed: readonly string[];
  /** The agent that made it; absent for the chat itself. */
  readonly by?: ChangeAuthor;
}

/** The text that changes are drawn in. */
export interface DrawnText {
  readonly lineCount: number;
  readonly tabSize: number;
  lineAt(line: number): string;
}

/** Changed characters of a line. */
export interface ChangedWords {
  readonly line: number;
  readonly from: number;
  readonly to: number;
  /** Removed text, to be shown in front of them; empty for none. */
  readonly gone: string;
}

/** A piece of removed text to the right of a line. */
export interface RowBeside {
  readonly line: number;
  /** Columns between the line and it. */
  readonly margin: number;
  readonly text: string;
}

/** Decorations of changes beside the color of their lines. */
export interface InPlaceDiff {
  readonly words: readonly ChangedWords[];
  readonly rows: readonly RowBeside[];
}

/** Removed lines that are shown of one change. */
const MAX_ROWS = 20;
/** Characters that are shown of a removed line, and of removed words. */
const MAX_ROW = 120;
const MAX_WORDS = 80;
/** Columns between the code and the removed lines. */
const GAP = 4;
/** Where removed lines begin at the latest, as longer lines would push them out of view; those go on in front of them. */
const LAST_COLUMN = 90;
/** Pairs of lines of one change that are compared with each other. */
const MAX_PAIRS = 1_000;
/** Minimum similarity of two lines to count as the same line with other words, as a share of the longer one. */
const LEAST_ALIKE = 0.5;
/** More changed places in one line are not readable within it. */
const MAX_PLACES = 5;

/**
 * Decorations that show changes without using a line of the text: a line of which some words changed has those that are gone in front
 * of the new ones; lines that are gone altogether stand to the right of the code, beginning at their place.
 */
export function inPlaceDiff(hunks: readonly DrawnHunk[], text: DrawnText): InPlaceDiff {
  const diff = new WordDiff();
  const parts = hunks.map((hunk) => partsOf(hunk, text, diff));
  const words = parts.flatMap((part) => part.words);
  const beside = new Beside(text, words);
  parts.forEach(({ runs }, index) => {
    const before = hunks[index - 1];
    let [left, from] = [MAX_ROWS, before === undefined ? 0 : before.line + before.count];
    for (const run of runs) {
      beside.put(run, left, from);
      left = Math.max(0, left - run.lines.length);
      from = run.line + 1;
    }
  });
  return { words, rows: beside.rows };
}

/** Removed lines, and the line in front of which they stood. */
interface Run {
  readonly line: number;
  readonly lines: readonly string[];
}

/** Decorations of one change. */
interface Parts {
  readonly words: readonly ChangedWords[];
  readonly runs: readonly Run[];
}

function partsOf({ line, count, removed }: DrawnHunk, text: DrawnText, diff: WordDiff): Parts {
  const present =
    count === 0 || removed.length === 0 ? [] : Array.from({ length: Math.min(count, text.lineCount - line) }, (_, index) => text.lineAt(line + index));
  const [words, runs]: [ChangedWords[], Run[]] = [[], []];
  let [old, next] = [0, 0];
  const until = (stop: number): void => {
    if (stop > old) runs.push({ line: line + next, lines: removed.slice(old, stop) });
  };
  for (const [pairedOld, pairedNext] of pairsOf(removed, present)) {
    const changes = readable(diff.changes(removed[pairedOld] ?? '', present[pairedNext] ?? ''), present[pairedNext] ?? '');
    if (changes === undefined) continue;
    until(pairedOld);
    words.push(...changes.map(({ from, to, old: gone }) => ({ line: line + pairedNext, from, to, gone: shown(gone, text.tabSize, MAX_WORDS) })));
    [old, next] = [pairedOld + 1, pairedNext + 1];
  }
  until(removed.length);
  return { words, runs };
}

/** Changes that can be read within a line; `undefined` when there are too many of them. */
function readable(changes: readonly WordChange[], line: string): readonly WordChange[] | undefined {
  const changed = changes.reduce((sum, { from, to, old }) => sum + Math.max(to - from, old.length), 0);
  return changes.length > MAX_PLACES || changed > Math.max(line.trim().length, 1) ? undefined : changes;
}

/** Pairs of removed lines and the present lines that replaced them. */
function pairsOf(removed: readonly string[], present: readonly string[]): readonly (readonly [number, number])[] {
  const bags = new Map<string, Bag>();
  const bagOf = (line: string): Bag => bags.get(line) ?? bags.set(line, bagged(line)).get(line) ?? bagged(line);
  const likeness = (old: string, next: string): number => alike(bagOf(old), bagOf(next));
  if (removed.length * present.length <= MAX_PAIRS) return alignedLines(removed, present, likeness);
  if (removed.length !== present.length) return [];
  return removed.flatMap((old, index) => (likeness(old, present[index] ?? '') > 0 ? [[index, index] as const] : []));
}

/** The words of a line, how often each occurs, and how many characters they have together. */
interface Bag {
  readonly words: ReadonlyMap<string, number>;
  readonly size: number;
}

function bagged(line: string): Bag {
  const words = new Map<string, number>();
  let size = 0;
  for (const word of wordsOf(line)) {
    if (word.trim() === '') continue;
    words.set(word, (words.get(word) ?? 0) + 1);
    size += word.length;
  }
  return { words, size };
}

/** Characters of the words that both have; 0 where lines are not alike. */
function alike(one: Bag, other: Bag): number {
  const longer = Math.max(one.size, other.size);
  if (longer === 0) return 1;
  let shared = 0;
  for (const [word, count] of one.words) shared += word.length * Math.min(count, other.words.get(word) ?? 0);
  return shared >= longer * LEAST_ALIKE ? shared : 0;
}

/** Puts removed lines to the right of the code, so that none covers another. */
class Beside {
  private readonly byLine = new Map<number, RowBeside>();
  /** Columns that are taken on a line beyond its own text. */
  private readonly taken = new Map<number, number>();

  constructor(
    private readonly text: DrawnText,
    words: readonly ChangedWords[],
  ) {
    for (const { line, gone } of words) this.taken.set(line, (this.taken.get(line) ?? 0) + columnsOf(gone, text.tabSize));
  }

  get rows(): readonly RowBeside[] {
    return [...this.byLine.values()];
  }

  /**
   * @param most how many of the lines are shown; a last one says how many more there are
   * @param from the first line beside which they may stand: at the end of the file there may be too few below
   */
  put({ line, lines }: Run, most: number, from: number): void {
    const texts = this.textsOf(lines, most, Math.max(1, this.text.lineCount - Math.min(from, line)));
    const first = Math.max(0, Math.min(line, this.text.lineCount - texts.length));
    const width = Math.max(...texts.map((each) => columnsOf(each, this.text.tabSize)));
    const column = GAP + Math.max(...texts.map((_, index) => Math.min(this.end(first + index), this.byLine.has(first + index) ? Infinity : LAST_COLUMN)));
    texts.forEach((each, index) => this.putRow(first + index, column, each + ' '.repeat(width - columnsOf(each, this.text.tabSize))));
  }

  private textsOf(lines: readonly string[], most: number, room: number): readonly string[] {
    const all = dedented(lines.map((each) => withoutTabs(each, this.text.tabSize))).map((each) => `− ${shown(each, this.text.tabSize, MAX_ROW)}`);
    if (all.length <= Math.min(most, room)) return all;
    const some = all.slice(0, Math.min(most, room - 1));
    const more = all.length - some.length;
    return [...some, more === 1 ? t('… 1 more removed line') : t('… {0} more removed lines', more)];
  }

  private putRow(line: number, column: number, text: string): void {
    const end = this.end(line);
    const space = Math.max(GAP, column - end);
    const there = this.byLine.get(line);
    // An editor shows one note at the end of a line.
    this.byLine.set(
      line,
      there === undefined ? { line, margin: space, text: nonBreaking(text) } : { ...there, text: `${there.text}${nonBreaking(' '.repeat(space) + text)}` },
    );
    this.taken.set(line, (this.taken.get(line) ?? 0) + space + columnsOf(text, this.text.tabSize));
  }

  /** The column behind all that is on a line. */
  private end(line: number): number {
    return columnsOf(this.text.lineAt(line), this.text.tabSize) + (this.taken.get(line) ?? 0);
  }
}

/** Code as a note can show it: on one line, cut, with everything visible that is not. */
function shown(code: string, tabSize: number, most: number): string {
  const text = showName(withoutTabs(code, tabSize));
  return nonBreaking(text.length <= most ? text : `${headOf(text, most - 1)}…`);
}

/** Editors bring spaces in notes together. */
function nonBreaking(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}
