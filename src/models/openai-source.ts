import type { ModelInfo } from '../domain/model/provider.js';
import type { RequestLog } from '../provider/http/request-log.js';
import { isOnThisMachine } from '../provider/http/this-machine.js';
import { createOpenAiFill } from '../provider/openai/fim/fill.js';
import { knownModels, openAiModelInfo } from '../provider/openai/models/models.js';
import { withServedWindow } from '../provider/openai/models/served-window.js';
import type { OpenAiOptions } from '../provider/openai/options.js';
import { createOpenAiProvider } from '../provider/openai/provider.js';
import type { KeyOwner, Secrets } from './keys/secrets.js';
import type { EndpointSettings } from './custom-endpoints.js';
import type { ModelSource } from './source.js';

/** How long a server on this machine may take to show that it is there, in milliseconds. */
const PROBE_MS = 300;

/** Asks an endpoint which models it has. */
export type ListOpenAi = (options: OpenAiOptions, signal: AbortSignal) => Promise<readonly ModelInfo[]>;

/**
 * A server that speaks chat completions.
 * @param now its settings at the time of a request, so that sessions that are open follow a change
 * @param requests where requests are noted for the user. Default: nowhere
 */
export function openAiSource(secrets: Secrets, now: () => EndpointSettings, list: ListOpenAi, requests?: RequestLog): ModelSource {
  const { id, preset, own } = now();
  const key = { id, keyVariable: preset.keyVariable };
  const known = own ? [] : knownModels(id, preset);
  const options = liveOptions({ secrets, key, ...(requests === undefined ? {} : { requests }) }, now);
  return {
    id,
    label: preset.label,
    charges: preset.needsKey,
    provider: withServedWindow(createOpenAiProvider(options), options),
    fill: createOpenAiFill(options),
    // A server that needs none may still be behind a gateway that does.
    ...(preset.needsKey || own || preset.keyVariable !== undefined ? { key } : {}),
    ...(preset.defaultModel === undefined ? {} : { defaultModel: preset.defaultModel }),
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
