import { redact, secretsOf } from '../../text/redact.js';
import { headOf } from '../../text/show.js';

/** Characters of a line that an error shows, and of those that are looked through for credentials before it is cut. */
const SHOWN_LINE = 200;
const READ_LINE = 4_000;

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What every error of this library is. `message` is one or more sentences for developers, without credentials. */
export abstract class GnomonError extends Error {}

/** Something was asked of a program that was not started yet, or that has ended. */
export class NotConnectedError extends GnomonError {
  override readonly name = 'NotConnectedError';
  /** @param what a sentence */
  constructor(what = 'Gnomon is not running.') {
    super(what);
  }
}

/** Gnomon’s program is not where it was looked for. */
export class CliNotFoundError extends GnomonError {
  override readonly name = 'CliNotFoundError';
  /** @param path absolute, or the name that was looked for on the `PATH` */
  constructor(
    readonly path: string,
    cause?: unknown,
  ) {
    super(`Gnomon’s program is not there: ${path}. The option cliPath says where it is.`, { cause });
  }
}

/** The program could not be started, its pipe broke, or it stopped before it had said what a message came to. */
export class CliConnectionError extends GnomonError {
  override readonly name = 'CliConnectionError';
}

/** The program failed. */
export class ProcessFailedError extends GnomonError {
  override readonly name = 'ProcessFailedError';
  /** `null` where a signal ended it. */
  readonly exitCode: number | null;
  /** Such as `SIGKILL`; `null` where it ended itself. */
  readonly signal: string | null;
  /** The last 64 Ki characters that it wrote to standard error, with `[redacted]` in place of credentials. */
  readonly stderr: string;

  /** @param environment that of the program: the values of its variables with keys do not stay in `stderr` */
  constructor(end: { readonly exitCode: number | null; readonly signal: string | null; readonly stderr: string }, environment: Environment, cause?: unknown) {
    const stderr = redact(end.stderr, secretsOf(new Set(), { ...environment })).trim();
    const how = end.signal === null ? `ended with the exit code ${end.exitCode ?? 'none'}` : `was ended by ${end.signal}`;
    super(`Gnomon’s program ${how}.${stderr === '' ? '' : ` It wrote: ${stderr.slice(-SHOWN_LINE * 10)}`}`, { cause });
    this.exitCode = end.exitCode;
    this.signal = end.signal;
    this.stderr = stderr;
  }
}

/** The program wrote a line that is no JSON, that is cut off, or that is longer than `maxBufferSize`. `cause` says what is wrong with it. */
export class JsonDecodeError extends GnomonError {
  override readonly name = 'JsonDecodeError';
  /** The first 200 characters at most, with `[redacted]` in place of credentials. */
  readonly line: string;

  constructor(line: string, cause: unknown) {
    const shown = shownLine(line);
    super(`Gnomon’s program wrote a line that cannot be read as JSON: ${shown}`, { cause });
    this.line = shown;
  }
}

/** A message is JSON, but not what the protocol has: `path` says where. */
export class MessageParseError extends GnomonError {
  override readonly name = 'MessageParseError';
  /**
   * @param problem a sentence
   * @param raw the message as it came
   * @param path such as `message.content.0.type`; empty for the message itself
   */
  constructor(
    problem: string,
    readonly raw: unknown,
    readonly path = '',
  ) {
    super(path === '' ? problem : `${problem} (${path})`);
  }
}

/** The program did not answer a control request in time. */
export class ControlTimeoutError extends GnomonError {
  override readonly name = 'ControlTimeoutError';
  /** @param subtype such as `set_model` */
  constructor(
    readonly subtype: string,
    /** Milliseconds that were waited. */
    readonly waitedMs: number,
  ) {
    super(`Gnomon’s program did not answer “${subtype}” within ${waitedMs / 1000} s.`);
  }
}

/** The program refused a control request, such as a mode that is not allowed. */
export class ControlRefusedError extends GnomonError {
  override readonly name = 'ControlRefusedError';
  /** @param why what the program says */
  constructor(
    /** Such as `set_model`. */
    readonly subtype: string,
    why: string,
  ) {
    super(redact(why));
  }
}

/** An option, a message, or an answer that was given to this library cannot be used. */
export class InvalidInputError extends GnomonError {
  override readonly name = 'InvalidInputError';
}

/** The beginning of a line. It is cleaned before it is cut, as the rest of a credential does not look like one. */
function shownLine(line: string): string {
  const clean = redact(headOf(line, READ_LINE));
  return clean.length <= SHOWN_LINE ? clean : `${headOf(clean, SHOWN_LINE - 1)}…`;
}
