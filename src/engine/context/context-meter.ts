import type { Compaction, ContextParts, ContextUse } from '../../domain/session/context.js';
import type { AssistantMessage, Message } from '../../domain/model/message.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import type { ToolSpec } from '../../domain/tool/tool.js';
import { totalInputTokens } from '../../domain/model/usage.js';
import { modelKey } from '../../domain/model/model-key.js';
import { brokeOff } from '../wire.js';
import { messagesParts, messagesTokens, prefixParts } from './message-tokens.js';
import { keptFrom, summaryMessage } from './overlay.js';
import { RESULT_CHARACTERS } from './result-cap.js';

/** Parts of a request that a {@link ContextMeter} measures. */
export interface Measured {
  readonly systemPrompt: string;
  readonly tools: readonly ToolSpec[];
  readonly transcript: { readonly messages: readonly Message[]; modelOf(index: number): string | undefined };
}

/** Characters of a token, where only the order of magnitude matters. */
const ROUGH_CHARACTERS = 4;
/** Windows that a conversation could fill from which on it is not measured closely: it takes time and changes nothing. */
const FAR_TOO_LONG = 3;
/** Tolerance between a reported token count and the rough estimate: a share, a factor, and an absolute number of tokens. */
const LEAST_SHARE = 1 / 8;
const MOST_FACTOR = 8;
const MOST_BESIDE = 20_000;
/** Range in which a tokenizer may differ from the estimate. */
const MIN_SCALE = 0.5;
const MAX_SCALE = 3;

/**
 * Measures the next request. What the model reported with its last answer counts for everything up to that answer; only
 * what came after is estimated.
 */
export class ContextMeter {
  /** System prompt and tools of the last request. */
  private head: Pick<Measured, 'systemPrompt' | 'tools'>;
  private prefix: ReturnType<typeof prefixParts> | undefined;
  /** Answers before this index were measured with other messages before them. */
  private validFrom: number;
  /** Tokens of a model for each estimated one. */
  private readonly scales = new Map<string, number>();
  /** Answers to requests of which the server read only a part. */
  private readonly cut = new Set<Message>();

  constructor(
    private readonly measured: Measured,
    compaction: Compaction | undefined,
  ) {
    this.head = measured;
    this.validFrom = compaction?.at ?? 0;
  }

  /** Usage of a model's context window; `undefined` when its size is not known. */
  use(model: ModelInfo, compaction: Compaction | undefined): ContextUse | undefined {
    const limit = requestLimit(model);
    if (limit === undefined) return undefined;
    const { tokens, exact } = this.measure(model, compaction);
    return { used: tokens, limit, ...(exact ? { exact } : {}) };
  }

  /** Usage of a model's context window by part; only the total where a closer look would take long. */
  detailed(model: ModelInfo, compaction: Compaction | undefined): ContextUse | undefined {
    const use = this.use(model, compaction);
    const messages = this.wire(compaction, this.measured.transcript.messages.length);
    if (use === undefined || roughTokens(messages) > model.contextWindow * FAR_TOO_LONG) return use;
    const [prefix, said] = [this.prefixParts(), messagesParts(messages)];
    return { ...use, parts: scaledTo(use.used, { ...prefix, ...said, instructions: prefix.instructions + said.instructions }) };
  }

  /** Tokens of the next request. */
  used(model: ModelInfo, compaction: Compaction | undefined): number {
    return this.measure(model, compaction).tokens;
  }

  /** Tokens of a model for each estimated one; 1 until that is known. */
  scaleOf(model: ModelInfo): number {
    return this.scales.get(modelKey(model)) ?? 1;
  }

  /** Roughly the tokens of what every request begins with. */
  headTokens(model: ModelInfo): number {
    return Math.round(this.prefixTokens() * this.scaleOf(model));
  }

  /** Takes the beginning of a request: tools come and go, and the system prompt depends on the model. */
  sent({ systemPrompt, tools }: Pick<Measured, 'systemPrompt' | 'tools'>): void {
    this.head = { systemPrompt, tools };
    this.prefix = undefined;
  }

  /** Ignores the usage reported with a response, which is not the length of the conversation. */
  distrust(answer: Message): void {
    this.cut.add(answer);
  }

