import { present } from '../../../domain/present.js';
import { ProviderError } from '../../../domain/errors.js';
import type { FillRequest } from '../../../domain/model/fill.js';
import { t } from '../../../domain/l10n.js';
import { type Endpoint, parseEndpoint } from '../endpoint.js';
import { list, record } from '../json.js';
import type { OpenAiOptions } from '../options.js';
import { post } from './post.js';

/** Suggestions are what is most likely, not what surprises. */
const TEMPERATURE = 0;

/**
 * Has a model fill in the middle. Formats: docs.mistral.ai, "Fill in the middle"; docs.ollama.com, "Generate a completion";
 * developers.openai.com, "Completions".
 * @throws ProviderError, or AbortError when the signal fired.
 */
export async function requestFill(options: OpenAiOptions, request: FillRequest, signal: AbortSignal): Promise<string> {
  const endpoint = parseEndpoint(options, await options.keyName?.(request.model));
  const { url, body } = options.preset.id === 'ollama' ? generation(endpoint, request) : completion(endpoint, request);
  const answer = textOf(await post({ options, endpoint, url }, body, signal));
  if (answer !== undefined) return answer;
  throw new ProviderError(
    'protocol',
    t('{0} returned an invalid suggestion. Choose another model for inline suggestions, or check the setting {1}.', endpoint.host, endpoint.addressSetting),
  );
}

interface Sent {
  readonly url: string;
  readonly body: object;
}

function generation({ baseUrl }: Endpoint, { model, prompt, suffix, maxTokens, stops }: FillRequest): Sent {
  const options = { num_predict: maxTokens, temperature: TEMPERATURE, ...(stops.length === 0 ? {} : { stop: stops }) };
  return { url: ollamaUrl(baseUrl, 'generate'), body: { model, prompt, ...(suffix === undefined ? { raw: true } : { suffix }), stream: false, options } };
}

function completion({ baseUrl }: Endpoint, { model, prompt, suffix, maxTokens, stops }: FillRequest): Sent {
  const limits = { max_tokens: maxTokens, temperature: TEMPERATURE, ...(stops.length === 0 ? {} : { stop: stops }) };
  const path = suffix === undefined ? 'completions' : 'fim/completions';
  return { url: `${baseUrl}/${path}`, body: { model, prompt, ...present({ suffix }), ...limits, stream: false } };
}

/** What was written; `undefined` when the answer has no place for it. */
function textOf(document: unknown): string | undefined {
  const answer = record(document);
  const choice = record(list(answer?.['choices'])[0]);
  const written = [answer?.['response'], choice?.['text'], record(choice?.['message'])?.['content']];
  return written.find((each): each is string => typeof each === 'string');
}

/** The address of Ollama's own interface, beside the one that resembles OpenAI's. */
export function ollamaUrl(baseUrl: string, name: string): string {
  return `${baseUrl.replace(/\/v1$/, '')}/api/${name}`;
}

/**
 * Whether a model of Ollama fills in the middle; `undefined` when that cannot be found out now.
 * Source: docs.ollama.com, "Show model details".
 */
export async function ollamaInserts(options: OpenAiOptions, model: string, signal: AbortSignal): Promise<boolean | undefined> {
  try {
    const endpoint = parseEndpoint(options, await options.keyName?.(model));
    const facts = record(await post({ options, endpoint, url: ollamaUrl(endpoint.baseUrl, 'show') }, { model }, signal));
    return facts === undefined ? undefined : list(facts['capabilities']).includes('insert');
  } catch {
    // The request that follows, in whatever way, tells the user what is wrong.
    return undefined;
  }
}
