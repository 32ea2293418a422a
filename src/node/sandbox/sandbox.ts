import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { t } from '../../domain/l10n.js';
import type { CommandRequest } from '../../domain/processes.js';
import type { SandboxPort, SandboxState } from '../../domain/sandbox.js';
import { errorMessage } from '../../domain/errors.js';
import type { Shell } from '../shell.js';
import { defaultShell } from '../shell.js';
import type { BubblewrapPlaces } from './bubblewrap.js';
import { bubblewrapArguments, COVER } from './bubblewrap.js';
import type { MayRead } from './hidden-places.js';
import { HiddenPlaces } from './hidden-places.js';
import { repositoryPlaces } from './repository-places.js';
import { seatbeltProfile } from './seatbelt.js';
import type { HiddenPlace, SandboxView } from './sandbox-view.js';
import { isWithin } from '../within.js';
import { programPlaces, systemPlaces } from './system-places.js';

/** Where bubblewrap is. Not looked up in PATH, which may name folders that anybody can write to. */
const BUBBLEWRAP = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap', '/home/linuxbrew/.linuxbrew/bin/bwrap'];
const SEATBELT = '/usr/bin/sandbox-exec';
/** A machine without a sandbox is looked at again after so many milliseconds: one may have been installed. */
const LOOK_AGAIN_MS = 15_000;
/** How long trying the sandbox may take. */
const TRIAL_MS = 10_000;
/** What a trial ends with when the sandbox held. */
const HELD = 42;

const run = promisify(execFile);

/** What files may be read, by the rules that hold now. */
export interface ReadRules {
  /** Changes when the rules do. */
  readonly key: string;
  readonly mayRead: MayRead;
}

/** What a sandbox is made of. */
export interface SandboxOptions {
  /** The workspace folders, as they are named. */
  readonly folders: () => readonly string[];
  /** Other folders that commands may read. */
  readonly readable: readonly string[];
  readonly rules: () => Promise<ReadRules>;
  /** Absolute path of a folder for what covers hidden files. */
  readonly storage: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  /** Paths where bubblewrap may be; the usual ones unless given. */
  readonly bubblewrap?: readonly string[];
}

/** What a sandbox has to know of a command. Its text tells whether the repository around the workspace is needed. */
export type ConfinedRequest = Pick<CommandRequest, 'command' | 'cwd' | 'confined'>;

/** Holds commands that run without a question: they read the workspace and the system, and that is all. */
export interface Sandbox extends SandboxPort {
  /**
   * A shell that runs a command in the sandbox.
   * @throws Error when there is no sandbox, or when it cannot be told what is to be hidden.
   */
  around(shell: Shell, request: ConfinedRequest): Promise<Shell>;
  /** Something is new at a path, or was renamed to it. */
  noteChange(path: string): void;
}

/** Why there is no sandbox. */
type Missing = Extract<SandboxState, { available: false }>;

/** A program that makes sandboxes, as found on this machine. */
interface Holder {
  readonly by: string;
  readonly program: string;
  argumentsFor(view: SandboxView): readonly string[];
}

/** Makes the sandbox of this machine. Nothing is looked at before it is asked for. */
export function createSandbox(options: SandboxOptions): Sandbox {
  return new LocalSandbox(options);
}

class LocalSandbox implements Sandbox {
  private looked: { readonly at: number; readonly found: Promise<Holder | Missing> } | undefined;
  private hidden: { readonly key: string; readonly places: HiddenPlaces } | undefined;

  constructor(private readonly options: SandboxOptions) {}

  async state(): Promise<SandboxState> {
    const found = await this.holder();
    return 'program' in found ? { available: true, by: found.by } : found;
  }

  noteChange(path: string): void {
    this.hidden?.places.noteChange(path);
  }

  async around(shell: Shell, request: ConfinedRequest): Promise<Shell> {
    const holder = await this.holder();
    if (!('program' in holder)) throw new Error(holder.reason);
    const view = await this.view(request);
    return { kind: shell.kind, program: holder.program, argumentsFor: (text) => [...holder.argumentsFor(view), shell.program, ...shell.argumentsFor(text)] };
  }

