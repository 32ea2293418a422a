import { createHash } from 'node:crypto';
import { type CacheableBody, type Unit, unitsOf } from './units.js';

/** Marks that one request may hold. */
const MAX_MARKS = 4;
/** Blocks before a mark, itself included, among which an earlier entry is looked for. */
const LOOK_BACK = 20;
/** Entries that live longer than this, in milliseconds, cost more to write. */
const USUAL_LIFETIME_MS = 5 * 60_000;

/** What a cache is like for a model. */
export interface CacheRules {
  /** The shortest prefix in tokens that is kept. */
  readonly minimumTokens: number;
}

/** How the input of one request is billed, in tokens. */
export interface CacheUsage {
  readonly read: number;
  readonly written: number;
  /** How much of what was written is kept for an hour. */
  readonly writtenForHour: number;
  /** Neither read from nor written to the cache. */
  readonly uncached: number;
  /** Tokens up to the last mark: what the next request could read if it began in the same way. */
  readonly cacheable: number;
}

/**
 * Anthropic's prompt cache by its documented rules: a prefix of tools, system prompt and messages is kept at each mark
 * (`cache_control`), if it is long enough; a later request reads the longest kept prefix that ends at one of its marks
 * or at one of the 20 blocks before; entries live 5 minutes or an hour from their last use, as their mark says.
 *
 * Source: Anthropic, "Prompt caching": how automatic prefix checking works, cache limitations, pricing.
 */
export class PromptCache {
  private readonly entries = new Map<string, { readonly lifetimeMs: number; expiry: number }>();

  constructor(private readonly rules: CacheRules) {}

  /**
   * Takes a request and says how it is billed.
   * @param now milliseconds
   * @throws Error for more marks than the API takes, or in an order that it does not take
   */
  take(body: CacheableBody, now = 0): CacheUsage {
    const prefixes = prefixesOf(unitsOf(body));
    const marks = prefixes.flatMap(({ lifetimeMs }, index) => (lifetimeMs > 0 ? [index] : []));
    if (marks.length > MAX_MARKS) throw new Error(`A request may hold ${MAX_MARKS} marks, this one has ${marks.length}.`);
    const lifetimes = marks.map((index) => prefixes[index]?.lifetimeMs ?? 0);
    if (lifetimes.some((lifetime, at) => lifetime > (lifetimes[at - 1] ?? Infinity))) throw new Error('Marks for an hour must be before those for 5 minutes.');
    const kept = marks.filter((index) => (prefixes[index]?.tokens ?? 0) >= this.rules.minimumTokens);
    const hit = Math.max(-1, ...kept.map((index) => this.lookBack(prefixes, index, now)));
    const read = prefixes[hit]?.tokens ?? 0;
    const cacheable = prefixes[kept.at(-1) ?? -1]?.tokens ?? 0;
    for (const index of [...kept, hit]) this.keep(prefixes[index], now);
    const written = Math.max(0, cacheable - read);
    const writtenForHour = (lifetimes.at(-1) ?? 0) > USUAL_LIFETIME_MS ? written : 0;
    return { read, written, writtenForHour, uncached: (prefixes.at(-1)?.tokens ?? 0) - Math.max(read, cacheable), cacheable };
  }

  /** Index of the longest kept prefix near a mark, or -1. */
  private lookBack(prefixes: readonly Prefix[], mark: number, now: number): number {
    for (let index = mark; index >= 0 && index > mark - LOOK_BACK; index--) {
      const entry = this.entries.get(prefixes[index]?.hash ?? '');
      if (entry !== undefined && entry.expiry > now) return index;
    }
    return -1;
  }

  private keep(prefix: Prefix | undefined, now: number): void {
    if (prefix === undefined) return;
    const lifetimeMs = Math.max(prefix.lifetimeMs, this.entries.get(prefix.hash)?.lifetimeMs ?? 0);
    this.entries.set(prefix.hash, { lifetimeMs, expiry: now + lifetimeMs });
  }
}

/** A request up to and with one of its units. */
interface Prefix {
  readonly hash: string;
  readonly tokens: number;
  readonly lifetimeMs: number;
}

function prefixesOf(units: readonly Unit[]): readonly Prefix[] {
  let hash = '';
  let tokens = 0;
  return units.map((unit) => {
    hash = createHash('sha256').update(hash).update(unit.key).digest('hex');
    tokens += unit.tokens;
    return { hash, tokens, lifetimeMs: unit.lifetimeMs };
  });
}
