import { isAbortError, ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { type ThinkingEffort, THINKING_EFFORTS, USUAL_EFFORTS } from '../../domain/model/effort.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import { createClient } from './client.js';
import { type Endpoint, type AnthropicOptions, parseEndpoint } from './endpoint.js';
import { requestError } from './errors.js';
import { anthropicModelInfo, anthropicModels, undated } from './models.js';

/** A list that takes longer is not waited for, in milliseconds. */
const LIST_MS = 5_000;
/** Models on one page, the most that the API gives. */
const PAGE = 1_000;
/** Further pages are not asked for beyond this many models: more than are listed, so that the caller knows that there are more. */
const ENOUGH = 2_000;
/** Longest id and name that are taken, in characters. */
const LONGEST = 200;

/** See `listAnthropicModels`. */
export async function listModels(options: AnthropicOptions, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const endpoint = parseEndpoint(options.baseUrl(), await options.keyName?.(''));
  const client = await createClient(options, endpoint);
  const limit = AbortSignal.timeout(LIST_MS);
  const found = new Map<string, ModelInfo>();
  try {
    for await (const entry of client.models.list({ limit: PAGE }, { signal: AbortSignal.any([signal, limit]) })) {
      const model = modelOf(entry);
      if (model !== undefined && !found.has(model.id)) found.set(model.id, model);
      if (found.size > ENOUGH) break;
    }
  } catch (error) {
    throw isAbortError(error) && !signal.aborted ? tooSlow(endpoint) : requestError(error, endpoint);
  }
  return [...found.values()];
}

function tooSlow({ host }: Endpoint): ProviderError {
  return new ProviderError('network', t('{0} did not return its list of models within {1} seconds. Try again.', host, LIST_MS / 1000));
}

/** Parses one entry. The SDK's types describe it, but a gateway may send anything. */
function modelOf(entry: unknown): ModelInfo | undefined {
  const id = textOf(entry, 'id');
  if (id === undefined || field(entry, 'lifecycle') === 'retired') return undefined;
  const info = { ...anthropicModelInfo(id), label: textOf(entry, 'display_name') ?? anthropicModelInfo(id).label };
  // The table knows its models better: what they take, what they cost.
  if (anthropicModels.some((known) => known.id === undated(id))) return info;
  const capabilities = field(entry, 'capabilities');
  return {
    ...info,
    contextWindow: sizeOf(entry, 'max_input_tokens') ?? info.contextWindow,
    ...(sizeOf(entry, 'max_input_tokens') === undefined ? {} : { windowAssumed: false }),
    maxOutputTokens: sizeOf(entry, 'max_tokens') ?? info.maxOutputTokens,
    supportsImages: supported(capabilities, 'image_input') ?? info.supportsImages,
    efforts: effortsOf(capabilities) ?? info.efforts,
    ...optionalOutput(supported(capabilities, 'structured_outputs')),
  };
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function textOf(entry: unknown, key: string): string | undefined {
  const value = field(entry, key);
  return typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST ? value : undefined;
}

function sizeOf(entry: unknown, key: string): number | undefined {
  const value = field(entry, key);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function supported(capabilities: unknown, name: string): boolean | undefined {
  const value = field(field(capabilities, name), 'supported');
  return typeof value === 'boolean' ? value : undefined;
}

function optionalOutput(supportsOutputSchema: boolean | undefined): Pick<ModelInfo, 'supportsOutputSchema'> {
  return supportsOutputSchema === undefined ? {} : { supportsOutputSchema };
}

/** The efforts that an entry names; `undefined` where it says nothing. */
function effortsOf(capabilities: unknown): readonly ThinkingEffort[] | undefined {
  const thinks = supported(capabilities, 'thinking');
  const named = THINKING_EFFORTS.filter((effort) => supported(field(capabilities, 'effort'), effort) === true);
  if (thinks === true) return named.length === 0 ? USUAL_EFFORTS : ['off', ...named];
  return thinks === undefined ? undefined : [];
}
