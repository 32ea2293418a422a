import { InvalidDataError } from '../errors.js';
import type { ThinkingEffort } from './effort.js';
import type { EventStream } from './event-stream.js';
import type { Message } from './message.js';
import type { JsonSchema, ToolSpec } from '../tool/tool.js';
import { type Pricing, NO_PRICE } from './usage.js';
import type { WebSearch } from '../workspace/web-search.js';

/** Everything a model is asked with, explicit per call. */
export interface Request {
  /** Model id of the provider; `''` is the provider's default. */
  readonly model: string;
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Upper bound of the answer in tokens; unset or 0 is the provider's default. */
  readonly maxTokens?: number;
  /** Sampling temperature in [0, 2]; unset is the provider's default. */
  readonly temperature?: number;
  /** Thinking effort, for models that support it. Default: `off`. */
  readonly effort?: ThinkingEffort;
  /** Why this model is asked, where Gnomon has chosen it: for the user, in the details of the request. It is not sent. */
  readonly reason?: string;
  /** Names the session to a provider that keeps its prompts in a cache, so that its requests reach the same one. */
  readonly cacheKey?: string;
  /**
   * The JSON Schema of an answer that is to be nothing but JSON. A server that can hold the model to it does; where it cannot, or does not
   * take this schema, the prompt describes it in words, and nothing checks the answer. Unset: any text.
   */
  readonly output?: JsonSchema;
}

/** A model backend. {@link stream} is the only place where a model is reached over the network. */
export interface Provider {
  /** Stable name, such as `anthropic`; also marks which provider the thinking in a message came from. */
  readonly name: string;
  /** Starts an answer. Nothing is sent before the first pull. Aborting the signal closes the connection. */
  stream(request: Request, signal: AbortSignal): EventStream;
  /** Present where the server decides on the context window of a model when it loads it. */
  readonly servedWindow?: ServedWindow;
  /** The search of the web on the provider's own servers, paid for as the model is; `undefined` where there is none. */
  webSearch?(model: ModelInfo): WebSearch | undefined;
  /** Whether the model can be sent tools that it learns of only when a search finds them ({@link ToolSpec.deferral}). Default: no. */
  readonly loadsFoundTools?: (model: string) => boolean;
  /** Prompt cache of the server for a model, where documented; called again for every request. */
  readonly promptCache?: (model: string) => PromptCache | undefined;
}

/** Lifetime of a server's prompt cache, from which input costs less. */
export interface PromptCache {
  /** Milliseconds after its last use from which on a prompt is surely gone. */
  readonly lifetimeMs: number;
  /** Whether writing costs what it does for an hour, see {@link Usage.hourCacheWriteTokens}. */
  readonly forHour?: true;
}

/** The context windows that a server gives its models. */
export interface ServedWindow {
  /** Tokens of the window that a model has now; `undefined` while it is not loaded, or not known. Never rejects. */
  read(model: string, signal: AbortSignal): Promise<number | undefined>;
  /** Hint how the user gets a larger one, for display. */
  readonly advice: string;
}

/** Capabilities, limits, and prices of a model, as far as they are known. */
export interface ModelInfo {
  /** Name of the {@link Provider}. */
  readonly provider: string;
  readonly id: string;
  readonly label: string;
  /** Tokens of input and output together; 0 while only the server knows. */
  readonly contextWindow: number;
  /** Whether that is only what most models have, as neither the catalog nor the server knows this one. */
  readonly windowAssumed?: boolean;
  readonly maxOutputTokens: number;
  readonly pricing?: Pricing;
  /** Whether its server runs on the user's own machine. */
  readonly onThisMachine?: true;
  /** Its thinking efforts, ascending, with `off` if it can be turned off. Empty when it does not reason. */
  readonly efforts: readonly ThinkingEffort[];
  readonly supportsImages: boolean;
  /** Whether it can call tools. Without, it is asked with none. */
  readonly supportsTools: boolean;
  /** Whether its server can hold it to a JSON Schema, {@link Request.output}; absent where that shows only when it is asked to. */
  readonly supportsOutputSchema?: boolean;
  /** The user's settings for this model: the output limit in tokens and the temperature. */
  readonly maxTokens?: number;
  readonly temperature?: number;
}

/** Prices of a model's tokens: free without a price on the user's own machine; `undefined` where it is not known. */
export function priceOf({ pricing, onThisMachine }: Pick<ModelInfo, 'pricing' | 'onThisMachine'>): Pricing | undefined {
  return pricing ?? (onThisMachine === true ? NO_PRICE : undefined);
}

/**
 * Checks the rules that apply to every provider.
 * @throws InvalidDataError naming the field.
 */
export function validateRequest(request: Request): void {
  const { temperature, maxTokens } = request;
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2)) {
    throw new InvalidDataError('temperature', `must be between 0 and 2, got ${String(temperature)}`);
  }
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens >= 0)) {
    throw new InvalidDataError('maxTokens', `must be a whole number above 0, or 0 for the default, got ${String(maxTokens)}`);
  }
}
