import type { ImageBlock } from './model/content.js';
import type { Dispensable } from './model/dispensable.js';
import type { LimitReached } from './model/purse.js';
import type { AskReason } from './model/routing.js';
import { forModel } from './tool/for-model.js';
import { type Failure, firstSentence } from './tool/outcome.js';

/** Kind of an error of a model request; decides the message and the actions that the user gets. */
export type ProviderErrorKind =
  | 'no_key'
  | 'authentication'
  | 'permission'
  | 'not_found'
  | 'invalid_request'
  | 'too_large'
  /** The content violates the server's policy, so it is refused whenever it is sent. */
  | 'refused_content'
  /** The conversation does not fit the model's context window. */
  | 'context_length'
  | 'rate_limit'
  /** The account has used up what it may use; waiting seconds does not help. */
  | 'quota'
  /** The user has not allowed Gnomon to use the model. */
  | 'consent'
  | 'overloaded'
  | 'server'
  | 'network'
  /** Nothing came for too long, not even a sign of life. */
  | 'stalled'
  | 'not_a_stream'
  | 'interrupted'
  | 'protocol';

/** Facts beside the message of a {@link ProviderError}. */
export interface ProviderErrorDetails {
  readonly status?: number;
  /** Milliseconds to wait before another try, as the server asked. */
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  /** The error in a sentence without advice, shown during automatic retries. */
  readonly fact?: string;
  /** The page where the user pays for the service, when that is what helps. */
  readonly billingPage?: string;
  /** Whether nothing helps until a setting is put right. */
  readonly wrongSetting?: true;
  /** The name of the API key that was used, where the provider has several, so that another one may help. */
  readonly keyName?: string;
  /** The images of the request that the server does not take; empty when it does not say which. */
  readonly refusedImages?: readonly ImageBlock[];
  /** The part of the request that the server refuses, if the request works without it. */
  readonly refused?: Dispensable;
  readonly cause?: unknown;
}

/** A failure of a model's transport or protocol. `message` is written for the user: what happened, what to do. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly fact: string | undefined;
  readonly billingPage: string | undefined;
  readonly wrongSetting: true | undefined;
  readonly keyName: string | undefined;
  readonly refusedImages: readonly ImageBlock[] | undefined;
  readonly refused: Dispensable | undefined;

  constructor(
    readonly kind: ProviderErrorKind,
    message: string,
    details: ProviderErrorDetails = {},
  ) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
    this.fact = details.fact;
    this.billingPage = details.billingPage;
    this.wrongSetting = details.wrongSetting;
    this.keyName = details.keyName;
    this.refusedImages = details.refusedImages;
    this.refused = details.refused;
  }
}

/** Work that stopped because someone asked it to. */
export class AbortError extends Error {
  override readonly name = 'AbortError';
  constructor(message = 'The operation was stopped.', cause?: unknown) {
    super(message, { cause });
  }
}

/** Whether an error means "stopped on request", in this project's, the platform's or a library's spelling. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'APIUserAbortError');
}

/** Data from outside that breaks a rule of the vocabulary. `path` names the place, such as `messages[2].content[0]`. */
export class InvalidDataError extends Error {
  override readonly name = 'InvalidDataError';
  constructor(
    readonly path: string,
    problem: string,
  ) {
    super(path === '' ? problem : `${path}: ${problem}`);
  }
}

/** Details of a {@link ToolInputError}. */
interface ToolInputErrorDetails {
  /** Details for the model only, as {@link forModel} takes them. */
  readonly detail?: string;
  readonly cause?: unknown;
}

/**
 * A tool call that cannot be carried out as asked. `message` goes to the model, so it says how to do better; `outcome` is the same as
 * data. Of what is given as a text, the first sentence says what is wrong, and the user is shown that.
 */
export class ToolInputError extends Error {
  override readonly name = 'ToolInputError';
  readonly outcome: Failure;
  private readonly detail: string | undefined;

  constructor(why: Failure | string, { detail, cause }: ToolInputErrorDetails = {}) {
    super(typeof why === 'string' ? why : forModel(why, detail), { cause });
    this.outcome = typeof why === 'string' ? { kind: 'rejected', problem: firstSentence(why) } : why;
    this.detail = detail;
  }

  /** The same error with a name in place of another one, such as that of a file that only its thrower knows by its absolute path. */
  renamed(from: string, to: string): ToolInputError {
    const { outcome, detail, message } = this;
    if (outcome.kind === 'rejected')
      return new ToolInputError(
        message.replaceAll(from, () => to),
        { cause: this.cause },
      );
    const texts = Object.entries(outcome).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    const renamed: Failure = Object.assign({ ...outcome }, Object.fromEntries(texts.map(([key, text]) => [key, text.replaceAll(from, () => to)])));
    return new ToolInputError(renamed, { cause: this.cause, ...(detail === undefined ? {} : { detail: detail.replaceAll(from, () => to) }) });
  }
}

/** There is nothing that a summary could save; the text is for the user. */
export class NothingToCompactError extends Error {
  override readonly name = 'NothingToCompactError';
}

/** Something was not sent because a limit on what may be spent is reached; the text is for the user. */
export class LimitReachedError extends Error {
  override readonly name = 'LimitReachedError';
  constructor(
    message: string,
    /** The limit, as data. */
    readonly reached: LimitReached,
  ) {
    super(message);
  }
}

/** No model can do a task, or is good enough for it, so that nothing was sent; the text is for the user, who has to choose one. */
export class NoModelError extends Error {
  override readonly name = 'NoModelError';
  constructor(
    message: string,
    /** Why, as data. */
    readonly why: AskReason,
  ) {
    super(message);
  }
}

/** A hook did not let something happen; the text is for the user. */
export class BlockedByHookError extends Error {
  override readonly name = 'BlockedByHookError';
}

/** The text of anything that was thrown. */
export function errorMessage(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    // Anything can be thrown, also what throws when it is looked at.
    return 'unknown error';
  }
}
