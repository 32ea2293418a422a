import type Anthropic from '@anthropic-ai/sdk';
import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { outputInWords } from '../../domain/model/output.js';
import { type Request, validateRequest } from '../../domain/model/provider.js';
import type { ToolSpec } from '../../domain/tool/tool.js';
import type { CacheDuration } from './endpoint.js';
import { anthropicModelInfo } from './models.js';
import { outputFormat } from './output-format.js';
import { type ThinkingParams, thinkingParams } from './thinking.js';
import { traitsOf } from './traits.js';
import { assertNever } from '../../domain/assert-never.js';
import type { Message, UserMessage, ToolResultMessage } from '../../domain/model/message.js';
import { type FoundTools, wireAssistantContent, wireContent, wireResult } from './wire-blocks.js';

/** The body of `POST /v1/messages`. */
export type RequestParams = Anthropic.MessageCreateParamsStreaming & ThinkingParams;

/** Most tokens of an answer, thinking included, when the request names none: room for a long file, not for a runaway. */
const USUAL_MAX_TOKENS = 64_000;

/**
 * The body for a request. Equal requests give equal bodies, and a longer conversation begins
 * with the body of the shorter one, because that is what the prompt cache compares.
 * @throws InvalidDataError for a temperature or token limit out of range, ProviderError of kind `invalid_request` when
 * the messages contain nothing that could be sent.
 */
export function requestParams(asked: Request, duration: CacheDuration = '5m'): RequestParams {
  validateRequest(asked);
  const format = outputFormat(asked.output);
  const request = format === undefined ? outputInWords(asked) : asked;
  const { id, maxOutputTokens } = anthropicModelInfo(request.model);
  const limit = request.maxTokens ?? 0;
  const maxTokens = Math.min(limit > 0 ? limit : USUAL_MAX_TOKENS, maxOutputTokens);
  const mark = markFor(duration);
  const turns = wireTurns(request.messages, foundTools(request.tools));
  if (turns.length === 0) throw new ProviderError('invalid_request', t('The message is empty. Enter some text.'));
  const thinking = thinkingParams(request, traitsOf(id), maxTokens);
  return {
    model: id,
    max_tokens: maxTokens,
    ...prefix(request, mark),
    messages: markTurns(turns, mark),
    ...thinking,
    ...(format === undefined ? {} : { output_config: { ...thinking.output_config, format } }),
    stream: true,
  };
}

/** What every request of a session begins with: the tools, then the system prompt. The last of it is marked. */
function prefix({ systemPrompt, tools }: Request, mark: Mark): Pick<RequestParams, 'system' | 'tools'> {
  const told = tools.filter(({ deferral }) => deferral !== 'deferred').map(wireTool);
  const deferred = deferredOf(tools).map(wireTool);
  const wireTools = [...told, ...deferred];
  // The API refuses a mark on a deferred tool: these are no part of what it keeps.
  if (systemPrompt.trim() === '') return wireTools.length === 0 ? {} : { tools: [...markLast(told, mark), ...deferred] };
  const system = markLast<Anthropic.TextBlockParam>([{ type: 'text', text: systemPrompt }], mark);
  return wireTools.length === 0 ? { system } : { tools: wireTools, system };
}

/** Deferred tools that a request may have. Source: platform.claude.com, "Tool search tool", "Limits". */
const MAX_DEFERRED = 10_000;

function wireTool({ name, description, parameters, streamed, deferral }: ToolSpec): Anthropic.Tool {
  const extras = { ...(streamed === undefined ? {} : { eager_input_streaming: streamed }), ...(deferral === 'deferred' ? { defer_loading: true } : {}) };
  return { name, description, input_schema: { ...parameters, type: 'object' }, ...extras };
}

function deferredOf(tools: readonly ToolSpec[]): readonly ToolSpec[] {
  return tools.filter(({ deferral }) => deferral === 'deferred').slice(0, MAX_DEFERRED);
}

/** What a search for tools can find: the name of the tool that searches, and those of the tools that are loaded when it finds them. */
function foundTools(tools: readonly ToolSpec[]): FoundTools | undefined {
  const finder = tools.find(({ deferral }) => deferral === 'finder')?.name;
  const deferred = new Set(deferredOf(tools).map(({ name }) => name));
  return finder === undefined || deferred.size === 0 ? undefined : { finder, deferred };
}

/** The API keeps what comes before such a mark, for 5 minutes or an hour from its last use. */
interface Mark {
  readonly cache_control: Anthropic.CacheControlEphemeral;
}

/** Five minutes are the API's own default, and not every gateway knows the field for another duration. */
function markFor(duration: CacheDuration): Mark {
  return { cache_control: duration === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl: duration } };
}

/**
 * How many user turns end with a mark. Together with system prompt or tools that is 3 of the 4 that the API allows. A
 * fourth would find nothing more: each request has a mark exactly where the one before it ended.
 */
const MARKED_TURNS = 2;

/**
 * Marks the ends of the last user turns. The last one is what this request adds to the cache; the one before is where
 * the previous request ended, so that its cache is found however many blocks a round of tools added (the API looks
 * back only 20 blocks from a mark). Source: Anthropic, "Prompt caching".
 */
function markTurns(turns: readonly WireTurn[], mark: Mark): Anthropic.MessageParam[] {
  const users = turns.flatMap((turn, index) => (turn.role === 'user' ? [index] : []));
  const marked = new Set(users.slice(-MARKED_TURNS));
  return turns.map((turn, index) => (marked.has(index) && turn.role === 'user' ? { ...turn, content: markLast(turn.content, mark) } : turn));
}

/** Marks the last of a list of blocks or tools. */
function markLast<T extends object>(list: readonly T[], mark: Mark): T[] {
  return list.map((item, index) => (index === list.length - 1 ? { ...item, ...mark } : item));
}

/** A turn of the conversation in the API's form, its content always a list. */
type WireTurn = { readonly role: 'user'; readonly content: UserBlock[] } | { readonly role: 'assistant'; readonly content: Anthropic.ContentBlockParam[] };
type UserBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam | Anthropic.ToolResultBlockParam;

/**
 * The conversation in the API's form: tool results and what the user said between two answers are one user turn,
 * and messages of which nothing is left are dropped.
 */
function wireTurns(messages: readonly Message[], found: FoundTools | undefined): readonly WireTurn[] {
  const turns: WireTurn[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      const content = wireAssistantContent(message.content);
      if (content.length > 0) turns.push({ role: 'assistant', content });
    } else {
      addToUserTurn(turns, userBlocks(message, found));
    }
  }
  return turns;
}

function addToUserTurn(turns: WireTurn[], blocks: readonly UserBlock[]): void {
  const last = turns.at(-1);
  if (blocks.length === 0) return;
  if (last?.role === 'user') last.content.push(...blocks);
  else turns.push({ role: 'user', content: [...blocks] });
}

function userBlocks(message: UserMessage | ToolResultMessage, found: FoundTools | undefined): readonly UserBlock[] {
  switch (message.role) {
    case 'user':
      return wireContent(message.content);
    case 'tool_result':
      return [wireResult(message, found)];
    default:
      return assertNever(message);
  }
}
