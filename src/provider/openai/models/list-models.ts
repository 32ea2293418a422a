import type { ModelInfo } from '../../../domain/model/provider.js';
import { ProviderError } from '../../../domain/errors.js';
import { t } from '../../../domain/l10n.js';
import { authorization } from '../client.js';
import { parseEndpoint } from '../endpoint.js';
import { type Question, askJson } from './get-json.js';
import { list, record, text } from '../json.js';
import { modelOfEntry } from './model-entry.js';
import { knownModels, openAiModelInfo } from './models.js';
import type { OpenAiOptions } from '../options.js';
import { withOllamaFacts } from './ollama.js';

/** How long a server may take for the whole list, in milliseconds. */
const TIME_LIMIT_MS = 5_000;

/** Maximum length of a model id, in characters; longer ones are ignored. */
const MAX_ID = 200;

/**
 * The chat models of a server, built-in ones first. Facts that a server does not report come from the built-in table,
 * otherwise from defaults that fit nearly every model.
 * @throws ProviderError.
 */
export async function listModels(options: OpenAiOptions, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const endpoint = parseEndpoint(options, await options.keyName?.(''));
  const headers = await authorization(options, endpoint);
  const question: Question = { endpoint, headers, signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]), fetch: options.fetch };
  const models = readList(await rawList(question), options);
  const full = options.preset.id === 'ollama' ? await withOllamaFacts(question, models) : models;
  const order = new Map(knownModels(options.name, options.preset).map(({ id }, place) => [id, place]));
  return [...full].sort((a, b) => (order.get(a.id) ?? order.size) - (order.get(b.id) ?? order.size));
}

/** The list of the server: LM Studio gives more details at an endpoint of its own. */
async function rawList(question: Question): Promise<unknown> {
  const { baseUrl, preset } = question.endpoint;
  if (preset.id === 'lmstudio') {
    // Versions before 0.3.6 do not have it, nor have servers that only resemble LM Studio.
    const own = await askJson(question, `${baseUrl.replace(/\/v1$/, '')}/api/v0/models`).catch(() => undefined);
    if (record(own)?.['data'] !== undefined) return own;
  }
  return askJson(question, `${baseUrl}/models`);
}

function readList(document: unknown, { name, preset }: OpenAiOptions): readonly ModelInfo[] {
  const entries = record(document)?.['data'] ?? record(document)?.['models'] ?? document;
  if (!Array.isArray(entries)) {
    throw new ProviderError('protocol', t('{0} returned an invalid list of models. Check its base URL in the setting gnomon.providers.', preset.label));
  }
  const found = new Map<string, ModelInfo>();
  for (const value of list(entries)) {
    const entry = record(value);
    const id = text(entry?.['id']).replace(/^models\//, '');
    if (entry === undefined || id.trim() === '' || id.length > MAX_ID || found.has(id)) continue;
    const model = modelOfEntry(entry, openAiModelInfo(name, preset, id), preset);
    if (model !== undefined) found.set(id, model);
  }
  return [...found.values()];
}
