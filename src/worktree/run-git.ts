import { spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { present } from '../domain/present.js';
import { plainEnvironment, SAFE_SETTINGS } from '../node/process/git-command.js';
import { findProgram } from '../node/process/find-program.js';
import type { GitSetting } from '../node/process/git-settings.js';

/** Milliseconds that a command may take: a checkout of a large repository on a slow disk. */
const TIMEOUT_MS = 600_000;
/** The most that a command may answer, in bytes, unless it is given more. */
const MAX_OUTPUT = 64 * 1024 * 1024;
/** How much of what Git says of an error is kept, in characters. */
const MAX_ERROR = 2_000;
/** No command here cleans up behind itself, signs, or goes into submodules, whatever the user’s own settings say. */
const SETTINGS: readonly GitSetting[] = [
  ...SAFE_SETTINGS,
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['commit.gpgSign', 'false'],
  ['submodule.recurse', 'false'],
  // A warning about line endings must not become an error, as it can in the user’s own settings.
  ['core.safecrlf', 'false'],
];

/** Where a command works. Git does not search for a repository, so that no folder that a repository or an agent has put somewhere becomes one. */
export interface GitPlace {
  /** Absolute path of the folder of the repository: what is usually named `.git`. */
  readonly gitFolder: string;
  /** Absolute path of the working tree, for commands that read or write files. */
  readonly workTree?: string;
  /** Absolute path of the index in place of the repository’s. */
  readonly index?: string;
  /** Absolute paths of folders with objects that it can read beside its own. */
  readonly objects?: readonly string[];
}

/** What a command is given beside its arguments. */
export interface GitInput {
  readonly input?: string | Uint8Array;
  /** Variables, such as the identity of an author. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Exit codes that are answers and no failures; 0 is always one. */
  readonly answers?: readonly number[];
  readonly signal: AbortSignal;
}

/** What a command answered. */
export interface GitAnswer {
  readonly code: number;
  readonly output: Buffer;
  /** What it said beside that, cut. */
  readonly said: string;
}

/** A command of Git that failed. */
export class GitFailure extends Error {
  /** @param said what Git said, cut */
  constructor(
    readonly command: string,
    readonly said: string,
  ) {
    super(`git ${command} failed: ${said}`);
  }
}

/**
 * Runs a command of Git for a repository by its place.
 *
 * No hook, monitor, or program that settings on the command line can switch off is run, and nothing is fetched. Files are read and written only by commands
 * whose repository is one of {@link layOutRepository}, which knows no filter of the repository or of an agent: that is the second wall.
 * @throws GitFailure when it fails, Error when Git is not installed
 */
export async function runGit(place: GitPlace, args: readonly string[], given: GitInput): Promise<GitAnswer> {
  const program = await findProgram('git');
  if (program === undefined) throw new Error('git is not installed, or not in the PATH.');
  const { signal, input, answers = [] } = given;
  signal.throwIfAborted();
  const settings = SETTINGS.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const ended = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const child = spawn(program, ['--no-optional-locks', '--no-pager', ...settings, ...args], {
    cwd: place.workTree ?? place.gitFolder,
    env: { ...plainEnvironment(), ...variablesOf(place), ...given.variables },
    stdio: 'pipe',
    windowsHide: true,
    signal: ended,
    killSignal: 'SIGKILL',
  });
  const [command = ''] = args;
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    let size = 0;
    let said = '';
    child.stdout.on('data', (bytes: Buffer) => {
      size += bytes.length;
      if (size <= MAX_OUTPUT) output.push(bytes);
      else child.kill('SIGKILL');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, MAX_ERROR);
    });
    child.once('error', (error) => reject(signal.aborted ? abortReason(signal) : error));
    child.once('close', (code, killed) => {
      if (signal.aborted) return reject(abortReason(signal));
      if (size > MAX_OUTPUT) return reject(new GitFailure(command, `it answered more than ${MAX_OUTPUT} bytes.`));
      if (code !== 0 && !(code !== null && answers.includes(code))) return reject(new GitFailure(command, said.trim() || `it ended with ${code ?? killed}.`));
      resolve({ code, output: Buffer.concat(output), said });
    });
    // It may end without having read all.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** The only line of an answer. */
export function lineOf({ output }: GitAnswer): string {
  return output.toString('utf8').trimEnd();
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('Stopped.');
}

function variablesOf({ gitFolder, workTree, index, objects }: GitPlace): Readonly<Record<string, string>> {
  return present({
    GIT_DIR: gitFolder,
    // Another history than the one of the commits, which a file in the folder of a repository could make up.
    GIT_GRAFT_FILE: devNull,
    GIT_WORK_TREE: workTree,
    GIT_INDEX_FILE: index,
    // Quoted as in C, because a path may have the character that separates them.
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects?.map((path) => `"${path.replace(/["\\]/g, String.raw`\$&`)}"`).join(process.platform === 'win32' ? ';' : ':'),
  });
}
