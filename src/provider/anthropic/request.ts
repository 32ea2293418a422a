import { present } from '../../domain/present.js';
import type Anthropic from '@anthropic-ai/sdk';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { EFFORT_TOKENS, type ThinkingEffort } from '../../domain/model/effort.js';
import { outputInWords } from '../../domain/model/output.js';
import { type Request, validateRequest } from '../../domain/model/provider.js';
import type { JsonSchema, ToolSpec } from '../../domain/tool/tool.js';
import type { CacheDuration } from './endpoint.js';
import { anthropicModelInfo, type ModelTraits, traitsOf } from './models.js';
import { assertNever } from '../../domain/assert-never.js';
import type { Message, ToolResultMessage, UserMessage } from '../../domain/model/message.js';
import { type FoundTools, wireAssistantContent, wireContent, wireResult } from './wire-blocks.js';

/** The smallest budget that the API takes, in tokens. */
const MIN_BUDGET = 1_024;

/** The last version of the API that has sampling parameters; later ones answer them with 400. */
export const SAMPLING_VERSION = '2023-06-01';

/** The part of a request that says how the model thinks and samples. */
interface ThinkingParams {
  readonly thinking?: Anthropic.ThinkingConfigParam;
  /** How much a model thinks that decides about it itself. */
  readonly output_config?: Anthropic.OutputConfig;
  /** In [0, 1]. Only requests of {@link SAMPLING_VERSION} may contain it, so the SDK's types leave it out. */
  readonly temperature?: number;
}

/**
 * Thinking and temperature in the form that the model takes. Temperature is left out where the model refuses it and
 * while it thinks; above 1, the API's limit, it is 1. Thinking is asked for as a summary: by default newer models send
 * only its signature.
 */
function thinkingParams(request: Request, traits: ModelTraits, maxTokens: number): ThinkingParams {
  const { temperature, effort = 'off' } = request;
  const on = effort === 'off' ? undefined : thinkingOn(request, effort, traits, maxTokens);
  if (on !== undefined) return on;
  const off: ThinkingParams = traits.thinkingOff === 'omit' ? {} : { thinking: { type: traits.thinkingOff } };
  return temperature === undefined || !traits.sampling ? off : { ...off, temperature: Math.min(temperature, 1) };
}

function thinkingOn(request: Request, effort: Exclude<ThinkingEffort, 'off'>, traits: ModelTraits, maxTokens: number): ThinkingParams | undefined {
  switch (traits.thinkingOn) {
    case 'none':
      return undefined;
    case 'adaptive':
      return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: effort === 'minimal' ? 'low' : effort } };
    case 'budget': {
      const budget = Math.min(EFFORT_TOKENS[effort], Math.floor(maxTokens / 2));
      const possible = budget >= MIN_BUDGET && !continuesWithoutThinking(request);
      return possible ? { thinking: { type: 'enabled', budget_tokens: budget } } : undefined;
    }
  }
}

/**
 * Whether tool results are to be answered whose calls were made without thinking. With a budget the API refuses to
 * think then: the assistant turn must begin with thinking.
 */
function continuesWithoutThinking({ messages }: Request): boolean {
  if (messages.at(-1)?.role !== 'tool_result') return false;
  const turn = messages.findLast((message) => message.role === 'assistant');
  const first = turn?.content.find((block) => block.type !== 'text' || block.text.trim() !== '');
  return first?.type !== 'thinking' || first.signature === undefined;
}

/** The body of `POST /v1/messages`. */
export type RequestParams = Anthropic.MessageCreateParamsStreaming & ThinkingParams;

/** Most tokens of an answer, thinking included, when the request names none: room for a long file, not for a runaway. */
const USUAL_MAX_TOKENS = 64_000;

/**
 * The schema of an answer in the form of the API: objects without other fields than those that are named, and what else the API does not
 * take as words in descriptions. A call that is forced (`tool_choice`) would be another way, but models that think refuse it. Sources:
 * platform.claude.com, "Structured outputs", 2026, and the types of the SDK.
 * @returns `undefined` for a schema of which only a narrower one could be sent: then no answer could be right.
 */
export function outputFormat(schema: JsonSchema | undefined): Anthropic.JSONOutputFormat | undefined {
  if (schema?.['type'] !== 'object' || 'anyOf' in schema || 'oneOf' in schema) return undefined;
  const { $defs = {}, ...root } = schema;
  if (!isRecord($defs)) return undefined;
  const places = new Places($defs);
  if (!places.isTaken(root) || !Object.values($defs).every((each) => places.isTaken(each))) return undefined;
  return { type: 'json_schema', schema: transformJSONSchema({ ...schema }) };
}

/** Keywords whose schemas the SDK leaves out, or closes each for itself so that nothing fits all of them; definitions are taken at the root alone. */
const NOT_TAKEN = ['$defs', 'allOf', 'definitions', 'patternProperties', 'prefixItems'] as const;

/** What is within a schema, of which the same can be reached in several ways. */
class Places {
  /** What references lead to; `false` also while that is being looked at, for the API takes none that lead back to themselves. */
  private readonly known = new Map<string, boolean>();

  constructor(private readonly definitions: JsonSchema) {}

  /** Whether the API takes a schema and those within it, or one that is less narrow. */
  isTaken(value: unknown): boolean {
    if (!isRecord(value) || NOT_TAKEN.some((key) => key in value)) return false;
    const { $ref, type, anyOf, oneOf, enum: values, items } = value;
    if ($ref !== undefined) return typeof $ref === 'string' && this.leadsOn($ref);
    if (values !== undefined) return Array.isArray(values) && values.length > 0 && values.every(isPlain);
    if ('const' in value) return isPlain(value['const']);
    const either = anyOf ?? oneOf;
    if (either !== undefined) return !('properties' in value) && Array.isArray(either) && either.every((each) => this.isTaken(each));
    if (Array.isArray(type)) return type.every((each) => each !== 'object' && each !== 'array');
    if (type === 'object') return this.isTakenObject(value);
    return type === 'array' ? this.isTaken(items) : typeof type === 'string';
  }

  /** An object with fields that are not named would be sent as one without them. */
  private isTakenObject({ properties = {}, additionalProperties }: JsonSchema): boolean {
    if (!isRecord(properties)) return false;
    const fields = Object.values(properties);
    const isClosed = additionalProperties === false || (additionalProperties === undefined && fields.length > 0);
    return isClosed && fields.every((field) => this.isTaken(field));
  }

  private leadsOn(ref: string): boolean {
    const known = this.known.get(ref);
    if (known !== undefined) return known;
    this.known.set(ref, false);
    const name = /^#\/\$defs\/([\w.-]+)$/.exec(ref)?.[1] ?? '';
    const isTaken = Object.hasOwn(this.definitions, name) && this.isTaken(this.definitions[name]);
    this.known.set(ref, isTaken);
    return isTaken;
  }
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
  const extras = { ...present({ eager_input_streaming: streamed }), ...(deferral === 'deferred' ? { defer_loading: true } : {}) };
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
