import { type Extent, extentAt } from './extent.js';
import type { Place } from './place.js';
import { leftOf, type Suggestion, typedSince } from './suggestion.js';
import { trimAnswer } from './trim-answer.js';

/** Milliseconds for which a request continues after it is no longer needed: the next letter may need it again. */
const UNWANTED_MS = 1_000;

/** The model, timing, and settings of inline suggestions: the pause before a request, and whether automatic requests are on. */
export interface SuggesterDeps {
  /** Asks a model. `undefined` when it is not asked about this place. Rejects with what went wrong. */
  readonly ask: (place: Place, extent: Extent, signal: AbortSignal) => Promise<string | undefined>;
  /** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Debounce before a model is asked, in milliseconds. */
  readonly pauseMs: () => number;
  /** Whether a model may be asked now without the user asking for it. */
  readonly ready: () => boolean;
}

/** Counters of requests and suggestions. */
export interface SuggesterFigures {
  readonly requests: number;
  readonly hits: number;
  readonly joined: number;
  readonly cancelled: number;
}

/** A request whose answer has not come. */
interface Running {
  readonly place: Place;
  readonly controller: AbortController;
  /** Never rejects. */
  readonly done: Promise<void>;
  waiting: number;
}

/**
 * Decides when a model is asked for what belongs at a place. What was suggested before continues while it is typed; a request
 * under way is joined by the letters that follow; there is one request at a time, and one that no place needs any more is
 * given up.
 */
export class Suggester {
  private readonly cache = new SuggestionCache();
  private running: Running | undefined;
  /** Counts the calls, so that an earlier one knows that it is late. */
  private turn = 0;
  private readonly counts = { requests: 0, hits: 0, joined: 0, cancelled: 0 };

  constructor(private readonly deps: SuggesterDeps) {}

  /** Current counters. */
  get figures(): SuggesterFigures {
    return { ...this.counts };
  }

  /**
   * The suggestion for a place.
   * @param asked whether the user asked for it.
   * @returns `undefined` for none, when the signal aborted, or when a later call has come.
   * @throws what went wrong with the request that this call made.
   */
  async suggest(place: Place, asked: boolean, signal: AbortSignal): Promise<Suggestion | undefined> {
    const turn = ++this.turn;
    const isLate = (): boolean => signal.aborted || turn !== this.turn;
    const extent = extentAt(place, asked);
    if (extent === undefined) return undefined;
    const known = this.cache.find(place);
    if (known !== undefined) return this.hit(known.suggestion);
    const joined = await this.join(place, signal);
    if (isLate()) return undefined;
    const found = joined ? this.cache.find(place) : undefined;
    if (found !== undefined) return found.suggestion;
    if (!joined && !asked) await this.deps.wait(this.deps.pauseMs(), signal);
    if (isLate() || (!asked && !this.deps.ready())) return undefined;
    const error = await this.request(place, extent, signal);
    if (isLate()) return undefined;
    if (error !== undefined) throw error;
    return this.cache.find(place)?.suggestion;
  }

  /** Takes in what is to be suggested at a place. @returns whether it is: not where there is something to suggest already */
  offer(place: Place, suggestion: Suggestion): boolean {
    if (this.known(place) !== undefined) return false;
    this.drop();
    this.cache.add(place, suggestion);
    return true;
  }

  /** The cached suggestion for a place; no model is asked. */
  known(place: Place): Suggestion | undefined {
    return this.cache.find(place)?.suggestion;
  }

  /** Forgets what was suggested, and gives up what is under way. */
  reset(): void {
    this.turn += 1;
    this.drop();
    this.cache.clear();
  }

  private hit(suggestion: Suggestion | undefined): Suggestion | undefined {
    this.counts.hits += 1;
    return suggestion;
  }

  /** Waits for the running request when its answer may fit a place too; cancels it otherwise. */
  private async join(place: Place, signal: AbortSignal): Promise<boolean> {
    const { running } = this;
    if (running === undefined) return false;
    if (typedSince(running.place, place) === undefined) {
      this.drop();
      return false;
    }
    this.counts.joined += 1;
    await this.waitFor(running, signal);
    return true;
  }

  /** @returns what went wrong. */
  private async request(place: Place, extent: Extent, signal: AbortSignal): Promise<Error | undefined> {
    this.drop();
    this.counts.requests += 1;
    const controller = new AbortController();
    let failure: Error | undefined;
    const asking = this.ask(place, extent, controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) failure = error instanceof Error ? error : new Error(String(error));
    });
    const running: Running = { place, controller, waiting: 0, done: asking.finally(() => this.ended(running)) };
    this.running = running;
    await this.waitFor(running, signal);
    return failure;
  }

  private async ask(place: Place, extent: Extent, signal: AbortSignal): Promise<void> {
    const answer = await this.deps.ask(place, extent, signal);
    if (answer !== undefined && !signal.aborted) this.cache.add(place, trimAnswer(answer, place, extent));
  }

  /** Resolves when the answer is there or the signal aborts. */
  private async waitFor(running: Running, signal: AbortSignal): Promise<void> {
    running.waiting += 1;
    await untilAborted(running.done, signal);
    running.waiting -= 1;
    if (running.waiting === 0) void this.dropUnwanted(running);
  }

  /** Cancels a request after a while when nothing has come to wait for it. */
  private async dropUnwanted(running: Running): Promise<void> {
    if (this.running !== running) return;
    await this.deps.wait(UNWANTED_MS, running.controller.signal);
    if (this.running === running && running.waiting === 0) this.drop();
  }

  private drop(): void {
    if (this.running === undefined) return;
    this.counts.cancelled += 1;
    this.running.controller.abort();
    this.running = undefined;
  }

  private ended(running: Running): void {
    if (this.running === running) this.running = undefined;
  }
}

function untilAborted(done: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    void done.then(end);
  });
}

/** Suggestions that are kept. */
const CAPACITY = 100;

interface Entry {
  readonly place: Place;
  /** `undefined` when the model had nothing to suggest. */
  readonly suggestion: Suggestion | undefined;
}

/** Cache of suggestions, by document, text before and text behind the cursor. */
export class SuggestionCache {
  /** The newest last. */
  private readonly entries: Entry[] = [];

  /** Keeps what a model suggests at a place; `undefined` when that is nothing. */
  add(place: Place, suggestion: Suggestion | undefined): void {
    this.entries.push({ place, suggestion });
    if (this.entries.length > CAPACITY) this.entries.shift();
  }

  /**
   * Finds the suggestion for a place, also the rest of an earlier one that was partly typed.
   * @returns `undefined` when a model has to be asked; without a suggestion when it would have none.
   */
  find(place: Place): { readonly suggestion: Suggestion | undefined } | undefined {
    for (const entry of this.entries.toReversed()) {
      const suggestion = entry.suggestion === undefined ? undefined : leftOf(entry.suggestion, entry.place, place);
      if (suggestion !== undefined) return { suggestion };
      if (isSame(entry.place, place)) return { suggestion: undefined };
    }
    return undefined;
  }

  /** Forgets everything, such as when another model is to be asked. */
  clear(): void {
    this.entries.length = 0;
  }
}

function isSame(one: Place, other: Place): boolean {
  const since = typedSince(one, other);
  return since?.typed === '' && since.closed === '';
}
