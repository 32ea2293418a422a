import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { SandboxState } from '../../domain/workspace/sandbox.js';
import { defaultShell } from '../process/shell.js';
import type { BubblewrapPlaces } from './bubblewrap.js';
import { bubblewrapArguments, COVER } from './bubblewrap.js';
import type { SandboxView } from './sandbox-view.js';
import { seatbeltProfile } from './seatbelt.js';
import { systemPlaces } from './system-places.js';

/** Where bubblewrap is. Not looked up in PATH, which may name world-writable folders. */
const BUBBLEWRAP = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap', '/home/linuxbrew/.linuxbrew/bin/bwrap'];
const SEATBELT = '/usr/bin/sandbox-exec';
/** How long trying the sandbox may take. */
const TRIAL_MS = 10_000;
/** What a trial ends with when the sandbox held. */
const HELD = 42;

const run = promisify(execFile);

/** What a sandbox of this machine is looked for with. */
export interface HolderOptions {
  /** Absolute path of a folder for what covers hidden files. */
  readonly storage: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  /** Paths where bubblewrap may be; the usual ones unless given. */
  readonly bubblewrap?: readonly string[];
}

/** Why there is no sandbox. */
export type Missing = Extract<SandboxState, { available: false }>;

/** A program that makes sandboxes, as found on this machine. */
export interface Holder {
  readonly by: string;
  readonly program: string;
  argumentsFor(view: SandboxView): readonly string[];
}

/** Which of the systems with sandboxes this is. */
export function platformOf({ platform = process.platform }: Pick<HolderOptions, 'platform'>): 'linux' | 'darwin' {
  return platform === 'darwin' ? 'darwin' : 'linux';
}

/** Finds what makes sandboxes on this machine, and tries it out. */
export async function findHolder(options: HolderOptions): Promise<Holder | Missing> {
  const { platform = process.platform } = options;
  if (platform === 'win32') return { available: false, reason: t('The command sandbox is not available on Windows.'), advice: t('Open the folder in WSL to use a sandbox.') };
  if (platform !== 'linux' && platform !== 'darwin') return { available: false, reason: t('The command sandbox is not available on this operating system.') };
  try {
    const holder = platform === 'darwin' ? seatbelt() : await bubblewrap(options);
    if (holder === undefined) return { available: false, reason: t('bubblewrap is not installed.'), advice: t('Install the “bubblewrap” package. On Debian and Ubuntu: sudo apt install bubblewrap') };
    await tryOut(holder, options);
    return holder;
  } catch (error) {
    return { available: false, reason: t('A sandbox cannot be created on this machine: {0}.', firstLine(errorMessage(error)).replace(/\.$/, '')), advice: t('Containers and hardened systems must allow unprivileged user namespaces.') };
  }
}

function seatbelt(): Holder {
  return { by: 'Seatbelt', program: SEATBELT, argumentsFor: (view) => ['-p', seatbeltProfile(view)] };
}

async function bubblewrap({ storage, bubblewrap: candidates = BUBBLEWRAP }: HolderOptions): Promise<Holder | undefined> {
  const programs = await Promise.all(candidates.map((path) => access(path, constants.X_OK).then(() => [path], () => [])));
  const [program] = programs.flat();
  if (program === undefined) return undefined;
  const { stdout } = await run(program, ['--help'], { timeout: TRIAL_MS });
  const covers = await makeCovers(join(storage, 'covers'));
  const places: BubblewrapPlaces = { covers, knows: { size: stdout.includes('--size '), disableUserns: stdout.includes('--disable-userns') } };
  return { by: 'bubblewrap', program, argumentsFor: (view) => bubblewrapArguments(view, places) };
}

/** Creates unreadable covers, so that a program gets an error for what they hide instead of seeing it empty. */
async function makeCovers(folder: string): Promise<string> {
  await mkdir(join(folder, COVER.folder), { recursive: true });
  await writeFile(join(folder, COVER.file), '', { flag: 'a' });
  await chmod(join(folder, COVER.folder), 0o000);
  await chmod(join(folder, COVER.file), 0o000);
  return realpath(folder);
}

/**
 * Tests a sandbox: runs a command that tries to read a file outside of all readable places and to write one.
 * @throws Error when the sandbox cannot be created or lets the command through.
 */
async function tryOut(holder: Holder, options: HolderOptions): Promise<void> {
  const canary = join(options.storage, 'canary');
  await mkdir(options.storage, { recursive: true });
  await writeFile(canary, 'readable');
  try {
    const shell = await defaultShell();
    const view: SandboxView = { cwd: '/', readable: systemPlaces(platformOf(options)), hidden: [], names: [], writable: [], fixed: [], network: { kind: 'none' } };
    const script = 'if read -r _ < "$0" || : > "$0" || : > /usr/gnomon-canary; then exit 1; fi 2>/dev/null; exit 42';
    const args = [...holder.argumentsFor(view), shell.program, ...shell.argumentsFor(script), canary];
    await run(holder.program, args, { timeout: TRIAL_MS, env: { PATH: options.env['PATH'] ?? '' } }).then(
      () => Promise.reject(new Error('It holds nothing.')),
      (error: unknown) => {
        if (exitCode(error) !== HELD) throw new Error(problemOf(error));
      },
    );
  } finally {
    await rm(canary, { force: true });
  }
}

function exitCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function problemOf(error: unknown): string {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return stderr === '' ? errorMessage(error) : stderr;
}

function firstLine(text: string): string {
  return text.split('\n', 1).join('');
}
