import { type ChildProcess, type SpawnOptions, spawn, execFile } from 'node:child_process';
import { stat, mkdtemp, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ToolInputError } from '../../domain/errors.js';
import type { Shell } from './shell.js';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A command that was started. */
export interface StartedCommand {
  readonly pid: number;
  /** What it writes: one stream, or standard output and error apart where they cannot share one. */
  readonly outputs: readonly Readable[];
  /** How the shell itself ended; others may still be running. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** What to start, and where. */
export interface CommandStart {
  readonly shell: Shell;
  readonly command: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/**
 * Starts a command as the leader of a process group of its own, without terminal and with nothing to read.
 * @throws ToolInputError when the folder does not exist or is not one, Error when the shell cannot be started.
 */
export async function startCommand(start: CommandStart): Promise<StartedCommand> {
  await checkFolder(start.cwd);
  const pipe = await openOutputPipe();
  try {
    const sink = pipe?.writer ?? 'pipe';
    const child = spawnShell(start, { stdio: ['ignore', sink, sink] });
    const exited = exitOf(child);
    const pid = await started(child);
    return { pid, outputs: pipe === undefined ? pipesOf(child) : [pipe.reader], exited };
  } catch (error) {
    pipe?.reader.destroy();
    throw error;
  } finally {
    pipe?.closeWriter();
  }
}

function spawnShell({ shell, command, cwd, env }: CommandStart, options: SpawnOptions): ChildProcess {
  const windows = process.platform === 'win32';
  return spawn(shell.program, [...shell.argumentsFor(command)], { ...options, cwd, env, detached: !windows, windowsHide: true });
}

/** Waits until a process has been started. @throws Error when it cannot be */
export async function started(child: ChildProcess): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  if (child.pid === undefined) throw new Error('The program was started without a process id.');
  return child.pid;
}

function exitOf(child: ChildProcess): StartedCommand['exited'] {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function pipesOf(child: ChildProcess): readonly Readable[] {
  return [child.stdout, child.stderr].filter((stream) => stream !== null);
}

async function checkFolder(path: string): Promise<void> {
  const folder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!folder) throw new ToolInputError(`${path} is not a folder in which a command could run.`);
}

/** A pipe whose writing end goes to a child. */
interface OutputPipe {
  readonly reader: Socket;
  /** File descriptor of the writing end. */
  readonly writer: number;
  /** Closes the writing end in this process, once the child has its own. */
  closeWriter(): void;
}

/**
 * One pipe for both outputs of a command, so that their order is kept. Node itself can only make one for each, and
 * makes sockets, which a command cannot open again as `/dev/stderr`.
 * @returns `undefined` where no named pipe can be made: not known to the system, no such program, no space left.
 */
async function openOutputPipe(): Promise<OutputPipe | undefined> {
  if (process.platform === 'win32') return undefined;
  const folder = await temporaryFolder();
  if (folder === undefined) return undefined;
  try {
    const path = join(folder, 'output');
    if (!(await makePipe(path))) return undefined;
    // The reading end first and without waiting: then the writing end need not wait for it.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, constants.O_WRONLY);
    return { reader: new Socket({ fd, readable: true, writable: false }), writer, closeWriter: () => closeSync(writer) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function temporaryFolder(): Promise<string | undefined> {
  try {
    return await mkdtemp(join(tmpdir(), 'gnomon-'));
  } catch {
    // A full or read-only disk: the command does with two pipes.
    return undefined;
  }
}

async function makePipe(path: string): Promise<boolean> {
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', path]);
    return true;
  } catch {
    // No such program, or a disk that is full or knows no pipes: the command does with two.
    return false;
  }
}
