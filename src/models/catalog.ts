import { errorMessage } from '../domain/errors.js';
import { formatNumber, t } from '../domain/l10n.js';
import type { ModelInfo } from '../domain/model/provider.js';
import type { ModelSource } from './source.js';

/** Models of one configured source, as far as known. */
export interface CatalogEntry {
  readonly source: ModelSource;
  readonly models: readonly ModelInfo[];
  /** Why the list is not there or may be old. */
  readonly problem?: string;
  /** Note about models left out of the list; a sentence for the user. */
  readonly cut?: string;
}

/** Milliseconds for which a list counts as fresh. */
const FRESH_MS = 5 * 60_000;
/** Longest wait for one list, in milliseconds. */
const LIST_MS = 15_000;

/** Models of one source that are listed: more than a user could choose from. */
const MAX_MODELS = 2_000;

interface Listing {
  /** When it was asked for, in steady milliseconds. */
  readonly at: number;
  readonly done: Promise<void>;
  readonly controller: AbortController;
}

/** Clock of a {@link Catalog}; replaced in tests. */
export interface CatalogOptions {
  readonly now?: () => number;
  readonly limitMs?: number;
}

/**
 * The lists of all sources, asked for in the background and kept for a while. One source that fails or hangs keeps none
 * of the others waiting, and what it listed before stays.
 */
export class Catalog {
  private sources: readonly ModelSource[] = [];
  private readonly known = new Map<string, CatalogEntry>();
  private readonly listings = new Map<string, Listing>();
  private readonly now: () => number;
  private readonly limitMs: number;

  /** @param changed is called whenever {@link entries} has become another. */
  constructor(
    private readonly changed: () => void,
    { now = () => performance.now(), limitMs = LIST_MS }: CatalogOptions = {},
  ) {
    this.now = now;
    this.limitMs = limitMs;
  }

  /** Uses other sources from now on; what the earlier ones listed is forgotten. */
  use(sources: readonly ModelSource[]): void {
    for (const { controller } of this.listings.values()) controller.abort();
    this.listings.clear();
    this.known.clear();
    this.sources = sources;
  }

  /** Known models by source, in order, without sources that are not configured. Makes no requests. */
  entries(): readonly CatalogEntry[] {
    return this.sources.flatMap(({ id }) => this.known.get(id) ?? []);
  }

  /** Asks the sources whose lists are missing or old. Resolves when all have answered or failed; never rejects. */
  async refresh(): Promise<void> {
    await Promise.all(this.sources.map((source) => this.listing(source).done));
  }

  /** Asks one source. Resolves when it has answered or failed; never rejects. */
  async refreshOne(id: string): Promise<CatalogEntry | undefined> {
    const source = this.sources.find((candidate) => candidate.id === id);
    if (source !== undefined) await this.listing(source).done;
    return this.known.get(id);
  }

  /** Lets the list of a source count as old. */
  expire(id: string): void {
    this.listings.get(id)?.controller.abort();
    this.listings.delete(id);
  }

  private listing(source: ModelSource): Listing {
    const present = this.listings.get(source.id);
    if (present !== undefined && this.now() - present.at < FRESH_MS) return present;
    const controller = new AbortController();
    const listing = { at: this.now(), controller, done: this.ask(source, controller) };
    this.listings.set(source.id, listing);
    return listing;
  }

  private async ask(source: ModelSource, { signal }: AbortController): Promise<void> {
    const late = AbortSignal.timeout(this.limitMs);
    const either = AbortSignal.any([signal, late]);
    const setUp = await orLate(source.isSetUp(either), late).catch(() => false); // What cannot even be asked is not set up.
    if (setUp && source.fallback !== undefined && !this.known.has(source.id)) this.learn(source.id, { source, models: source.fallback }, signal);
    if (!setUp) {
      this.learn(source.id, undefined, signal);
      return;
    }
    try {
      this.learn(source.id, { source, ...listed(await orLate(source.list(either), late)) }, signal);
    } catch (error) {
      const problem = late.aborted ? t('No response within {0} seconds.', Math.ceil(this.limitMs / 1_000)) : errorMessage(error);
      this.learn(source.id, { source, models: this.known.get(source.id)?.models ?? [], problem }, signal);
    }
  }

  private learn(id: string, entry: CatalogEntry | undefined, signal: AbortSignal): void {
    if (signal.aborted) return;
    const before = this.known.get(id);
    if (entry === undefined) this.known.delete(id);
    else this.known.set(id, entry);
    if (!isSame(before, entry)) this.changed();
  }
}

function listed(models: readonly ModelInfo[]): Pick<CatalogEntry, 'models' | 'cut'> {
  const more = models.length - MAX_MODELS;
  if (more <= 0) return { models };
  const cut = t('Only the first {0} models are listed; at least {1} more are left out.', formatNumber(MAX_MODELS), formatNumber(more));
  return { models: models.slice(0, MAX_MODELS), cut };
}

/** The same as the work, or a failure when it is late: a source may ignore its signal. */
async function orLate<T>(work: Promise<T>, late: AbortSignal): Promise<T> {
  const { promise, reject } = rejectable();
  const stop = (): void => reject(new Error('late'));
  late.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    late.removeEventListener('abort', stop);
  }
}

function rejectable(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_, no) => {
    reject = no;
  });
  return { promise, reject };
}

function isSame(a: CatalogEntry | undefined, b: CatalogEntry | undefined): boolean {
  return JSON.stringify([a?.models, a?.problem, a?.cut]) === JSON.stringify([b?.models, b?.problem, b?.cut]);
}
