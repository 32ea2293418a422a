import { present } from '../../domain/present.js';
import { execFile, type ExecFileException } from 'node:child_process';
import { findProgram } from './find-program.js';
import { type GitSetting, driverSettings, OFFLINE, READS_ONLY } from './git-settings.js';

/** Milliseconds that git may take; on a disk that does not answer nothing is known then. */
const TIMEOUT_MS = 20_000;
/** The most that git may answer, in bytes. */
const MAX_OUTPUT = 32 * 1024 * 1024;
/**
 * Nothing of a repository's settings runs a program of its own, and nothing is written to it. A folder of the workspace that
 * merely looks like a repository, which can be committed to one, does not count as one (Git 2.38 or later).
 */
export const SAFE_SETTINGS: readonly GitSetting[] = [...READS_ONLY, ['core.untrackedCache', 'false'], ['safe.bareRepository', 'explicit']];
/** What shows differences could have them made by a program that the attributes of a file choose. */
const SHOWS_DIFFERENCES: ReadonlySet<string> = new Set(['diff', 'log', 'show']);
/** What looks into no file on disk. All others could pass files through filters that their attributes choose. */
const READS_NO_FILES: ReadonlySet<string> = new Set(['cat-file', 'check-ignore', 'log', 'ls-files', 'ls-tree', 'rev-parse', 'show', 'symbolic-ref']);

/** What says whether files on disk have changed. */
const SHOWS_CHANGES: ReadonlySet<string> = new Set(['diff', 'status']);

/** What a command is given beside its arguments. */
export interface GitInput {
  /** What it reads. */
  readonly input?: Buffer;
  /** Absolute path of the index that it reads and writes in place of the repository's. */
  readonly index?: string;
  /** Absolute path of the folder with objects that it reads in place of the repository's. */
  readonly objects?: string;
  /** Settings over those that every command has. */
  readonly settings?: readonly GitSetting[];
}

/** How git failed: there is none, or no such folder; it ended with a code of its own; or it did not start, was stopped, or said too much. */
export type GitProblem = { readonly kind: 'missing' } | { readonly kind: 'refused'; readonly code: number } | { readonly kind: 'broken' };

/** Git gave no answer. */
export class GitError extends Error {
  override readonly name = 'GitError';

  constructor(
    message: string,
    readonly problem: GitProblem,
  ) {
    super(message);
  }
}

/**
 * Runs a reading command of git in a folder.
 * @param timeoutMs milliseconds that git may take
 * @returns what it wrote.
 * @throws GitError when git is missing, fails or takes too long.
 */
export async function git(
  folder: string,
  args: readonly string[],
  timeoutMs = TIMEOUT_MS,
  { input, index, objects, settings: more = [] }: GitInput = {},
): Promise<Buffer> {
  const program = await findProgram('git');
  if (program === undefined) throw new GitError('git is not installed, or not in the PATH.', { kind: 'missing' });
  const [command = '', ...rest] = args;
  const env = { ...plainEnvironment(), ...present({ GIT_INDEX_FILE: index, GIT_OBJECT_DIRECTORY: objects }) };
  const settings = [...SAFE_SETTINGS, ...more, ...(READS_NO_FILES.has(command) ? [] : await driverSettings(folder, env))].flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const plain = [
    ...(SHOWS_DIFFERENCES.has(command) ? ['--no-ext-diff', '--no-textconv'] : []),
    // Git would start another one in a submodule, with the filters of the settings there.
    ...(SHOWS_CHANGES.has(command) ? ['--ignore-submodules=dirty'] : []),
  ];
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env, encoding: 'buffer' as const, timeout: timeoutMs, maxBuffer: MAX_OUTPUT, windowsHide: true };
    const child = execFile(program, ['--no-optional-locks', ...settings, command, ...plain, ...rest], options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(new GitError(`git ${command} failed: ${error.message.slice(0, 500)}`, problemOf(error)));
    });
    // It may end without having read all.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** What an error of `execFile` says. The program is there, so it is the folder that is not. */
function problemOf({ code, killed }: ExecFileException): GitProblem {
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
  return typeof code === 'number' && killed !== true ? { kind: 'refused', code } : { kind: 'broken' };
}

/** The parts of an answer that ends each with a NUL. */
export function partsOf(output: Buffer): readonly string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((part) => part !== '');
}

/** Without the variables of git, which could lead it to another repository. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const rest = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  return { ...Object.fromEntries(rest), ...OFFLINE, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}
