/** Characters of one line of a comparison. */
const MAX_LINE = 1_000;
/** Digits that numbers of lines are written with at least. */
const DIGITS = 5;

/**
 * The hunks of git's diff of one file. Each line is prefixed with its number in the file after the change, so that a model
 * need not count lines. A diff without lines, such as one of binary files, has no hunks.
 */
export function numberedHunks(diff: string): readonly string[] {
  const hunks: string[][] = [];
  let next = 0;
  for (const line of diff.split('\n')) {
    const begins = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line);
    const hunk = hunks.at(-1);
    if (begins !== null) {
      next = Number(begins[1]);
      hunks.push([cut(line)]);
    } else if (/^[ +-]/.test(line) && hunk !== undefined) {
      hunk.push(numbered(line.startsWith('-') ? undefined : next, line));
      if (!line.startsWith('-')) next += 1;
    }
  }
  return hunks.map((lines) => lines.join('\n'));
}

/** A new file as one hunk. */
export function newFileHunk(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return [`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line, index) => numbered(index + 1, `+${line}`))].join('\n');
}

function numbered(number: number | undefined, line: string): string {
  return `${String(number ?? '').padStart(DIGITS)} ${cut(line.replace(/\r$/, ''))}`;
}

function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}… [${line.length - MAX_LINE} more characters in this line]`.toWellFormed() : line;
}

/** Characters of the comparison of one file, and of all. */
const MAX_FILE = 30_000;
const MAX_ALL = 120_000;

/** A changed file with its hunks. */
interface ComparedFile {
  /** Display path, as tools name the file too. */
  readonly name: string;
  /** Note about the file, such as that it was cut. */
  readonly note?: string | undefined;
  readonly hunks: readonly string[];
}

/** Most characters of the comparison of one file, and of all. */
interface DiffLimits {
  readonly file: number;
  readonly all: number;
}

/** Puts comparisons together as far as there is room: whole hunks only, and it says what is left out. */
export class DiffBudget {
  private readonly parts: string[] = [];
  private readonly omitted: string[] = [];
  private used = 0;

  constructor(private readonly limits: DiffLimits = { file: MAX_FILE, all: MAX_ALL }) {}

  /** Whether no other file fits. */
  get full(): boolean {
    return this.used >= this.limits.all;
  }

  /** The comparisons that fitted. */
  get text(): string {
    return this.parts.join('\n\n');
  }

  /** The files of which nothing is among them, with the reason where there is one. */
  get left(): readonly string[] {
    return this.omitted;
  }

  /** Names a file without comparing it. */
  leaveOut(name: string, reason?: string): void {
    this.omitted.push(reason === undefined ? name : `${name} (${reason})`);
  }

  /** Adds the hunks of a file that there is room for, from the first one on. */
  add({ name, note, hunks }: ComparedFile): void {
    const room = Math.min(this.limits.file, this.limits.all - this.used);
    const shown = fitting(hunks, room);
    if (hunks.length === 0 || shown.length === 0) {
      this.leaveOut(name, hunks.length === 0 ? 'no lines to compare' : undefined);
      return;
    }
    const rest = hunks.length - shown.length;
    const partial = rest === 0 ? [] : [`[PARTIAL: ${rest} of ${hunks.length} hunks of this file are not shown here; read the file.]`];
    const part = [`=== ${name}${note === undefined ? '' : ` (${note})`}`, ...shown, ...partial].join('\n');
    this.parts.push(part);
    this.used += part.length;
  }
}

/** The hunks from the first one on that fit. */
function fitting(hunks: readonly string[], room: number): readonly string[] {
  let used = 0;
  const end = hunks.findIndex((hunk) => (used += hunk.length) > room);
  return end < 0 ? hunks : hunks.slice(0, end);
}
