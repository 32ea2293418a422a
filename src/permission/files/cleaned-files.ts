import type { CommandAnalysis, SimpleCommand } from '../../domain/tool/command-analysis.js';
import type { Surroundings } from '../surroundings.js';

/** What a `git clean` would remove now. */
export interface CleanedFiles {
  /** The first of the names, as Git writes them; folders end with a slash. */
  readonly names: readonly string[];
  /** How many there are. */
  readonly count: number;
  /** Whether there may be more of them. */
  readonly more?: true;
}

/** Names that a prompt shows. */
const SHOWN = 5;
/** Names that are counted. */
const MAX_COUNTED = 10_000;
/** Milliseconds that this may take at most: Git looks through whole folders, and the user waits for the prompt meanwhile. */
const MAX_MS = 2_000;
/** As Git writes what it would remove; with the option `-d`, it may leave repositories alone, which is another line. */
const REMOVED = /^Would remove (.*)$/s;
/** Options that have it remove something: without them, and with `-n`, it says what it would remove. Source: git-clean(1). */
const FORCE = /^--(?:no-)?force$/;

/**
 * Asks Git what each `git clean` of a command line would remove, by the place of that in the line. One that does not show what it is about, such as one with
 * a variable, is left out, as is one that is not answered in time: what is found is only for the user to read.
 */
export async function cleanedFiles(
  { commands, unreadable }: CommandAnalysis,
  cwd: string,
  { git }: Pick<Surroundings, 'git'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, CleanedFiles>> {
  if (git === undefined || unreadable !== undefined) return new Map();
  const found = await Promise.all(
    commands.map(async (command, index): Promise<readonly (readonly [number, CleanedFiles])[]> => {
      const args = dryRun(command);
      const { folders = [] } = command;
      const [folder = cwd] = folders;
      if (args === undefined || folders.length !== 1) return [];
      const names: string[] = [];
      let count = 0;
      const visit = (line: string): boolean => {
        const [, name] = REMOVED.exec(line) ?? [];
        if (name === undefined) return true;
        count += 1;
        if (names.length < SHOWN) names.push(name);
        return count < MAX_COUNTED;
      };
      const listed = await git.list({ folder, args, timeoutMs: Math.min(10 * git.withinMs, MAX_MS) }, visit, signal);
      // Nothing is known where there was no time, or no repository.
      if (listed === 'nothing' || (listed === 'part' && count === 0)) return [];
      return [[index, { names, count, ...(listed === 'part' ? { more: true } : {}) }]];
    }),
  );
  return new Map(found.flat());
}

/** The arguments with which Git says what a `git clean` would do; `undefined` for everything else, and where it would ask. */
function dryRun({ words }: SimpleCommand): readonly string[] | undefined {
  const [program, verb, ...rest] = words;
  if (program !== 'git' || verb !== 'clean') return undefined;
  const args: string[] = [];
  for (const word of rest) {
    // What the shell makes of a pattern is not what Git does.
    if (word === undefined || /[*?[]/.test(word)) return undefined;
    if (FORCE.test(word)) continue;
    // `-e` takes what is behind it, in its word or in the next one.
    const letters = /^-([a-zA-Z]+)$/.exec(word)?.[1];
    if (letters !== undefined && letters.search(/[ie]/) >= 0) return undefined;
    args.push(letters === undefined ? word : `-${letters.replaceAll('f', '')}`);
  }
  return ['clean', '-n', ...args.filter((word) => word !== '-')];
}
