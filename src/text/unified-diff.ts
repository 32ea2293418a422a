import { type Difference, differingStretches } from './line-diff.js';
import { countLineFeeds, endsLinesWithCrlf } from './lines.js';
import { type Steps, inSlices, LINES_PER_STEP } from '../concurrency/steps.js';
import { TextParts } from './text-parts.js';

/** Lines shown before and after what differs. */
const CONTEXT = 3;

/** Two versions of a file; `before` is `undefined` for a new one, `after` for one that is deleted. */
export interface Versions {
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The name of the one before, where it is another one. */
  readonly nameBefore?: string;
}

/**
 * A unified diff with three lines of context: always the whole change, never shortened.
 * CRLF in all lines of both versions does not show; a change of line endings does.
 */
export async function unifiedDiff(name: string, versions: Versions, signal?: AbortSignal): Promise<string> {
  const { diffArrays, formatPatch } = await import('./diffs.js');
  const [before, after] = [versions.before ?? '', versions.after ?? ''];
  const stretches = await inSlices(differingStretches(before, after, diffArrays), signal);
  const oldFileName = versions.before === undefined ? '/dev/null' : (versions.nameBefore ?? name);
  const newFileName = versions.after === undefined ? '/dev/null' : name;
  // The package writes the names, which may need quotes; its hunks would keep the host waiting.
  const head = formatPatch({ oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks: [] });
  return head.replace(/^(Index: .*\n)?=+\n/, '') + (await inSlices(new HunkWriter(before, after).write(stretches), signal));
}

/** Where a hunk begins, as offsets and as numbers of lines, in the old text and the new one. */
interface Beginning {
  readonly start: number;
  readonly newStart: number;
  readonly line: number;
  readonly newLine: number;
}

/** Writes stretches that differ as hunks. */
class HunkWriter {
  /** Whether carriage returns are left out. */
  private readonly onlyCrlf: boolean;

  constructor(
    private readonly before: string,
    private readonly after: string,
  ) {
    this.onlyCrlf = [before, after].every((text) => text === '' || endsLinesWithCrlf(text));
  }

  *write(stretches: readonly Difference[]): Steps<string> {
    const parts = new TextParts();
    let beginning: Beginning = { start: 0, newStart: 0, line: 1, newLine: 1 };
    let group: Difference[] = [];
    for (const [index, stretch] of stretches.entries()) {
      group.push(stretch);
      if (index % LINES_PER_STEP === 0) yield;
      const next = stretches[index + 1];
      // Stretches whose contexts would touch come together.
      if (next !== undefined && linesAfter(this.before, stretch.end, 2 * CONTEXT) >= next.start) continue;
      beginning = this.beginningOf(group, beginning);
      parts.add(yield* this.hunk(group, beginning));
      group = [];
      yield;
    }
    return parts.text();
  }

  private beginningOf([first]: readonly Difference[], from: Beginning): Beginning {
    const start = linesBefore(this.before, first?.start ?? 0, CONTEXT);
    const newStart = (first?.newStart ?? 0) - ((first?.start ?? 0) - start);
    const line = from.line + countLineFeeds(this.before, from.start, start);
    return { start, newStart, line, newLine: from.newLine + countLineFeeds(this.after, from.newStart, newStart) };
  }

  private *hunk(group: readonly Difference[], { start, line, newLine }: Beginning): Steps<string> {
    const parts = new TextParts();
    const counts = { ' ': 0, '-': 0, '+': 0 };
    let position = start;
    const add = (sign: ' ' | '-' | '+', text: string): void => {
      const shown = this.onlyCrlf ? text.replaceAll('\r\n', '\n') : text;
      counts[sign] += countLineFeeds(shown, 0, shown.length) + (shown === '' || shown.endsWith('\n') ? 0 : 1);
      parts.add(signed(sign, shown));
    };
    for (const [index, stretch] of group.entries()) {
      add(' ', this.before.slice(position, stretch.start));
      add('-', this.before.slice(stretch.start, stretch.end));
      add('+', this.after.slice(stretch.newStart, stretch.newEnd));
      position = stretch.end;
      if (index % LINES_PER_STEP === 0) yield;
    }
    add(' ', this.before.slice(position, linesAfter(this.before, position, CONTEXT)));
    return `@@ -${range(line, counts[' '] + counts['-'])} +${range(newLine, counts[' '] + counts['+'])} @@\n${parts.text()}`;
  }
}

/** The range of a hunk; one without lines names the line before it. */
function range(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`;
}

function signed(sign: string, text: string): string {
  if (text === '') return '';
  if (!text.endsWith('\n')) return `${sign}${text.replaceAll('\n', `\n${sign}`)}\n\\ No newline at end of file\n`;
  return `${sign}${text.slice(0, -1).replaceAll('\n', `\n${sign}`)}\n`;
}

/** Start of the line that is `lines` lines before the line that starts at an offset. */
function linesBefore(text: string, offset: number, lines: number): number {
  let start = offset;
  for (let line = 0; line < lines && start > 0; line += 1) start = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
  return start;
}

/** End of the `lines` lines that start at an offset. */
function linesAfter(text: string, offset: number, lines: number): number {
  let end = offset;
  for (let line = 0; line < lines && end < text.length; line += 1) end = text.indexOf('\n', end) + 1 || text.length;
  return end;
}
