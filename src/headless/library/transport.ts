import type { Environment } from './errors.js';
import type { JsonObject } from './parse-message.js';

/**
 * The way to Gnomon’s program: the port below the protocol. What is written are lines of JSON, and what is read are the objects of lines.
 * Each is used for one run.
 */
export interface Transport {
  /**
   * Starts the program, once. Resolves when it runs.
   * @throws CliNotFoundError, CliConnectionError, InvalidInputError
   */
  connect(): Promise<void>;
  /**
   * Writes text to its standard input: whole lines. Resolves when there is room for more.
   * @throws NotConnectedError before `connect`, after `endInput`, and when it has ended; CliConnectionError when the pipe breaks
   */
  write(text: string): Promise<void>;
  /**
   * What it writes, once. What is not asked for yet waits in the pipe, so that the program is held up and not this process filled.
   * Ends when the program has ended well, or after `close`.
   * @throws ProcessFailedError, JsonDecodeError, MessageParseError, CliConnectionError
   */
  readMessages(): AsyncIterable<JsonObject>;
  /** Ends its standard input: it finishes what it was asked for, and ends. */
  endInput(): Promise<void>;
  /** Ends the program, whatever it does. Resolves when it has ended. Can be called at any time, and again. */
  close(): Promise<void>;
  /** Whether something can be written. */
  isReady(): boolean;
}

/** What a program has for its end, in milliseconds. */
export interface Patience {
  /** Once its input has ended, before it is asked to end. */
  readonly endMs: number;
  /** Once it was asked to, before it is killed. */
  readonly terminateMs: number;
  /** How long its output is waited for once it has ended: a process that it left behind can hold the pipe open. */
  readonly quietMs: number;
}

/** What it has unless it is told otherwise. */
export const USUAL_PATIENCE: Patience = { endMs: 2_000, terminateMs: 5_000, quietMs: 2_000 };
/** Characters of standard error that are kept for an error. */
export const KEPT_STDERR = 64 * 1024;

/** What a program is started with. */
export interface CliStart {
  /** The command line, without the names of Node and the program. */
  readonly args: readonly string[];
  /** Absolute path of the folder that it works in. */
  readonly cwd: string;
  /** All variables that it gets. */
  readonly env: Environment;
  /** Characters of a line at most. */
  readonly maxBufferSize: number;
  /** Gets what it writes to standard error, as it comes and as it is: credentials included, if it writes any. */
  readonly stderr?: (text: string) => void;
  /** The id of the user that it runs as. */
  readonly user?: number;
}
