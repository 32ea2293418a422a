import { assertNever } from '../../../domain/assert-never.js';
import { ProviderError } from '../../../domain/errors.js';
import { t } from '../../../domain/l10n.js';
import type { ImageBlock, TextBlock } from '../../../domain/model/content.js';
import type { AssistantMessage, Message, ToolResultMessage } from '../../../domain/model/message.js';
import { outputInWords } from '../../../domain/model/output.js';
import { type Request, validateRequest } from '../../../domain/model/provider.js';
import { type OpenAiTraits, openAiTraits } from '../models/openai-family.js';
import type { Preset } from '../models/presets.js';
import { type OutputFormat, outputFormat } from '../output-format.js';
import { noteOf } from '../replay.js';
import { cacheKeyParams, modelOf, openAiEffortName } from '../request.js';
import { dataUrl, hasText } from '../wire-messages.js';

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

/** Text or an image that goes to the model. */
type WireInput = { readonly type: 'input_text'; readonly text: string } | { readonly type: 'input_image'; readonly image_url: string };

/** The model's reasoning, as it came. */
interface WireReasoning {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly unknown[];
  readonly encrypted_content: string;
}

/** What the model said. */
interface WireSaid {
  readonly type: 'message';
  readonly role: 'assistant';
  readonly content: readonly [{ readonly type: 'output_text'; readonly text: string }];
  readonly phase?: string;
}

/** An item of the input, in the form of the API. */
type WireItem =
  | { readonly type: 'message'; readonly role: 'user'; readonly content: readonly WireInput[] }
  | WireReasoning
  | WireSaid
  | { readonly type: 'function_call'; readonly call_id: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'function_call_output'; readonly call_id: string; readonly output: string | readonly WireInput[] };

/**
 * The conversation as items. Those of the model go without the ids that they came with: by these the API would look for
 * the reasoning that belongs to them, and refuse a call or a text whose reasoning was made for another model and left
 * out (`'function_call' was provided without its required 'reasoning' item`, cline/cline#12242).
 */
function wireItems(messages: readonly Message[]): readonly WireItem[] {
  return messages.flatMap((message): readonly WireItem[] => {
    switch (message.role) {
      case 'user': {
        const content = wireInputs(message.content);
        return content.length === 0 ? [] : [{ type: 'message', role: 'user', content }];
      }
      case 'tool_result':
        return [{ type: 'function_call_output', call_id: message.toolCallId, output: outputOf(message) }];
      case 'assistant':
        return answerItems(message);
      default:
        return assertNever(message);
    }
  });
}

/** Reasoning waits for what it led to: alone it is refused (`provided without its required following item`, vercel/ai#7099). */
function answerItems(message: AssistantMessage): readonly WireItem[] {
  const items: WireItem[] = [];
  let reasoning: WireReasoning[] = [];
  const notes = message.content.map(noteOf);
  const phases = notes.flatMap((note) => (note?.kind === 'phases' ? note.phases : []));
  let texts = 0;
  const add = (item: WireItem): void => {
    items.push(...reasoning, item);
    reasoning = [];
  };
  for (const [place, block] of message.content.entries()) {
    const note = notes[place];
    if (note?.kind === 'reasoning') reasoning.push({ type: 'reasoning', id: note.id, summary: note.summary, encrypted_content: note.encrypted });
    if (block.type === 'tool_call') add({ type: 'function_call', call_id: block.id, name: block.name, arguments: block.arguments });
    if (block.type !== 'text' || !hasText(block.text)) continue;
    const phase = phases[texts++] ?? '';
    add({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: block.text }], ...(phase === '' ? {} : { phase }) });
  }
  return items;
}

/** Text where there is nothing else: not every gateway takes a list. */
function outputOf({ content, isError }: ToolResultMessage): string | readonly WireInput[] {
  const parts = wireInputs(content);
  if (parts.length === 0) return isError ? 'The tool failed without a message.' : '(no output)';
  const texts = parts.flatMap((part) => (part.type === 'input_text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n\n') : parts;
}

function wireInputs(content: readonly (TextBlock | ImageBlock)[]): readonly WireInput[] {
  return content.flatMap((block): readonly WireInput[] => {
    if (block.type === 'image') return [{ type: 'input_image', image_url: dataUrl(block) }];
    return hasText(block.text) ? [{ type: 'input_text', text: block.text }] : [];
  });
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
