import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { outputInWords } from '../../domain/model/output.js';
import { type Request, validateRequest } from '../../domain/model/provider.js';
import type { ToolSpec } from '../../domain/tool/tool.js';
import { openAiTraits } from './models/openai-family.js';
import type { Preset } from './models/presets.js';
import { type WireMark, type WireMessage, wireMessages, type WirePart } from './wire-messages.js';
import { assertNever } from '../../domain/assert-never.js';
import type { EffortStyle } from './dialect.js';
import type { ThinkingEffort } from '../../domain/model/effort.js';
import { type OutputFormat, outputFormat } from './output-format.js';

/** A tool in the API's form. */
interface WireToolSpec {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: Readonly<Record<string, unknown>> };
}

/** The body of `POST …/chat/completions`. */
export interface RequestParams extends EffortParams {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly WireToolSpec[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly response_format?: { readonly type: 'json_schema'; readonly json_schema: OutputFormat };
  readonly prompt_cache_key?: string;
  readonly stream: true;
  readonly stream_options?: { readonly include_usage: true };
  /** OpenRouter sends all requests of a session to the server that has its cache. */
  readonly session_id?: string;
}

/** How many of the last turns of the user end with a mark for Claude. With the system prompt that is 3 of the 4 allowed. */
const CLAUDE_TURNS = 2;
/** Turns of the user between two places of Gemini's mark. */
const GEMINI_STEP = 8;

const MARK: WireMark = { cache_control: { type: 'ephemeral' } };

/**
 * Marks up to where a conversation is kept in the cache of its provider, for the models that OpenRouter caches only if
 * asked to. A turn of the user is what comes between two answers: results of tools, or a message.
 *
 * Claude: the ends of the last two turns, as in `anthropic/request.ts`. Gemini keeps only what is before the last mark,
 * writes all of it anew whenever the mark has moved, and cannot read a part; so the mark moves only with every eighth
 * turn. Marked or not, texts are in lists, so that nothing but the mark changes from one request to the next.
 * Source: openrouter.ai/docs, "Prompt Caching".
 */
function withCacheMarks(messages: readonly WireMessage[], model: string): readonly WireMessage[] {
  const family = /claude|gemini/.exec(model)?.[0];
  if (family === undefined) return messages;
  const ends = messages.flatMap(({ role }, index) => (isUsers(role) && !isUsers(messages[index + 1]?.role) ? [index] : []));
  const marked = new Set(
    family === 'claude' ? ends.slice(-CLAUDE_TURNS) : ends.filter((_, turn) => turn === ends.length - 1 - ((ends.length - 1) % GEMINI_STEP)),
  );
  return messages.map((message, index) => {
    if (message.role === 'assistant') return message;
    const parts = typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content;
    const mark = marked.has(index) || message.role === 'system';
    return { ...message, content: mark ? markLast(parts) : parts };
  });
}

function isUsers(role: WireMessage['role'] | undefined): boolean {
  return role === 'user' || role === 'tool';
}

/** Marks the last text: no other part takes a mark. */
function markLast(parts: readonly WirePart[]): readonly WirePart[] {
  const last = parts.findLastIndex(({ type }) => type === 'text');
  return parts.map((part, index) => (index === last ? { ...part, ...MARK } : part));
}

/**
 * The body for a request. Equal requests give equal bodies, and a longer conversation begins with the body of the
 * shorter one, because that is what prompt caches compare. Without a limit of its own the server's applies.
 * @throws InvalidDataError for a temperature or token limit out of range, ProviderError of kind `invalid_request` when
 * the messages contain nothing that could be sent, of kind `not_found` when no model is named and there is no default.
 */
export function requestParams(asked: Request, preset: Preset): RequestParams {
  validateRequest(asked);
  const { dialect } = preset;
  const format = dialect.outputSchema ? outputFormat(asked.output) : undefined;
  const request = format === undefined ? outputInWords(asked) : asked;
  const model = modelOf(request.model, preset);
  const messages = wireMessages(request.messages, dialect);
  if (messages.length === 0) throw new ProviderError('invalid_request', t('The message is empty. Enter some text.'));
  const system = systemMessage(request.systemPrompt, model, preset);
  const all = system === undefined ? messages : [system, ...messages];
  const maxTokens = request.maxTokens ?? 0;
  return {
    model,
    messages: dialect.cacheMarks ? withCacheMarks(all, model) : all,
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(wireTool) }),
    ...(maxTokens > 0 ? { [dialect.maxTokensField]: maxTokens } : {}),
    ...sampling(request, model, preset),
    ...effortParams(dialect.effort, model, request),
    ...(format === undefined ? {} : { response_format: { type: 'json_schema', json_schema: format } }),
    ...cacheKeyParams(request, preset),
    stream: true,
    ...(dialect.cacheMarks && request.cacheKey !== undefined ? { session_id: request.cacheKey } : {}),
    ...(dialect.streamUsage ? { stream_options: { include_usage: true } } : {}),
  };
}

