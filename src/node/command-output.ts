import { errorMessage } from '../domain/errors.js';
import type { CommandLog } from './command-log.js';
import { createCommandLog, MAX_LOG_BYTES } from './command-log.js';
import { HeadTail } from './head-tail.js';

/** Characters of the output that are kept at its beginning and at its end, each. */
const KEPT_CHARACTERS = 16 * 1024;

/** What is kept of a command's output. */
export interface KeptOutput {
  readonly output: string;
  readonly omittedBytes: number;
  readonly logFile: string | undefined;
}

/**
 * Collects the output of one command in bounded memory: beginning and end here, everything in a log file as soon as
 * they do not hold it all (tool-01). A log that cannot be written is said in the output and stops nothing.
 */
export class CommandOutput {
  private readonly kept = new HeadTail(KEPT_CHARACTERS);
  private log: CommandLog | undefined;
  private logProblem: string | undefined;
  private queue: Promise<void> = Promise.resolve();

  /** @param logFolder absolute path of the folder for logs. */
  constructor(
    private readonly logFolder: string,
    private readonly logLimit: number = MAX_LOG_BYTES,
  ) {}

  /** Bytes taken so far. */
  get totalBytes(): number {
    return this.kept.totalBytes;
  }

  /** Takes text in the order of calls; wait for it before handing over much more. */
  add(text: string): Promise<void> {
    this.queue = this.queue.then(() => this.store(text));
    return this.queue;
  }

  /** Waits for everything to be written and closes the log. */
  async finish(): Promise<KeptOutput> {
    await this.queue;
    await this.log?.close();
    const { omittedBytes } = this.kept;
    const output = this.kept.shortened((omitted) => `[… ${omitted} bytes left out${this.logNotice()} …]`);
    return { output, omittedBytes, logFile: omittedBytes > 0 ? this.log?.path : undefined };
  }

  private async store(text: string): Promise<void> {
    if (text === '') return;
    const before = this.kept.text;
    this.kept.add(text);
    if (this.logProblem !== undefined) return;
    try {
      if (this.log !== undefined) await this.log.append(text);
      else if (this.kept.omittedBytes > 0) {
        this.log = await createCommandLog(this.logFolder, this.logLimit);
        await this.log.append(before + text);
      }
    } catch (error) {
      this.logProblem = errorMessage(error);
    }
  }

  private logNotice(): string {
    if (this.logProblem !== undefined) return `; the log could not be written: ${this.logProblem}`;
    return this.log?.full === true ? `; the log holds the first ${this.logLimit} bytes` : '';
  }
}
