import { ProviderError } from '../../../domain/errors.js';
import { t } from '../../../domain/l10n.js';
import { outputInWords } from '../../../domain/model/output.js';
import { type Request, validateRequest } from '../../../domain/model/provider.js';
import { type OpenAiTraits, openAiTraits } from '../models/openai-family.js';
import type { Preset } from '../models/presets.js';
import { type OutputFormat, outputFormat } from '../output-format.js';
import { cacheKeyParams, modelOf, openAiEffortName } from '../request.js';
import { type WireItem, wireItems } from './wire-items.js';

/** A tool in the API's form. */
interface WireTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly strict: false;
}

/** The part of a request that says how much the model reasons. */
interface ReasoningParams {
  readonly reasoning?: { readonly effort: string; readonly summary?: 'auto' };
  readonly include?: readonly ['reasoning.encrypted_content'];
}

/** The body of `POST …/responses`. */
interface ResponseParams extends ReasoningParams {
  readonly model: string;
  readonly instructions?: string;
  readonly input: readonly WireItem[];
  readonly tools?: readonly WireTool[];
  readonly parallel_tool_calls?: true;
  readonly max_output_tokens?: number;
  readonly temperature?: number;
  /** The schema of the answer. Unsaid, `strict` is what the server prefers. */
  readonly text?: { readonly format: { readonly type: 'json_schema'; readonly strict: boolean } & Omit<OutputFormat, 'strict'> };
  readonly prompt_cache_key?: string;
  readonly store: false;
  readonly stream: true;
}

/** The least limit of an answer that the API takes, in tokens. */
const MIN_OUTPUT = 16;

/**
 * Tokens beside the limit of an answer for reasoning that the model cannot do without: who asks for none has not counted
 * any, and the API takes them from the answer.
 */
const REASONING_ROOM = 4_096;

/**
 * The body for a request. Nothing stays on the server: the whole conversation goes with every request, the model's
 * reasoning encrypted. Equal requests give equal bodies, and a longer conversation begins with the items of the shorter
 * one, because that is what prompt caches compare. Format: developers.openai.com, "Create a model response".
 * @throws InvalidDataError for a temperature or token limit out of range, ProviderError of kind `invalid_request` when
 * the messages contain nothing that could be sent, of kind `not_found` when no model is named and there is no default.
 */
export function responseParams(asked: Request, preset: Preset): ResponseParams {
  validateRequest(asked);
  const format = preset.dialect.outputSchema ? outputFormat(asked.output) : undefined;
  const request = format === undefined ? outputInWords(asked) : asked;
  const { systemPrompt, temperature, tools } = request;
  const model = modelOf(request.model, preset);
  const input = wireItems(request.messages);
  if (input.length === 0) throw new ProviderError('invalid_request', t('The message is empty. Enter some text.'));
  // Models of other names may be any: of them only what the user says is known.
  const traits = openAiTraits(preset.dialect.effort === 'openai' ? model : '');
  const reasoning = reasoningParams(request, traits);
  return {
    model,
    ...(systemPrompt.trim() === '' ? {} : { instructions: systemPrompt }),
    input,
    ...(tools.length === 0 ? {} : { tools: tools.map(wireTool), ...(traits.parallelCalls ? { parallel_tool_calls: true } : {}) }),
    ...limit(request, traits),
    ...(temperature === undefined || reasoning.reasoning !== undefined ? {} : { temperature: Math.min(temperature, preset.dialect.maxTemperature) }),
    ...reasoning,
    ...(format === undefined ? {} : { text: { format: { type: 'json_schema', strict: false, ...format } } }),
    ...cacheKeyParams(request, preset),
    store: false,
    stream: true,
  };
}

/** Other models than those that reason refuse to be asked for reasoning in any way. */
function reasoningParams({ effort }: Request, { efforts }: OpenAiTraits): ReasoningParams {
  const name = openAiEffortName(effort === 'off' ? undefined : effort, efforts);
  if (name === undefined) return {};
  return { reasoning: { effort: name, ...(name === 'none' ? {} : { summary: 'auto' }) }, include: ['reasoning.encrypted_content'] };
}

function limit({ maxTokens = 0, effort = 'off' }: Request, { efforts }: OpenAiTraits): { readonly max_output_tokens?: number } {
  if (maxTokens === 0) return {};
  const unasked = effort === 'off' && efforts.length > 0 && efforts[0] !== 'off';
  return { max_output_tokens: Math.max(MIN_OUTPUT, maxTokens + (unasked ? REASONING_ROOM : 0)) };
}

function wireTool({ name, description, parameters }: Request['tools'][number]): WireTool {
  return { type: 'function', name, description, parameters: { ...parameters, type: 'object' }, strict: false };
}
