import { Queue } from '../../../concurrency/queue.js';
import { errorMessage } from '../../../domain/errors.js';
import type { CommandLog } from './command-log.js';
import { HeadTail } from './head-tail.js';

/** Characters of the output that are kept at its beginning and at its end, each. */
const KEPT_CHARACTERS = 16 * 1024;

/** What is kept of a command's output. */
export interface KeptOutput {
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
    return { output, omittedBytes, logFile: omittedBytes > 0 ? this.log?.path : undefined, ...(problem === undefined ? {} : { logProblem: problem }) };
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
