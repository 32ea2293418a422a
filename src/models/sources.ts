import { present } from '../domain/present.js';
import { isOnThisMachine } from '../provider/http/base-address.js';
import { createAnthropicProvider, listAnthropicModels } from '../provider/anthropic/provider.js';
import { createOpenAiFill } from '../provider/openai/fim/fill.js';
import { knownModels, openAiModelInfo, withServedWindow } from '../provider/openai/models/models.js';
import type { OpenAiOptions } from '../provider/openai/options.js';
import { createOpenAiProvider } from '../provider/openai/provider.js';
import type { KeyOwner, Secrets } from './keys/secrets.js';
import { addressWarning, type EndpointSettings, readEndpoints } from './custom-endpoints.js';
import type { Checked } from './custom-models.js';
import type { ModelSource } from './source.js';
import { createDemoProvider, demoModel } from '../provider/demo/provider.js';
import type { RequestLog } from '../provider/http/request-log.js';
import { ProviderError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import type { ModelInfo } from '../domain/model/provider.js';
import { ANTHROPIC, anthropicModelInfo, anthropicModels, DEFAULT_MODEL } from '../provider/anthropic/models.js';
import type { AnthropicOptions, CacheDuration } from '../provider/anthropic/endpoint.js';

/** Settings and services that the sources are made from. */
export interface SourceDeps {
  readonly secrets: Secrets;
  /** The models that the editor offers; left out where Gnomon runs in none. */
  readonly editor?: ModelSource;
  readonly anthropicBaseUrl: () => string | undefined;
  readonly anthropicCacheDuration?: () => CacheDuration;
  /** The setting `gnomon.providers`, not yet checked. */
  readonly customProviders: () => unknown;
  /** Where requests to models are noted for the user. Default: nowhere. */
  readonly requests?: RequestLog;
}

/** Time limit to detect a server on this machine, in milliseconds. */
const PROBE_MS = 300;

/** Asks an endpoint which models it has. */
type ListOpenAi = (options: OpenAiOptions, signal: AbortSignal) => Promise<readonly ModelInfo[]>;

/**
 * A server that speaks chat completions.
 * @param now its settings at the time of a request, so that sessions that are open follow a change
 * @param requests where requests are noted for the user. Default: nowhere
 */
export function openAiSource(secrets: Secrets, now: () => EndpointSettings, list: ListOpenAi, requests?: RequestLog): ModelSource {
  const { id, preset, own } = now();
  const key = { id, keyVariable: preset.keyVariable };
  const known = own ? [] : knownModels(id, preset);
  const options = liveOptions({ secrets, key, ...present({ requests }) }, now);
  return {
    id,
    label: preset.label,
    charges: preset.needsKey,
    provider: withServedWindow(createOpenAiProvider(options), options),
    fill: createOpenAiFill(options),
    // A server that needs none may still be behind a gateway that does.
    ...(preset.needsKey || own || preset.keyVariable !== undefined ? { key } : {}),
    ...present({ defaultModel: preset.defaultModel }),
    isOnThisMachine: () => isOnThisMachine(now().baseUrl ?? now().preset.baseUrl),
    ...(known.length === 0 ? {} : { fallback: known }),
    async isSetUp(signal) {
      if ((await secrets.key(key)) !== undefined) return true;
      if (preset.needsKey) return false;
      return own || answers(() => list(options, AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)])));
    },
    list: (signal) => list(options, signal),
    info: (model) => openAiModelInfo(id, preset, model),
  };
}

interface LiveDeps extends Pick<OpenAiOptions, 'requests'> {
  readonly secrets: Secrets;
  readonly key: KeyOwner;
}

/** Options that give what the settings and the key are at each request. */
function liveOptions({ secrets, key, ...noted }: LiveDeps, now: () => EndpointSettings): OpenAiOptions {
  return {
    ...noted,
    name: key.id,
    apiKey: (name) => secrets.key(key, name),
    keyName: (model) => secrets.nameWhereSeveral(key, model),
    baseUrl: () => now().baseUrl,
    get preset() {
      return now().preset;
    },
    get headers() {
      return now().headers;
    },
  };
}

async function answers(list: () => Promise<readonly ModelInfo[]>): Promise<boolean> {
  return list().then(
    () => true,
    () => false,
  );
}

/**
 * Every source as the settings have them now, in the order in which they are shown and tried. The code that asks for
 * lists is loaded when the first list is asked for.
 */
export function createSources({
  secrets,
  editor,
  anthropicBaseUrl,
  anthropicCacheDuration = () => '5m',
  customProviders,
  requests,
}: SourceDeps): Checked<readonly ModelSource[]> {
  const endpoints = readEndpoints(customProviders());
  const now = (endpoint: EndpointSettings): EndpointSettings => readEndpoints(customProviders()).value.find(({ id }) => id === endpoint.id) ?? endpoint;
  const warning = addressWarning(anthropicBaseUrl(), 'gnomon.anthropic.baseUrl');
  const noted = requests === undefined ? {} : { requests };
  const sources = [
    anthropicSource(
      {
        apiKey: (name) => secrets.key(KEY, name),
        keyName: (model) => secrets.nameWhereSeveral(KEY, model),
        baseUrl: anthropicBaseUrl,
        cacheDuration: anthropicCacheDuration,
        ...noted,
      },
      listAnthropicModels,
    ),
    ...endpoints.value.map((endpoint) =>
      openAiSource(
        secrets,
        () => now(endpoint),
        async (options, signal) => {
          const { listModels } = await import('../provider/openai/models/list-models.js');
          return listModels(options, signal);
        },
        requests,
      ),
    ),
    ...(editor === undefined ? [] : [editor]),
    demoSource(),
  ];
  return { value: sources, problems: [...(warning === undefined ? [] : [warning]), ...endpoints.problems] };
}

/** The scripted model that is always there. */
function demoSource(): ModelSource {
  return {
    id: demoModel.provider,
    label: 'Demo',
    provider: createDemoProvider(),
    defaultModel: demoModel.id,
    isSetUp: () => Promise.resolve(true),
    list: () => Promise.resolve([demoModel]),
    info: () => demoModel,
  };
}

const KEY = { id: ANTHROPIC, keyVariable: 'ANTHROPIC_API_KEY' } as const;

/** Asks the endpoint which models it has. */
type ListAnthropic = (options: AnthropicOptions, signal: AbortSignal) => Promise<readonly ModelInfo[]>;

/** Anthropic, or an endpoint that speaks its API. */
function anthropicSource(options: AnthropicOptions, list: ListAnthropic): ModelSource {
  return {
    id: ANTHROPIC,
    label: 'Anthropic',
    provider: createAnthropicProvider(options),
    key: KEY,
    charges: true,
    keyHelp: t('Get a key at console.anthropic.com.'),
    defaultModel: DEFAULT_MODEL,
    isOnThisMachine: () => isOnThisMachine(options.baseUrl() ?? ''),
    fallback: anthropicModels,
    isSetUp: async () => (await options.apiKey()) !== undefined,
    list: (signal) => listed(() => list(options, signal)),
    info: anthropicModelInfo,
  };
}

/** A gateway may have models and no list of them; then those that Anthropic has are offered. */
async function listed(list: () => Promise<readonly ModelInfo[]>): Promise<readonly ModelInfo[]> {
  try {
    const models = await list();
    return models.length === 0 ? anthropicModels : models;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'not_found') return anthropicModels;
    throw error;
  }
}
