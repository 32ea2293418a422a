import { setTimeout as delay } from 'node:timers/promises';
import type { CommandOutcome, CommandRequest, Processes } from '../domain/processes.js';
import { commandEnvironment } from './command-environment.js';
import type { KeptOutput } from './command-output.js';
import { CommandOutput } from './command-output.js';
import { drain } from './drain.js';
import { LiveOutput } from './live-output.js';
import { killRunning, ProcessGroup } from './process-group.js';
import type { Shell } from './shell.js';
import { defaultShell } from './shell.js';
import type { StartedCommand } from './start-command.js';
import { startCommand } from './start-command.js';
import { watchHost } from './watchdog.js';

/** Once the group is gone, output is waited for until none came for so many milliseconds. */
const LATE_OUTPUT_MS = 250;
/** A killed shell is waited for so long; in a call to a dead network drive, for instance, a process cannot be killed. */
const UNKILLABLE_MS = 2_000;
const UNKILLABLE = { code: null, signal: 'SIGKILL' } as const;

/** What commands are run with. */
export interface ProcessesOptions {
  /** The shell; the machine's own unless given. */
  readonly shell?: Shell;
  /** Absolute path of the folder for logs of long outputs; created when needed. */
  readonly logFolder: string;
  /** The environment that commands inherit, before it is cleaned. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** {@link Processes} on this machine. */
export interface LocalProcesses extends Processes {
  /** Kills everything that is running; for the end of the extension. */
  dispose(): void;
}

/** Why a command was ended early. */
type Cause = 'timeout' | 'cancel';

/**
 * Runs commands in child process groups. A command is over when its shell is: what it left in the background is ended
 * with it, and nothing outlives this process.
 */
export function createProcesses(options: ProcessesOptions): LocalProcesses {
  return {
    async run(request, signal, output) {
      const shell = options.shell ?? (await defaultShell());
      const env = commandEnvironment(options.env);
      const begin = performance.now();
      if (signal.aborted) return notStarted();
      const command = await startCommand({ shell, command: request.command, cwd: request.cwd, env });
      const live = new LiveOutput(output);
      const kept = new CommandOutput(options.logFolder);
      const drained = Promise.all(command.outputs.map((stream) => drain(stream, kept, live)));
      const end = await endOf(command, request, signal);
      await endOrSilence(drained, kept);
      for (const stream of command.outputs) stream.destroy();
      await drained;
      live.flush();
      return { ...end, ...(await kept.finish()), durationMs: performance.now() - begin };
    },
    dispose: killRunning,
  };
}

/** The pipe ends with its last writer; one that left the group is not waited for, unless it goes on writing. */
async function endOrSilence(drained: Promise<unknown>, kept: CommandOutput): Promise<void> {
  for (;;) {
    const before = kept.totalBytes;
    const ended = await Promise.race([drained.then(() => true), delay(LATE_OUTPUT_MS, false, { ref: false })]);
    if (ended || kept.totalBytes === before) return;
  }
}

type End = Omit<CommandOutcome, keyof KeptOutput | 'durationMs'>;

/** Waits for the shell, the time limit or the signal, then for the rest of the group to be gone. */
async function endOf(command: StartedCommand, request: CommandRequest, signal: AbortSignal): Promise<End> {
  const group = new ProcessGroup(command.pid);
  const unwatch = watchHost(command.pid);
  const stop = interruption(request.timeoutMs, signal);
  try {
    const cause = await Promise.race([stop.cause, command.exited.then(() => undefined)]);
    await group.end();
    const { code, signal: killedBy } = await Promise.race([command.exited, delay(UNKILLABLE_MS, UNKILLABLE, { ref: false })]);
    return {
      exitCode: code ?? undefined,
      signal: killedBy ?? undefined,
      timedOut: cause === 'timeout',
      cancelled: cause === 'cancel',
    };
  } finally {
    stop.dispose();
    unwatch();
    group.release();
  }
}

function interruption(timeoutMs: number, signal: AbortSignal): { cause: Promise<Cause>; dispose: () => void } {
  const { promise, resolve } = withResolvers<Cause>();
  const cancel = (): void => resolve('cancel');
  const timer = setTimeout(() => resolve('timeout'), timeoutMs);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const dispose = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  };
  return { cause: promise, dispose };
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function notStarted(): CommandOutcome {
  const nothing = { output: '', omittedBytes: 0, logFile: undefined, durationMs: 0 };
  return { exitCode: undefined, signal: undefined, timedOut: false, cancelled: true, ...nothing };
}
