import { present } from '../../domain/present.js';
import type { Message } from '../../domain/model/message.js';
import { type ModelInfo, priceOf } from '../../domain/model/provider.js';
import type { Amount } from '../../domain/model/purse.js';
import type { CacheBreak } from '../../domain/session/context.js';
import { computeSessionStats } from '../../domain/session/session.js';
import type { SessionMeta } from '../../domain/session/session-store.js';
import {
  type FiguresByModel,
  type ModelFigures,
  type Spent,
  type Usage,
  addFigures,
  addUsage,
  costOf,
  NO_USAGE,
  totalInputTokens,
} from '../../domain/model/usage.js';
import { modelKey } from '../../domain/model/model-key.js';
import type { Answer } from './answer.js';

/** Usage and cost of a turn, also by model. */
export interface Figures {
  readonly usage: Usage;
  /** US dollars; `undefined` when a model's price is not known. */
  readonly costUsd: number | undefined;
  /** The same by model. The sums differ by what no model was asked for, such as the fees of a search service. */
  readonly byModel: FiguresByModel;
  /** Cached tokens that had to be read again at the full price; absent for few. */
  readonly cacheBreak?: CacheBreak;
}

/** What a session stores of its usage. */
export interface StoredFigures {
  readonly costUsd: number | undefined;
  readonly byModel: FiguresByModel;
}

/** Finds a model by its key, `provider/model`; `undefined` where it is not known. */
export type FindModel = (key: string) => Pick<ModelInfo, 'pricing' | 'onThisMachine'> | undefined;

const NO_FIGURES: ModelFigures = { usage: NO_USAGE, costUsd: 0, requests: 0 };

/** Adds up tokens and cost. The cost is unknown from the first answer on whose price is not known. */
export class Spending {
  private tokens: Usage;
  private cost: number | undefined;
  private readonly models: Map<string, ModelFigures>;
  private lost: CacheBreak | undefined;

  /** @param costUsd US dollars so far; `undefined` when not known. */
  constructor(usage: Usage = NO_USAGE, costUsd: number | undefined = 0, byModel: FiguresByModel = {}) {
    this.tokens = usage;
    this.cost = costUsd;
    this.models = new Map(Object.entries(byModel));
  }

  /** Spending of a stored conversation. Figures by model begin with the version that stores them. */
  static ofStored(messages: readonly Message[], meta: SessionMeta, find: FindModel): Spending {
    const said = computeSessionStats(messages).usage;
    // Requests that left no message, and those of sessions that worked for this one, are only in the figures by model; older versions stored none of these.
    const counted = Object.values(meta.byModel ?? {}).reduce((all, { usage }) => addUsage(all, usage), NO_USAGE);
    const spending = new Spending(tokensOf(counted) >= tokensOf(said) ? counted : said, 0, meta.byModel);
    spending.cost = meta.costUsd ?? pricedAnew(messages, meta, find);
    return spending;
  }

  /** Tokens so far. */
  get usage(): Usage {
    return this.tokens;
  }

  /** US dollars so far; `undefined` when not known. */
  get costUsd(): number | undefined {
    return this.cost;
  }

  /** The same as it counts against limits; requests are counted from now on. */
  get amount(): Amount {
    return { costUsd: this.cost, tokens: tokensOf(this.tokens), requests: 0 };
  }

  /** Usage of each model so far. */
  get byModel(): FiguresByModel {
    return Object.fromEntries(this.models);
  }

  /** What a session stores of it. */
  get stored(): StoredFigures {
    return { costUsd: this.cost, byModel: this.byModel };
  }

  /** All of it. */
  get figures(): Figures {
    return { usage: this.tokens, costUsd: this.cost, byModel: this.byModel, ...present({ cacheBreak: this.lost }) };
  }

  /** Notes what a request read anew; that which read most is kept. */
  recordCacheBreak(lost: CacheBreak | undefined): void {
    if (lost !== undefined && lost.tokens > (this.lost?.tokens ?? 0)) this.lost = lost;
  }

  /** Adds one request, successful or not. */
  add(answer: Answer, model: ModelInfo): void {
    if (answer.unsent === true) return;
    this.count({ usage: answer.usage, costUsd: costOfAnswer(answer, model), asked: model });
  }

  /** Adds what a tool call used. */
  addSpent(spent: Spent): void {
    this.count(spent);
  }

  /** Adds what another session used. */
  addFigures(figures: FiguresByModel): void {
    for (const [name, more] of Object.entries(figures)) {
      this.tokens = addUsage(this.tokens, more.usage);
      this.cost = sum(this.cost, more.costUsd);
      const known = this.models.get(name);
      this.models.set(name, known === undefined ? more : (addFigures({ [name]: known }, { [name]: more })[name] ?? more));
    }
  }

  private count({ usage, costUsd, asked, webSearchRequests = 0 }: Spent): void {
    this.tokens = addUsage(this.tokens, usage);
    this.cost = sum(this.cost, costUsd);
    if (asked === undefined) return;
    const before = this.models.get(modelKey(asked)) ?? NO_FIGURES;
    const searches = (before.webSearchRequests ?? 0) + webSearchRequests;
    this.models.set(modelKey(asked), {
      usage: addUsage(before.usage, usage),
      costUsd: sum(before.costUsd, costUsd),
      requests: before.requests + 1,
      ...(searches === 0 ? {} : { webSearchRequests: searches }),
    });
  }
}

/** Cost of a response, to be taken from a purse. */
export function amountOf(answer: Answer, model: ModelInfo): Amount {
  return { costUsd: costOfAnswer(answer, model), tokens: tokensOf(answer.usage), requests: 1 };
}

/** Cost of a tool call, to be taken from a purse. */
export function amountSpent({ usage, costUsd, asked }: Spent): Amount {
  return { costUsd, tokens: tokensOf(usage), requests: asked === undefined ? 0 : 1 };
}

/** All tokens of a usage, read and written. */
function tokensOf(usage: Usage): number {
  return totalInputTokens(usage) + usage.outputTokens;
}

/**
 * US dollars for an answer; `undefined` where they are not known. A request that used nothing, such as a failed one, costs
 * nothing; but an answer came for something, and where its tokens are not reported and its price is not known, neither is its cost.
 */
function costOfAnswer({ usage, message }: Answer, model: ModelInfo): number | undefined {
  const pricing = priceOf(model);
  if (pricing !== undefined) return costOf(usage, pricing);
  return tokensOf(usage) === 0 && message === undefined ? 0 : undefined;
}

/**
 * Cost of answers that are stored without it, because they are a part of another session, or because an earlier version did not get to
 * the end of a turn. `undefined` where the model or the price of one is not known.
 */
function pricedAnew(messages: readonly Message[], { byModel, models = {}, compactions = [], parent }: SessionMeta, find: FindModel): number | undefined {
  // Figures and cost are stored together, so where there are figures, the cost was not known when they were stored.
  if (byModel !== undefined) return undefined;
  // A summary is no message, so nothing says what it cost. Those that a branch began with were paid for by the other session.
  if (compactions.some(({ at }) => parent === undefined || at > parent.count)) return undefined;
  return messages.reduce<number | undefined>((cost, message, index) => {
    if (message.role !== 'assistant') return cost;
    const model = find(models[index] ?? '');
    const pricing = model && priceOf(model);
    return sum(cost, pricing && costOf(message.usage, pricing));
  }, 0);
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