  /** Keeps the scale of the estimate across a change of the messages that precede the first one on the wire. Call it before the change. */
  changing(model: ModelInfo, compaction: Compaction | undefined): void {
    const scale = this.used(model, compaction) / Math.max(1, this.estimate(model, compaction));
    this.scales.set(modelKey(model), Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale)));
    this.validFrom = this.measured.transcript.messages.length;
  }

  private measure(model: ModelInfo, compaction: Compaction | undefined): { readonly tokens: number; readonly exact: boolean } {
    const { messages } = this.measured.transcript;
    const index = this.lastMeasured(model, compaction);
    const answer = messages[index];
    if (answer?.role !== 'assistant') return { tokens: Math.round(this.estimate(model, compaction) * this.scaleOf(model)), exact: false };
    return { tokens: reported(answer) + this.scaled(messages.slice(index + 1), model), exact: index === messages.length - 1 };
  }

  private estimate({ contextWindow }: ModelInfo, compaction: Compaction | undefined): number {
    const messages = this.wire(compaction, this.measured.transcript.messages.length);
    const rough = roughTokens(messages);
    return this.prefixTokens() + (rough > contextWindow * FAR_TOO_LONG ? Math.round(rough) : messagesTokens(messages));
  }

  private scaled(messages: readonly Message[], model: ModelInfo): number {
    return Math.round(messagesTokens(messages) * this.scaleOf(model));
  }

  private prefixTokens(): number {
    const { systemPrompt, tools, instructions } = this.prefixParts();
    return systemPrompt + tools + instructions;
  }

  private prefixParts(): ReturnType<typeof prefixParts> {
    this.prefix ??= prefixParts(this.head.systemPrompt, this.head.tools);
    return this.prefix;
  }

  /** The messages of a request, not yet in the form in which they are sent. */
  private wire(compaction: Compaction | undefined, end: number): readonly Message[] {
    const { messages } = this.measured.transcript;
    const start = keptFrom(messages, compaction);
    const kept = messages.slice(start, end);
    return start === 0 || compaction === undefined ? kept : [summaryMessage(messages, compaction), ...kept];
  }

  /** Index of the last answer whose usage says how long the conversation was up to it; -1 for none. */
  private lastMeasured(model: ModelInfo, compaction: Compaction | undefined): number {
    const { transcript } = this.measured;
    const last = transcript.messages.findLastIndex((message, index) => {
      if (index < this.validFrom || message.role !== 'assistant' || brokeOff(message) || this.cut.has(message)) return false;
      return reported(message) > 0 && transcript.modelOf(index) === modelKey(model);
    });
    const answer = transcript.messages[last];
    return answer?.role === 'assistant' && this.believable(reported(answer), this.wire(compaction, last + 1)) ? last : -1;
  }

  /** A server may report anything. */
  private believable(tokens: number, messages: readonly Message[]): boolean {
    const rough = roughTokens(messages) + this.measured.systemPrompt.length / ROUGH_CHARACTERS;
    return tokens >= rough * LEAST_SHARE && tokens <= rough * MOST_FACTOR + this.prefixTokens() + MOST_BESIDE;
  }
}

/** Estimated parts, scaled so that they add up to a total. */
function scaledTo(total: number, parts: ContextParts): ContextParts {
  const { systemPrompt, tools, instructions, messages, images, toolResults } = parts;
  const scale = total / Math.max(1, systemPrompt + tools + instructions + messages + images + toolResults);
  // Their sums are rounded, so that nothing is lost.
  let [sum, given] = [0, 0];
  const share = (tokens: number): number => {
    const before = given;
    sum += tokens;
    given = Math.round(sum * scale);
    return given - before;
  };
  return {
    systemPrompt: share(systemPrompt),
    tools: share(tools),
    instructions: share(instructions),
    messages: share(messages),
    images: share(images),
    toolResults: share(toolResults),
  };
}

function reported({ usage }: AssistantMessage): number {
  return totalInputTokens(usage) + usage.outputTokens;
}

function roughTokens(messages: readonly Message[]): number {
  return messages.reduce((total, message) => total + charactersOf(message), 0) / ROUGH_CHARACTERS;
}

/** Only of text that is surely sent. */
function charactersOf({ content }: Message): number {
  const characters = content.reduce((total, block) => {
    return total + (block.type === 'text' ? block.text.length : block.type === 'tool_call' ? block.arguments.length : 0);
  }, 0);
  return Math.min(characters, RESULT_CHARACTERS);
}

/** Maximum reserve for a response: tokens, and a share of the context window. */
const MAX_ANSWER_TOKENS = 32_000;
const MAX_ANSWER_SHARE = 0.2;

/**
 * Tokens that a request to a model may take, so that there is room for an answer.
 * `undefined` where the size of the context window is not known.
 */
export function requestLimit(model: ModelInfo): number | undefined {
  const { contextWindow, maxOutputTokens } = model;
  if (!(contextWindow > 0)) return undefined;
  const asked = model.maxTokens !== undefined && model.maxTokens > 0 ? model.maxTokens : maxOutputTokens;
  const kept = Math.max(0, Math.min(asked, contextWindow * MAX_ANSWER_SHARE, MAX_ANSWER_TOKENS));
  return Math.floor(contextWindow - kept);
}