/** The id that the API is asked for. @throws ProviderError of kind `not_found` without one. */
export function modelOf(model: string, { label, defaultModel }: Preset): string {
  const id = model === '' ? defaultModel : model;
  if (id !== undefined) return id;
  throw new ProviderError('not_found', t('{0} has no default model. Run “Gnomon: Select Model” and select one of its models.', label));
}

/** OpenAI's reasoning models have another name for what steers them; it is the same thing for all others. */
function systemMessage(systemPrompt: string, model: string, { dialect }: Preset): WireMessage | undefined {
  if (systemPrompt.trim() === '') return undefined;
  const developer = dialect.effort === 'openai' && openAiTraits(model).efforts.length > 0;
  return { role: developer ? 'developer' : 'system', content: systemPrompt };
}

function sampling({ temperature }: Request, model: string, { dialect }: Preset): { readonly temperature?: number } {
  const refused = dialect.effort === 'openai' && openAiTraits(model).efforts.length > 0;
  return temperature === undefined || refused ? {} : { temperature: Math.min(temperature, dialect.maxTemperature) };
}

/** Longest name of a cache that the API takes, in characters. */
const MAX_CACHE_KEY = 64;

/** The name under which OpenAI caches the beginning of a session's requests. Source: developers.openai.com, "Prompt caching". */
export function cacheKeyParams({ cacheKey = '' }: Request, { dialect }: Preset): { readonly prompt_cache_key?: string } {
  return cacheKey === '' || dialect.effort !== 'openai' ? {} : { prompt_cache_key: cacheKey.slice(0, MAX_CACHE_KEY) };
}

function wireTool({ name, description, parameters }: ToolSpec): WireToolSpec {
  return { type: 'function', function: { name, description, parameters: { ...parameters, type: 'object' } } };
}

/** The part of a request that says how much the model reasons. */
interface EffortParams {
  readonly reasoning_effort?: string;
  readonly reasoning?: { readonly effort: string };
  readonly thinking?: { readonly type: 'enabled' | 'disabled' };
}

/** The effort that the user chose, as the server's parameters. Where the server has no value for off, nothing is sent. */
function effortParams(style: EffortStyle, model: string, { effort, tools }: Pick<Request, 'effort' | 'tools'>): EffortParams {
  const wanted = effort === undefined || effort === 'off' ? undefined : effort;
  switch (style) {
    case 'none':
      return {};
    case 'openai':
      return openAiEffort(model, wanted, tools.length > 0);
    case 'plain':
      return wanted === undefined ? {} : { reasoning_effort: wanted };
    case 'nested':
      return wanted === undefined ? {} : { reasoning: { effort: wanted } };
    case 'deepseek':
      return wanted === undefined ? { thinking: { type: 'disabled' } } : { thinking: { type: 'enabled' }, reasoning_effort: wanted };
    case 'mistral':
      if (wanted === undefined) return {};
      return { reasoning_effort: model.startsWith('mistral-large') ? wanted : 'high' };
    default:
      return assertNever(style);
  }
}

function openAiEffort(model: string, wanted: ThinkingEffort | undefined, hasTools: boolean): EffortParams {
  const { efforts, toolsOnlyWithoutReasoning } = openAiTraits(model);
  // Also unsaid, their own default effort makes the API refuse the tools.
  if (hasTools && toolsOnlyWithoutReasoning) return { reasoning_effort: 'none' };
  const effort = openAiEffortName(wanted, efforts);
  return effort === undefined || efforts.length === 0 ? {} : { reasoning_effort: effort };
}

/** The API's name for an effort, and for none the least that the model takes; `undefined` when it takes none. */
export function openAiEffortName(wanted: ThinkingEffort | undefined, efforts: readonly ThinkingEffort[]): string | undefined {
  const effort = wanted ?? efforts[0];
  return effort === 'off' ? 'none' : effort;
}
