import { errorMessage } from '../../domain/errors.js';
import type { JobOutput } from '../../domain/workspace/jobs.js';
import type { CommandLog } from './output/command-log.js';
import { createCommandLog, MAX_LOG_BYTES } from './output/command-log.js';
import type { CommandSink } from './command-run.js';
import { lastCharacters } from './output/head-tail.js';

/** Characters of unread output that are kept. */
const KEPT_CHARACTERS = 16 * 1024;

/** Output of a job since it was last asked for, in bounded memory, and all of it in a log file. */
export class JobSink implements CommandSink {
  private unread = '';
  private unreadBytes = 0;
  private total = 0;
  private queue: Promise<void> = Promise.resolve();

  private constructor(
    private readonly log: CommandLog | undefined,
    private readonly failure: string | undefined,
  ) {}

  /** Creates the log. Without one, as on a full disk, the job runs all the same. */
  static async create(logFolder: string, session?: string): Promise<JobSink> {
    try {
      return new JobSink(await createCommandLog(logFolder, MAX_LOG_BYTES, session), undefined);
    } catch (error) {
      return new JobSink(undefined, `the log could not be written: ${errorMessage(error)}`);
    }
  }

  get totalBytes(): number {
    return this.total;
  }

  add(text: string): Promise<void> {
    if (text === '') return this.queue;
    const bytes = Buffer.byteLength(text);
    this.total += bytes;
    this.unreadBytes += bytes;
    this.unread = lastCharacters(this.unread + text, KEPT_CHARACTERS);
    this.queue = this.queue.then(() => this.log?.append(text));
    return this.queue;
  }

  /** What is new since the last call; the log holds it by then. */
  async take(): Promise<Omit<JobOutput, 'job'>> {
    await this.queue;
    const { unread, unreadBytes } = this;
    this.unread = '';
    this.unreadBytes = 0;
    const problem = this.failure ?? this.log?.problem;
    return {
      text: unread,
      omittedBytes: unreadBytes - Buffer.byteLength(unread),
      logFile: this.log?.path,
      ...(problem === undefined ? {} : { logProblem: problem }),
    };
  }

  /** Waits for everything to be written and closes the log. */
  async close(): Promise<void> {
    await this.queue;
    await this.log?.close();
  }
}
