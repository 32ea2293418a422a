import type { Timestamp } from '../model/message.js';
import type { CommandRequest, TakenAway } from './processes.js';

/** A command that runs in the background. */
export interface Job {
  /** Short and readable, unique in its session, such as `job-1`. */
  readonly id: string;
  readonly command: string;
  /** Absolute path. */
  readonly cwd: string;
  readonly startedAt: Timestamp;
  /** Its end; absent while it runs. */
  readonly ended?: {
    /** `undefined` when a signal ended it. */
    readonly exitCode: number | undefined;
    readonly signal: string | undefined;
    readonly reason: 'exited' | 'killed' | 'time_limit';
    /** Files that it created in the sandbox and that were moved away, because programs outside would follow them. */
    readonly takenAway?: readonly TakenAway[];
  };
}

/** Output of a job since the last read. */
export interface JobOutput {
  readonly job: Job;
  /** Valid text without escape codes; when it is long, its end. */
  readonly text: string;
  /** Bytes that `text` leaves out. */
  readonly omittedBytes: number;
  /** Absolute path of the file with everything; `undefined` when none could be created. */
  readonly logFile: string | undefined;
  /** Why that file is incomplete, as text; absent when it is complete. */
  readonly logProblem?: string;
}

/** The background commands of one session. All are ended with the session and with the extension host. */
export interface Jobs {
  /**
   * Starts a command. `timeoutMs` of the request bounds its life.
   * @throws ToolInputError when too many are running, Error when the shell cannot be started or after {@link close}.
   */
  start(request: CommandRequest): Promise<Job>;
  /** Running and ended ones, oldest first. */
  list(): readonly Job[];
  /** @throws ToolInputError for an unknown id, naming those that exist. */
  output(id: string): Promise<JobOutput>;
  /**
   * Resolves when a job has ended, after `milliseconds`, or when the signal aborts.
   * @throws ToolInputError for an unknown id.
   */
  settled(id: string, milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Jobs that have ended since the last call: each is reported once. */
  news(): readonly Job[];
  /** Ends a job with all it started; resolves when it is gone. @throws ToolInputError for an unknown id. */
  kill(id: string): Promise<Job>;
  /** Ends all; no more can be started. */
  close(): Promise<void>;
}
