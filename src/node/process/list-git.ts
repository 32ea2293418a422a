import { spawn } from 'node:child_process';
import { findProgram } from './find-program.js';
import { plainEnvironment, SAFE_SETTINGS } from './git-command.js';
import { driverSettings } from './git-settings.js';

/** Commands that list names here, and what keeps each from running a program or looking into what it compares. */
const ALWAYS: Readonly<Record<string, readonly string[]>> = {
  log: ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'],
  diff: ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'],
};
/** The longest part of an answer, in characters: a path. */
const MAX_PART = 16_384;
/** How much of what Git says of an error is read, in characters. */
const MAX_ERROR = 4_096;
/** What Git says where nothing of that name is stored, or nothing at all: then nothing is shown. */
const NOTHING = new RegExp(
  [
    ...[
      'not a git repository',
      'unknown revision',
      'bad revision',
      'does not have any commits',
      'ambiguous argument',
      'not a valid object name',
      'bad default revision',
    ],
    ...["log for '.*' only has", 'no such path', 'invalid object name', "path '.*' (?:does not exist|exists on disk)"],
  ].join('|'),
  'i',
);

/** A list that is asked of Git. */
export interface GitList {
  /** Absolute path of the folder in which it is asked. */
  readonly folder: string;
  readonly args: readonly string[];
  /** What it gets as its input. */
  readonly input?: string;
  /** Milliseconds until it is ended. */
  readonly timeoutMs: number;
}

/** Completeness of a list: all of it, a part, or `nothing` where there is no repository, or none of the versions that were named. */
type Listed = 'whole' | 'part' | 'nothing';

/**
 * Has Git list something, in parts that each end with a NUL, or a newline where it knows no other way. It starts no hook, monitor, converter,
 * program for differences, or pager, fetches nothing, and writes nothing.
 * @param visit ends it with `false`.
 * @returns whether all was seen: at the latest when the time is over, however busy the machine is.
 */
export async function listGit(asked: GitList, visit: (part: string) => boolean, signal: AbortSignal): Promise<Listed> {
  const over = new AbortController();
  const late = new Promise<Listed>((resolve) => {
    over.signal.addEventListener('abort', () => resolve('part'), { once: true });
  });
  const timer = setTimeout(() => over.abort(), asked.timeoutMs);
  try {
    return await Promise.race([run(asked, visit, AbortSignal.any([signal, over.signal])), late]);
  } finally {
    clearTimeout(timer);
    // Ends what still runs.
    over.abort();
  }
}

async function run({ folder, args, input }: GitList, visit: (part: string) => boolean, signal: AbortSignal): Promise<Listed> {
  const program = await findProgram('git');
  if (program === undefined) return 'nothing';
  const [command = '', ...rest] = args;
  const env = plainEnvironment();
  // What was changed in the second in which the index was written is compared with it, through filters; the index itself with commits is not.
  const drivers =
    command === 'diff' && !rest.includes('--cached') && !rest.includes('--staged') ? await driverSettings(folder, env).catch(() => undefined) : [];
  if (drivers === undefined || signal.aborted) return 'part';
  const settings = [...SAFE_SETTINGS, ...drivers].flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return new Promise((resolve) => {
    const options = { cwd: folder, env, windowsHide: true, signal, killSignal: 'SIGKILL' as const, stdio: 'pipe' as const };
    const child = spawn(program, ['--no-optional-locks', '--no-pager', ...settings, command, ...(ALWAYS[command] ?? []), ...rest], options);
    const reader = new PartReader(visit);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (!reader.take(text)) resolve('part');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, MAX_ERROR);
    });
    // One that ended early reads no more; its exit code shows the result.
    child.stdin.on('error', () => undefined).end(input ?? '');
    child.once('error', () => resolve('part'));
    child.once('close', (code) => resolve(code === 0 && reader.finish() ? 'whole' : code !== 0 && NOTHING.test(said) ? 'nothing' : 'part'));
  });
}

/** Cuts a stream of text into its parts. */
class PartReader {
  private stopped = false;
  private rest = '';

  constructor(private readonly visit: (part: string) => boolean) {}

  /** Whether there is more to read. */
  take(text: string): boolean {
    if (this.stopped) return false;
    const parts = (this.rest + text).split(/[\0\n]/);
    this.rest = parts.pop() ?? '';
    this.stopped = this.rest.length > MAX_PART || !parts.every((part) => part === '' || this.visit(part));
    return !this.stopped;
  }

  /** Takes what is left at the end. Whether all was read. */
  finish(): boolean {
    return !this.stopped && (this.rest === '' || this.visit(this.rest));
  }
}
