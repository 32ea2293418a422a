import type { DiffsPreview } from '../../../src/domain/tool/tool.js';
import { t } from '../../../src/protocol/l10n.js';
import type { ViewPreview } from '../../../src/protocol/view-state.js';

/** A line of a difference as it is shown. */
export interface DiffLine {
  /** `gap` stands for unchanged lines that are left out, `note` for a remark about the line before it. */
  readonly kind: 'added' | 'removed' | 'context' | 'gap' | 'note';
  /** Without its sign; empty for a gap. */
  readonly text: string;
  /** Its number, from 1: of a removed line in the old text, of all others in the new one. */
  readonly number?: number;
  /** Number of lines in a gap. */
  readonly left?: number;
}

/** Numbers of added and removed lines of a diff. */
export interface DiffCounts {
  readonly added: number;
  readonly removed: number;
}

/** The rows of a difference that may be out of sight when it counts as read: fewer than ten. */
export const MAX_HIDDEN = 9;
/** Unchanged lines that are shown before and after each change. */
const CONTEXT = 2;
const HEADER = /^(?:Index: |={3,}|--- |\+\+\+ |diff |index )/;
const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** A line and the place in the new text at which it stands. */
interface PlacedLine {
  readonly line: DiffLine;
  readonly at: number;
}

/**
 * The lines of a unified diff for reading: every changed line, with {@link CONTEXT} unchanged ones around it, and a gap where
 * more were left out. File headers before the first hunk are left out, the file is named beside the diff; from there on every
 * changed line is shown, also one of another form. A carriage return before the line feed is dropped.
 */
export function diffLines(diff: string): readonly DiffLine[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  const header = first < 0 ? 0 : first;
  const kept = lines.filter((line, index) => index >= header || !HEADER.test(line));
  const all = placed(kept);
  // What has no hunks is no diff, and nothing in it is known to be unchanged.
  return first < 0 ? all.map(({ line }) => line) : withGaps(nearChanges(all));
}

/** What a call changes, as it is shown; `undefined` for one of which no text is shown. */
export interface ShownChange {
  readonly lines: readonly DiffLine[];
  /** Of the file, for the colors of its language; empty for several files. */
  readonly path: string;
}

/** The changes of a call for reading: of several files one after the other, each below a line with its name. */
export function shownChange(preview: ViewPreview | undefined): ShownChange | undefined {
  if (preview?.kind === 'diff') return preview.diff === '' ? undefined : { lines: diffLines(preview.diff), path: preview.path };
  if (preview?.kind !== 'diffs') return undefined;
  const lines = preview.files.flatMap((file): readonly DiffLine[] => [
    { kind: 'note', text: headingOf(file) },
    ...(file.diff === '' ? [] : diffLines(file.diff)),
  ]);
  return { lines, path: preview.files.length === 1 ? (preview.files[0]?.path ?? '') : '' };
}

function headingOf({ name, created, deleted, from }: DiffsPreview['files'][number]): string {
  if (deleted === true) return t('{0} (deleted)', name);
  if (from !== undefined) return t('{0} (moved)', name);
  return created ? t('{0} (new)', name) : name;
}

/** Gives each line its number and place. */
function placed(lines: readonly string[]): readonly PlacedLine[] {
  const all: PlacedLine[] = [];
  let old = 1;
  let fresh = 1;
  for (const each of lines) {
    const hunk = HUNK.exec(each);
    if (hunk !== null) {
      old = Number(hunk[1]);
      fresh = Number(hunk[2]);
      continue;
    }
    const { kind, text } = readLine(each.replace(/\r$/, ''));
    const number = kind === 'note' ? {} : { number: kind === 'removed' ? old : fresh };
    all.push({ line: { kind, text, ...number }, at: fresh });
    if (kind === 'removed' || kind === 'context') old += 1;
    if (kind === 'added' || kind === 'context') fresh += 1;
  }
  return all;
}

function readLine(line: string): Pick<DiffLine, 'text'> & { readonly kind: Exclude<DiffLine['kind'], 'gap'> } {
  const sign = line.charAt(0);
  if (sign === '+') return { kind: 'added', text: line.slice(1) };
  if (sign === '-') return { kind: 'removed', text: line.slice(1) };
  if (sign === '\\') return { kind: 'note', text: line.slice(2) };
  return { kind: 'context', text: sign === ' ' ? line.slice(1) : line };
}

/** Leaves out unchanged lines that are far from a change. */
function nearChanges(all: readonly PlacedLine[]): readonly PlacedLine[] {
  const near = new Set<number>();
  for (const [index, { line }] of all.entries()) {
    if (line.kind !== 'added' && line.kind !== 'removed') continue;
    for (let each = index - CONTEXT; each <= index + CONTEXT; each += 1) near.add(each);
  }
  return all.filter(({ line }, index) => near.has(index) || (line.kind === 'note' && near.has(index - 1)));
}

/** Puts a gap where the places of two lines do not follow each other. */
function withGaps(lines: readonly PlacedLine[]): readonly DiffLine[] {
  const result: DiffLine[] = [];
  let next: number | undefined;
  for (const { line, at } of lines) {
    if (next !== undefined && at > next) result.push({ kind: 'gap', text: '', left: at - next });
    result.push(line);
    next = line.kind === 'added' || line.kind === 'context' ? at + 1 : at;
  }
  return result;
}

/** Counts what a diff changes. */
export function countDiff(lines: readonly DiffLine[]): DiffCounts {
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  return { added: count('added'), removed: count('removed') };
}
