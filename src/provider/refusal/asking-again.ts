import { type ProviderErrorKind, errorMessage, ProviderError } from '../../domain/errors.js';
import type { StreamPart } from '../../domain/model/event-stream.js';
import type { Dispensable } from '../../domain/model/dispensable.js';
import type { Request } from '../../domain/model/provider.js';
import type { PartBatch, Parts } from '../part-stream.js';
import { type LeftOut, leavingOut, NOTHING_LEFT_OUT, requestWithout, thinkingIn } from './left-out.js';

/** Most places that are remembered; a chat has one for each model that it was asked over. */
const MOST_PLACES = 200;

/** What is known of one place. */
interface Place {
  readonly leftOut: LeftOut;
  /** Failures since the last answer that may be about anything, and come again though the request is made again. */
  readonly failures: number;
  /** Whether it was guessed since then what they are about. */
  readonly hasGuessed: boolean;
}

const UNKNOWN: Place = { leftOut: NOTHING_LEFT_OUT, failures: 0, hasGuessed: false };

/** What servers have refused, by session, model, and server: another account or gateway may take what this one did not. */
export class RefusalMemory {
  private readonly places = new Map<string, Place>();

  /** What is left out at a place. */
  at(place: string): LeftOut {
    return this.of(place).leftOut;
  }

  /** Remembers what is left out at a place from now on. */
  note(place: string, leftOut: LeftOut): void {
    this.change(place, { leftOut });
  }

  /** Takes that an answer came. */
  answered(place: string): void {
    const { failures, hasGuessed } = this.of(place);
    if (failures > 0 || hasGuessed) this.change(place, { failures: 0, hasGuessed: false });
  }

  /**
   * Guesses what a failure is about that does not say so: the thinking in a request, which servers cannot always check. It is guessed once
   * until the next answer; of a failure that may pass, or may be about the account or the model, only when it came twice.
   */
  guess(place: string, error: ProviderError, request: Request): Dispensable | undefined {
    const { failures, hasGuessed } = this.of(place);
    const doubt = doubtIn(error);
    if (hasGuessed || doubt === undefined || thinkingIn(request.messages).length === 0) return undefined;
    const hasGuessedNow = doubt === 'at once' || failures > 0;
    this.change(place, { failures: failures + 1, hasGuessed: hasGuessedNow });
    return hasGuessedNow ? { what: 'thinking' } : undefined;
  }

  private of(place: string): Place {
    return this.places.get(place) ?? UNKNOWN;
  }

  private change(place: string, changes: Partial<Place>): void {
    const changed = { ...this.of(place), ...changes };
    this.places.delete(place);
    this.places.set(place, changed);
    const [oldest] = this.places.keys();
    if (this.places.size > MOST_PLACES && oldest !== undefined) this.places.delete(oldest);
  }
}

/** Kinds of failures that are about the account or the model, if they are not about the request. */
const MAY_BE_REFUSALS: ReadonlySet<ProviderErrorKind> = new Set<ProviderErrorKind>(['permission', 'not_found']);
/** Statuses of errors of a server that may be about the request: its own error, and what a gateway makes of a refusal behind it. */
const UNCLEAR: ReadonlySet<number | undefined> = new Set([undefined, 500, 502]);

/** From when on a failure that does not say what it is about may be about the request; `undefined` where it is not. */
function doubtIn({ kind, status, refusedImages }: ProviderError): 'at once' | 'when it comes again' | undefined {
  if (kind === 'invalid_request') return refusedImages === undefined ? 'at once' : undefined;
  if (kind === 'server' && status === 501) return 'at once';
  return MAY_BE_REFUSALS.has(kind) || (kind === 'server' && UNCLEAR.has(status)) ? 'when it comes again' : undefined;
}

/** One request that is made again without what its server refuses. */
export interface Asked {
  readonly request: Request;
  readonly memory: RefusalMemory;
  /** Identity of the server, among others under the same name: its address, and which account asks. */
  readonly server: () => Promise<string> | string;
  /** Makes the request. @param request without what is left out of its messages; `leftOut` names the fields of the body that go, too */
  readonly parts: (request: Request, leftOut: LeftOut) => Promise<Parts> | Parts;
}

