import { present } from '../../domain/present.js';
import { setTimeout as delay } from 'node:timers/promises';
import { Queue } from '../../concurrency/queue.js';
import { ToolInputError, errorMessage } from '../../domain/errors.js';
import type { Job, JobOutput, Jobs } from '../../domain/workspace/jobs.js';
import type { CommandRequest } from '../../domain/workspace/processes.js';
import { type CommandEnd, type CommandSettings, type StopCause, type CommandSink, CommandRun } from './command-run.js';
import { type CommandLog, createCommandLog, MAX_LOG_BYTES } from './output/command-log.js';
import { lastCharacters } from './output/head-tail.js';

/** Jobs of one session that may run at the same time. */
const MAX_RUNNING = 16;
/** Jobs that are remembered; of more, the oldest that have ended are forgotten. */
const MAX_REMEMBERED = 64;

/** The background commands of one session, run as all commands are: in groups that end with this process. */
export function createJobs(settings: CommandSettings): Jobs {
  return new LocalJobs(settings);
}

/** A job with what runs it. */
interface Entry {
  job: Job;
  readonly sink: JobSink;
  readonly run: CommandRun;
  /** Resolves when `job` says how it ended. */
  readonly over: Promise<void>;
}

class LocalJobs implements Jobs {
  private readonly entries = new Map<string, Entry>();
  /** Ids of jobs that have ended and were not reported yet. */
  private readonly untold = new Set<string>();
  private count = 0;
  private active = 0;
  private closed = false;

  constructor(private readonly settings: CommandSettings) {}

  async start(request: CommandRequest): Promise<Job> {
    this.checkRoom();
    this.active += 1;
    try {
      return await this.startOne(request);
    } catch (error) {
      this.active -= 1;
      throw error;
    }
  }

  list(): readonly Job[] {
    return [...this.entries.values()].map((entry) => entry.job);
  }

  async output(id: string): Promise<JobOutput> {
    const entry = this.find(id);
    const output = await entry.sink.take();
    return { job: entry.job, ...output };
  }

  async settled(id: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    const { over } = this.find(id);
    const done = new AbortController();
    // The wait itself ends in an AbortError when it is not needed any more.
    const wait = delay(milliseconds, undefined, { signal: AbortSignal.any([signal, done.signal]) }).catch(() => undefined);
    await Promise.race([over, wait]);
    done.abort();
  }

  news(): readonly Job[] {
    const told = this.list().filter(({ id }) => this.untold.has(id));
    this.untold.clear();
    return told;
  }

  async kill(id: string): Promise<Job> {
    const entry = this.find(id);
    entry.run.stop('cancel');
    await entry.over;
    return entry.job;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.entries.keys()].map((id) => this.kill(id)));
  }

  private checkRoom(): void {
    if (this.closed) throw new Error('The session has ended; nothing can be started in it.');
    if (this.active >= MAX_RUNNING) {
      throw new ToolInputError(`${MAX_RUNNING} jobs are running, and no more can. End one with the tool jobs first.`);
    }
  }

  private async startOne(request: CommandRequest): Promise<Job> {
    const sink = await JobSink.create(this.settings.logFolder, this.settings.session);
    const run = await startedWith(sink, CommandRun.start(this.settings, request, sink));
    const id = `job-${(this.count += 1)}`;
    const job = { id, command: request.command, cwd: request.cwd, startedAt: new Date().toISOString() };
    this.entries.set(id, { job, sink, run, over: this.endOf(id, run, sink) });
    this.forgetOldest();
    // The session may have ended while the shell was being started.
    if (this.closed) await this.kill(id);
    return job;
  }

  /** Notes how a job ended. */
  private async endOf(id: string, run: CommandRun, sink: JobSink): Promise<void> {
    const ended = await run.ended.then(endOfJob, unknownEnd);
    await sink.close();
    this.active -= 1;
    const entry = this.entries.get(id);
    if (entry !== undefined) entry.job = { ...entry.job, ended };
    this.untold.add(id);
  }

  private forgetOldest(): void {
    const old = this.list().filter((job) => job.ended !== undefined);
    for (const { id } of old.slice(0, Math.max(this.entries.size - MAX_REMEMBERED, 0))) this.entries.delete(id);
  }

  private find(id: string): Entry {
    const entry = this.entries.get(id);
    if (entry !== undefined) return entry;
    const ids = [...this.entries.keys()];
    const known = ids.length === 0 ? 'No job was started in this session.' : `The jobs are: ${ids.join(', ')}.`;
    throw new ToolInputError(`There is no job ${JSON.stringify(id)}. ${known}`);
  }
}

/** A log without a command is closed again. */
async function startedWith(sink: JobSink, run: Promise<CommandRun>): Promise<CommandRun> {
  try {
    return await run;
  } catch (error) {
    await sink.close();
    throw error;
  }
}

const REASONS: Readonly<Record<StopCause, 'killed' | 'time_limit'>> = { cancel: 'killed', timeout: 'time_limit' };

function endOfJob({ exitCode, signal, cause, takenAway }: CommandEnd): NonNullable<Job['ended']> {
  const ended = { exitCode, signal, reason: cause === undefined ? ('exited' as const) : REASONS[cause] };
  return takenAway.length === 0 ? ended : { ...ended, takenAway };
}

/** What it wrote could not be read to the end, so that not even its exit code is certain. */
function unknownEnd(): NonNullable<Job['ended']> {
  return { exitCode: undefined, signal: undefined, reason: 'exited' };
}

/** Characters of unread output that are kept. */
const KEPT_CHARACTERS = 16 * 1024;

/** Output of a job since it was last asked for, in bounded memory, and all of it in a log file. */
class JobSink implements CommandSink {
  private unread = '';
  private unreadBytes = 0;
  private total = 0;
  private readonly queue = new Queue();

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
    if (text === '') return this.queue.idle();
    const bytes = Buffer.byteLength(text);
    this.total += bytes;
    this.unreadBytes += bytes;
    this.unread = lastCharacters(this.unread + text, KEPT_CHARACTERS);
    return this.queue.run(() => this.log?.append(text));
  }

  /** Output since the last call; the log contains it by then. */
  async take(): Promise<Omit<JobOutput, 'job'>> {
    await this.queue.idle();
    const { unread, unreadBytes } = this;
    this.unread = '';
    this.unreadBytes = 0;
    const problem = this.failure ?? this.log?.problem;
    return { text: unread, omittedBytes: unreadBytes - Buffer.byteLength(unread), logFile: this.log?.path, ...present({ logProblem: problem }) };
  }

  /** Waits for everything to be written and closes the log. */
  async close(): Promise<void> {
    await this.queue.idle();
    await this.log?.close();
  }
}
