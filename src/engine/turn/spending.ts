import { present } from '../../domain/present.js';
import type { Message } from '../../domain/model/message.js';
import { type ModelInfo, priceOf } from '../../domain/model/provider.js';
import type { Amount } from '../../domain/model/purse.js';
import type { CacheBreak } from '../../domain/session/context.js';
import { computeSessionStats } from '../../domain/session/session.js';
import { type FiguresByModel, type ModelFigures, type Spent, type Usage, addUsage, costOf, NO_USAGE, totalInputTokens } from '../../domain/model/usage.js';
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

/** Stored usage of a session, as far as known. */
interface StoredFigures {
  readonly costUsd?: number | undefined;
  readonly byModel?: FiguresByModel | undefined;
}

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
  static ofStored(messages: readonly Message[], { costUsd, byModel }: StoredFigures): Spending {
    const spending = new Spending(computeSessionStats(messages).usage, 0, byModel);
    spending.cost = costUsd ?? (messages.length === 0 ? 0 : undefined);
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

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
