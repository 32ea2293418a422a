import type { Confinement } from './sandbox.js';

/** A command for the shell. */
export interface CommandRequest {
  readonly command: string;
  /** Absolute path of the folder to run in. */
  readonly cwd: string;
  /** After this many milliseconds the whole process group is killed. */
  readonly timeoutMs: number;
  /** Present when it has to run in the sandbox, where reading is all that it can do. */
  readonly confined?: Confinement;
}

/** Something that a command in the sandbox made and may not make, which was taken away. Both paths are absolute. */
export interface TakenAway {
  readonly path: string;
  /** Where it is now; `undefined` if it could not be moved and is still there. */
  readonly kept: string | undefined;
}

/** Result of a command. */
export interface CommandOutcome {
  /** `undefined` when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** Standard output and error in order of arrival; beyond the cap only head and tail. Valid text, no escape codes. */
  readonly output: string;
  /** Bytes that `output` leaves out. */
  readonly omittedBytes: number;
  /** Absolute path of a file with everything, when `output` leaves something out. */
  readonly logFile: string | undefined;
  /** Why that file is incomplete, as text; absent when it is complete. */
  readonly logProblem?: string;
  /** Whether processes were still running in the background when the shell ended; they were ended with it. */
  readonly leftBehind?: boolean;
  /** Ids of processes that moved to a session of their own, such as daemons, and continue running after the command. */
  readonly detached?: readonly number[];
  /** Files that it created in the sandbox and that were moved away, because programs outside would follow them. */
  readonly takenAway?: readonly TakenAway[];
  readonly durationMs: number;
}

/** Runs shell commands, each in a process group of its own that ends with it. */
export interface Processes {
  /**
   * Runs a command to its end. Aborting the signal kills the group; the outcome then says `cancelled`.
   * @throws Error when the shell cannot be started, or no sandbox be made for a command that is to run in one.
   */
  run(request: CommandRequest, signal: AbortSignal, output: (chunk: string) => void): Promise<CommandOutcome>;
}
