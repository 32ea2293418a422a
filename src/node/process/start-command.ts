import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ToolInputError } from '../../domain/errors.js';
import { openOutputPipe } from './output-pipe.js';
import type { Shell } from './shell.js';

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
 * @throws ToolInputError when the folder is none, Error when the shell cannot be started.
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

async function started(child: ChildProcess): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  if (child.pid === undefined) throw new Error('The shell was started without a process id.');
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
