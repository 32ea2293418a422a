import type { CommandOutcome, CommandRequest, Processes } from '../../domain/workspace/processes.js';
import { removeOldLogs } from './output/command-log-files.js';
import { createCommandLog, MAX_LOG_BYTES } from './output/command-log.js';
import { CommandOutput } from './output/command-output.js';
import type { CommandSettings } from './command-run.js';
import { CommandRun } from './command-run.js';
import { LiveOutput } from './live-output.js';
import { killRunning } from './process-group.js';

/** {@link Processes} on this machine. */
export interface LocalProcesses extends Processes {
  /** Kills everything that is running; for the end of the extension. */
  dispose(): void;
}

/**
 * Runs commands in child process groups. A command is over when its shell is: what it left in the background is ended
 * with it, and nothing outlives this process.
 */
export function createProcesses(settings: CommandSettings): LocalProcesses {
  let cleaning: Promise<void> | undefined;
  return {
    run(request, signal, output) {
      cleaning ??= removeOldLogs(settings.logFolder);
      return signal.aborted ? Promise.resolve(notStarted()) : run(settings, request, { signal, output });
    },
    dispose: killRunning,
  };
}

/** Who listens to a command, and who stops it. */
interface Caller {
  readonly signal: AbortSignal;
  readonly output: (chunk: string) => void;
}

async function run(settings: CommandSettings, request: CommandRequest, { signal, output }: Caller): Promise<CommandOutcome> {
  const kept = new CommandOutput(() => createCommandLog(settings.logFolder, MAX_LOG_BYTES, settings.session));
  const live = new LiveOutput(output);
  const command = await CommandRun.start(settings, request, {
    get totalBytes() {
      return kept.totalBytes;
    },
    add(text) {
      live.add(text);
      return kept.add(text);
    },
  });
  const cancel = (): void => command.stop('cancel');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const { cause, ...end } = await command.ended;
    return { ...end, timedOut: cause === 'timeout', cancelled: cause === 'cancel', ...(await kept.finish()) };
  } finally {
    signal.removeEventListener('abort', cancel);
    live.flush();
  }
}

function notStarted(): CommandOutcome {
  const nothing = { output: '', omittedBytes: 0, logFile: undefined, durationMs: 0 };
  return { exitCode: undefined, signal: undefined, timedOut: false, cancelled: true, ...nothing };
}