/** Failures after which the request itself is in doubt still, so that leaving something out has not helped. */
const STILL_REFUSED: ReadonlySet<ProviderErrorKind> = new Set<ProviderErrorKind>(['invalid_request', 'not_found', 'permission', 'too_large']);

/**
 * The parts of one answer. Where the server refuses something that the request can do without, before anything of an answer
 * has come, it is asked again without that: once for each such thing; where it does not say what, without what servers refuse most.
 * What helped is remembered; where nothing does, the first refusal is thrown.
 */
export function askingAgain(asked: Asked): AsyncIterable<PartBatch, undefined> {
  let answer: Parts | undefined;
  const first = async (): Promise<IteratorResult<PartBatch, undefined>> => {
    const begun = await begin(asked);
    answer = begun.parts;
    return begun.step;
  };
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => answer?.next() ?? first(),
      return: () => answer?.return?.() ?? Promise.resolve({ done: true, value: undefined }),
    }),
  };
}

/** An answer with the first step that has something of it. */
interface Begun {
  readonly parts: Parts;
  readonly step: IteratorResult<PartBatch, undefined>;
}

async function begin({ request, memory, server, parts: open }: Asked): Promise<Begun> {
  const place = JSON.stringify([request.cacheKey ?? '', request.model, await server()]);
  const known = memory.at(place);
  let leftOut = known;
  let refusal: unknown;
  let isGuess = false;
  for (;;) {
    const asked = requestWithout(request, leftOut);
    const parts = await open(asked, leftOut);
    const { early, step, error } = await firstStep(parts);
    const refused = error instanceof ProviderError ? error.refused : undefined;
    const guess = error instanceof ProviderError && refused === undefined ? memory.guess(place, error, asked) : undefined;
    const what = refused ?? guess;
    const more = what && leavingOut(leftOut, what, asked);
    if (more === undefined) {
      const isRefused = error instanceof ProviderError && STILL_REFUSED.has(error.kind);
      // Of a guess only an answer proves anything.
      if (leftOut !== known && (isGuess ? error === undefined : !isRefused)) memory.note(place, leftOut);
      if (error === undefined) memory.answered(place);
      if (step !== undefined) return { parts, step: early.length === 0 ? step : { done: false, value: early } };
      return failed(parts, early, isRefused ? (refusal ?? error) : error);
    }
    void parts.return?.();
    refusal ??= error;
    isGuess ||= guess !== undefined;
    leftOut = more;
  }
}

/** The usage is reported before the failure. */
function failed(parts: Parts, early: readonly StreamPart[], error: unknown): Begun {
  const reason = error instanceof Error ? error : new Error(errorMessage(error));
  const next = (): Promise<never> => Promise.reject(reason);
  const failing: Parts = { next, return: () => parts.return?.() ?? Promise.resolve({ done: true, value: undefined }) };
  if (early.length === 0) throw reason;
  return { parts: failing, step: { done: false, value: early } };
}

/** Beginning of an answer: the parts before its first content, and that content, or a failure. */
interface FirstStep {
  readonly early: readonly StreamPart[];
  readonly step?: IteratorResult<PartBatch, undefined>;
  readonly error?: unknown;
}

/** Whether a part is of an answer: figures, and blocks that only begin, come before an error in the stream, too. */
function saysSomething(part: StreamPart): boolean {
  return part.type !== 'usage' && !((part.type === 'text' || part.type === 'thinking') && part.delta === '');
}

/** Waits for something of the answer. */
async function firstStep(parts: Parts): Promise<FirstStep> {
  const early: StreamPart[] = [];
  try {
    for (;;) {
      const step = await parts.next();
      if (step.done === true) return { early, step };
      early.push(...('type' in step.value ? [step.value] : step.value));
      if (early.some(saysSomething)) return { early, step };
    }
  } catch (error) {
    return { early, error };
  }
}
