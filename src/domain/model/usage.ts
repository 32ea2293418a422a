/**
 * Tokens of one answer or the sum of several.
 *
 * `inputTokens` counts uncached input only: total input = input + cacheRead + cacheWrite.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Tokens written to a cache for an hour, which costs more; absent for none. */
  readonly hourCacheWriteTokens?: number;
}

/** No tokens at all. */
export const NO_USAGE: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });

/** Usage beside the answers of a conversation, such as by a web search. */
export interface Spent {
  readonly usage: Usage;
  /** US dollars; `undefined` when not known. */
  readonly costUsd: number | undefined;
  /** The model that was asked; absent where none was. */
  readonly asked?: { readonly provider: string; readonly id: string };
  /** Number of web searches by its server, where reported. */
  readonly webSearchRequests?: number;
}

/** Usage of one model. */
export interface ModelFigures {
  readonly usage: Usage;
  /** US dollars; `undefined` when not known. */
  readonly costUsd: number | undefined;
  /** Requests that were sent, also those that failed. */
  readonly requests: number;
  /** Number of web searches by its server; absent for none, or where not reported. */
  readonly webSearchRequests?: number;
}

/** Usage by model, with the key `provider/model`. */
export type FiguresByModel = Readonly<Record<string, ModelFigures>>;

/** The sum of two usages. */
export function addUsage(a: Usage, b: Usage): Usage {
  const hour = (a.hourCacheWriteTokens ?? 0) + (b.hourCacheWriteTokens ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    ...(hour > 0 ? { hourCacheWriteTokens: hour } : {}),
  };
}

/** The sum of two figures by model. */
export function addFigures(a: FiguresByModel, b: FiguresByModel): FiguresByModel {
  const sum = { ...a };
  for (const [name, more] of Object.entries(b)) {
    const known = sum[name];
    if (known === undefined) sum[name] = more;
    else {
      const searches = (known.webSearchRequests ?? 0) + (more.webSearchRequests ?? 0);
      sum[name] = {
        usage: addUsage(known.usage, more.usage),
        costUsd: known.costUsd === undefined || more.costUsd === undefined ? undefined : known.costUsd + more.costUsd,
        requests: known.requests + more.requests,
        ...(searches > 0 ? { webSearchRequests: searches } : {}),
      };
    }
  }
  return sum;
}

/** What a usage has more than an earlier one that is within it. */
export function usageSince(before: Usage, now: Usage): Usage {
  const hour = (now.hourCacheWriteTokens ?? 0) - (before.hourCacheWriteTokens ?? 0);
  return {
    inputTokens: now.inputTokens - before.inputTokens,
    outputTokens: now.outputTokens - before.outputTokens,
    cacheReadTokens: now.cacheReadTokens - before.cacheReadTokens,
    cacheWriteTokens: now.cacheWriteTokens - before.cacheWriteTokens,
    ...(hour > 0 ? { hourCacheWriteTokens: hour } : {}),
  };
}

/** What figures by model have more than earlier ones that are within them: models that were asked since. */
export function figuresSince(before: FiguresByModel, now: FiguresByModel): FiguresByModel {
  const since = Object.entries(now).map(([name, all]): readonly [string, ModelFigures] => {
    const earlier = before[name];
    if (earlier === undefined) return [name, all];
    const searches = (all.webSearchRequests ?? 0) - (earlier.webSearchRequests ?? 0);
    return [
      name,
      {
        usage: usageSince(earlier.usage, all.usage),
        costUsd: costSince(earlier.costUsd, all.costUsd),
        requests: all.requests - earlier.requests,
        ...(searches > 0 ? { webSearchRequests: searches } : {}),
      },
    ];
  });
  return Object.fromEntries(since.filter(([, { requests }]) => requests > 0));
}

/** What a cost in US dollars is more than an earlier one; `undefined` where either is not known. */
export function costSince(before: number | undefined, now: number | undefined): number | undefined {
  return before === undefined || now === undefined ? undefined : now - before;
}

/** Everything the model read: uncached, read from cache and written to cache. */
export function totalInputTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** Prices in US dollars per million tokens. */
export interface Pricing {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The day or month that it is of, such as `2026-11-20`; absent where the server or the user gives it now. */
  readonly asOf?: string;
}

/** The price of what costs nothing. */
export const NO_PRICE: Pricing = Object.freeze({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });

/** Price of writing to a cache for an hour, as a multiple of the input price. Source: platform.claude.com, "Pricing". */
const HOUR_WRITE_FACTOR = 2;

/** The cost of a usage in US dollars. */
export function costOf(usage: Usage, pricing: Pricing): number {
  const hour = usage.hourCacheWriteTokens ?? 0;
  const millionths =
    usage.inputTokens * pricing.input +
    usage.outputTokens * pricing.output +
    usage.cacheReadTokens * pricing.cacheRead +
    (usage.cacheWriteTokens - hour) * pricing.cacheWrite +
    hour * pricing.input * HOUR_WRITE_FACTOR;
  return millionths / 1_000_000;
}