  private async view({ command, cwd, confined }: ConfinedRequest): Promise<SandboxView> {
    const { options } = this;
    const named = options.folders();
    const allowed = confined?.readable ?? [];
    const folders = await Promise.all(named.map((folder) => realpath(folder)));
    const outside = allowed.filter((path) => !folders.some((folder) => isWithin(folder, path)));
    const [hidden, repositories, programs] = await Promise.all([
      this.hiddenIn(folders, outside),
      // Only for git: what else lies around the workspace is not the workspace.
      /\bgit\b/.test(command) ? Promise.all(folders.map(repositoryPlaces)) : [],
      programPlaces(options.env['PATH'], systemPlaces(platformOf(options)), options.home),
    ]);
    return {
      cwd,
      readable: [...systemPlaces(platformOf(options)), ...programs, ...options.readable, ...repositories.flat(), ...folders, ...outside],
      hidden: hidden.filter(({ path }) => !allowed.includes(path)),
      names: named.flatMap((path, index) => (folders[index] === undefined || folders[index] === path ? [] : [{ path, real: folders[index] }])),
    };
  }

  private async hiddenIn(folders: readonly string[], outside: readonly string[]): Promise<readonly HiddenPlace[]> {
    const { key: rules, mayRead } = await this.options.rules();
    const key = JSON.stringify([rules, folders]);
    if (this.hidden?.key !== key) this.hidden = { key, places: new HiddenPlaces(folders, mayRead) };
    // What is new outside of the workspace is not told, so it is searched each time.
    const found = await Promise.all([this.hidden.places.list(), new HiddenPlaces(outside, mayRead).list()]);
    return found.flat();
  }

  private async holder(): Promise<Holder | Missing> {
    this.looked ??= { at: performance.now(), found: findHolder(this.options) };
    const { at, found } = this.looked;
    if ('program' in (await found) || performance.now() - at < LOOK_AGAIN_MS) return found;
    this.looked = undefined;
    return this.holder();
  }
}

function platformOf({ platform = process.platform }: SandboxOptions): 'linux' | 'darwin' {
  return platform === 'darwin' ? 'darwin' : 'linux';
}

async function findHolder(options: SandboxOptions): Promise<Holder | Missing> {
  const { platform = process.platform } = options;
  if (platform === 'win32') return { available: false, reason: t('There is no sandbox for commands on Windows.'), advice: t('Open the folder in WSL to have one.') };
  if (platform !== 'linux' && platform !== 'darwin') return { available: false, reason: t('There is no sandbox for commands on this system.') };
  try {
    const holder = platform === 'darwin' ? seatbelt() : await bubblewrap(options);
    if (holder === undefined) return { available: false, reason: t('bubblewrap is not installed.'), advice: t('Install the package “bubblewrap”, on Debian and Ubuntu with: sudo apt install bubblewrap') };
    await tryOut(holder, options);
    return holder;
  } catch (error) {
    return { available: false, reason: t('No sandbox can be made on this machine: {0}', firstLine(errorMessage(error))), advice: t('In a container or on a hardened system, unprivileged user namespaces have to be allowed.') };
  }
}

function seatbelt(): Holder {
  return { by: 'Seatbelt', program: SEATBELT, argumentsFor: (view) => ['-p', seatbeltProfile(view)] };
}

async function bubblewrap({ storage, bubblewrap: candidates = BUBBLEWRAP }: SandboxOptions): Promise<Holder | undefined> {
  const programs = await Promise.all(candidates.map((path) => access(path, constants.X_OK).then(() => [path], () => [])));
  const [program] = programs.flat();
  if (program === undefined) return undefined;
  const { stdout } = await run(program, ['--help'], { timeout: TRIAL_MS });
  const covers = await makeCovers(join(storage, 'covers'));
  const places: BubblewrapPlaces = { covers, knows: { size: stdout.includes('--size '), disableUserns: stdout.includes('--disable-userns') } };
  return { by: 'bubblewrap', program, argumentsFor: (view) => bubblewrapArguments(view, places) };
}

/** Nobody may read these, so that what they cover says so to a program instead of looking empty. */
async function makeCovers(folder: string): Promise<string> {
  await mkdir(join(folder, COVER.folder), { recursive: true });
  await writeFile(join(folder, COVER.file), '', { flag: 'a' });
  await chmod(join(folder, COVER.folder), 0o000);
  await chmod(join(folder, COVER.file), 0o000);
  return realpath(folder);
}

/**
 * Runs a command that tries to read a file outside of all readable places and to write one. A sandbox that lets it is none.
 * @throws Error when the sandbox cannot be made or does not hold.
 */
async function tryOut(holder: Holder, options: SandboxOptions): Promise<void> {
  const canary = join(options.storage, 'canary');
  await mkdir(options.storage, { recursive: true });
  await writeFile(canary, 'readable');
  try {
    const shell = await defaultShell();
    const view = { cwd: '/', readable: systemPlaces(platformOf(options)), hidden: [], names: [] };
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
