import { present } from '../../domain/present.js';
import { Queue } from '../../concurrency/queue.js';
import { errorMessage } from '../../domain/errors.js';
import type { CommandOutcome, CommandRequest, Processes } from '../../domain/workspace/processes.js';
import { type CommandLog, createCommandLog, MAX_LOG_BYTES, removeOldLogs } from './output/command-log.js';
import { CommandRun, type CommandSettings, type Killable } from './command-run.js';
import { HeadTail } from './output/head-tail.js';

/** {@link Processes} on this machine. */
export interface LocalProcesses extends Processes {
  /** Kills what is running of it, and of whatever shares {@link CommandSettings.running} with it. */
  dispose(): void;
}

/**
 * Runs commands in child process groups. A command is over when its shell is: what it left in the background is ended
 * with it, and nothing outlives this process.
 */
export function createProcesses(settings: CommandSettings): LocalProcesses {
  const running = settings.running ?? new Set<Killable>();
  const own = { ...settings, running };
  let cleaning: Promise<void> | undefined;
  return {
    run(request, signal, output) {
      cleaning ??= removeOldLogs(settings.logFolder);
      return signal.aborted ? Promise.resolve(notStarted()) : run(own, request, { signal, output });
    },
    dispose() {
      for (const command of running) command.kill();
    },
  };
}

/** Who listens to a command, and who stops it. */
interface Caller {
  readonly signal: AbortSignal;
  readonly output: (chunk: string) => void;
}

/** Characters of the output that are kept at its beginning and at its end, each. */
const KEPT_CHARACTERS = 16 * 1024;

/** What is kept of a command's output. */
interface KeptOutput {
  readonly output: string;
  readonly omittedBytes: number;
  readonly logFile: string | undefined;
  readonly logProblem?: string;
}

/**
 * Collects the output of one command in bounded memory: beginning and end here, everything in a log file as soon as that is
 * not all of it. A log that cannot be written is reported in the output and stops nothing.
 */
export class CommandOutput {
  private readonly kept = new HeadTail(KEPT_CHARACTERS);
  private log: CommandLog | undefined;
  private failure: string | undefined;
  private readonly queue = new Queue();

  /** @param createLog called once, when a log is needed. */
  constructor(private readonly createLog: () => Promise<CommandLog>) {}

  /** Bytes taken so far. */
  get totalBytes(): number {
    return this.kept.totalBytes;
  }

  /** Takes text in the order of calls; wait for it before handing over much more. Never rejects. */
  add(text: string): Promise<void> {
    return this.queue.run(() => this.store(text));
  }

  /** Waits for everything to be written and closes the log. */
  async finish(): Promise<KeptOutput> {
    await this.queue.idle();
    await this.log?.close();
    const { omittedBytes } = this.kept;
    const problem = this.failure ?? this.log?.problem;
    const notice = problem === undefined ? '' : `; ${problem}`;
    const output = this.kept.shortened((omitted) => `[… ${omitted} bytes left out${notice} …]`);
    return { output, omittedBytes, logFile: omittedBytes > 0 ? this.log?.path : undefined, ...present({ logProblem: problem }) };
  }

  private async store(text: string): Promise<void> {
    if (text === '') return;
    const before = this.log === undefined ? this.kept.text : '';
    this.kept.add(text);
    if (this.log !== undefined) await this.log.append(text);
    else if (this.failure === undefined && this.kept.omittedBytes > 0) await this.begin(before + text);
  }

  private async begin(text: string): Promise<void> {
    try {
      this.log = await this.createLog();
      await this.log.append(text);
    } catch (error) {
      this.failure = `the log could not be written: ${errorMessage(error)}`;
    }
  }
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
    const { cause, takenAway, ...end } = await command.ended;
    const taken = takenAway.length === 0 ? {} : { takenAway };
    return { ...end, ...taken, timedOut: cause === 'timeout', cancelled: cause === 'cancel', ...(await kept.finish()) };
  } finally {
    signal.removeEventListener('abort', cancel);
    live.flush();
  }
}

function notStarted(): CommandOutcome {
  const nothing = { output: '', omittedBytes: 0, logFile: undefined, durationMs: 0 };
  return { exitCode: undefined, signal: undefined, timedOut: false, cancelled: true, ...nothing };
}

/** Milliseconds between two chunks for the user. */
const INTERVAL_MS = 50;
/** Characters of one chunk; of more, only the last are passed on. */
const CHUNK_CHARACTERS = 8 * 1024;
/** Characters of one command that are passed on in all. */
const TOTAL_CHARACTERS = 1024 * 1024;

/** Passes output on to a user: at once, yet in few chunks, and no more than anyone can look at. */
export class LiveOutput {
  private pending = '';
  private skipped = false;
  private total = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly output: (chunk: string) => void) {}

  add(text: string): void {
    if (text === '' || this.total > TOTAL_CHARACTERS) return;
    const all = this.pending + text;
    this.skipped ||= all.length > CHUNK_CHARACTERS;
    this.pending = all.slice(-CHUNK_CHARACTERS);
    this.timer ??= setTimeout(() => this.flush(), INTERVAL_MS);
  }

  /** Passes on what is waiting. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending === '') return;
    const chunk = this.skipped ? `\n[… not shown live …]\n${this.pending}` : this.pending;
    this.pending = '';
    this.skipped = false;
    this.total += chunk.length;
    this.output(this.total > TOTAL_CHARACTERS ? `${chunk}\n[… no more is shown live …]\n` : chunk);
  }
}
