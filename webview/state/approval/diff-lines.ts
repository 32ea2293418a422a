/** A line of a unified diff. */
export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'context' | 'hunk' | 'note';
  /** Without its sign. */
  readonly text: string;
}

/** How many lines a diff adds and removes. */
export interface DiffCounts {
  readonly added: number;
  readonly removed: number;
}

const HEADER = /^(?:Index: |={3,}|--- |\+\+\+ |diff |index )/;

/**
 * The lines of a unified diff for reading. File headers before the first hunk are left out, the file is named beside the
 * diff; from there on every line is shown, also one of another form. A carriage return before the line feed is dropped.
 */
export function diffLines(diff: string): readonly DiffLine[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  const header = first < 0 ? 0 : first;
  const kept = lines.filter((line, index) => index >= header || !HEADER.test(line));
  return kept.map((line) => diffLine(line.replace(/\r$/, '')));
}

function diffLine(line: string): DiffLine {
  const sign = line.charAt(0);
  if (line.startsWith('@@')) return { kind: 'hunk', text: line };
  if (sign === '+') return { kind: 'added', text: line.slice(1) };
  if (sign === '-') return { kind: 'removed', text: line.slice(1) };
  if (sign === '\\') return { kind: 'note', text: line.slice(2) };
  return { kind: 'context', text: sign === ' ' ? line.slice(1) : line };
}

/** Counts what a diff changes. */
export function countDiff(lines: readonly DiffLine[]): DiffCounts {
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  return { added: count('added'), removed: count('removed') };
}
