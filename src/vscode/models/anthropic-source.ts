import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import { ANTHROPIC, anthropicModelInfo, anthropicModels, DEFAULT_MODEL } from '../../provider/anthropic/models.js';
import type { AnthropicOptions } from '../../provider/anthropic/options.js';
import { createAnthropicProvider } from '../../provider/anthropic/provider.js';
import type { Secrets } from '../settings/secrets.js';
import type { ModelSource } from './source.js';

const KEY = { id: ANTHROPIC, keyVariable: 'ANTHROPIC_API_KEY' } as const;

/** Asks the endpoint which models it has. */
export type ListAnthropic = (options: AnthropicOptions, signal: AbortSignal) => Promise<readonly ModelInfo[]>;

/** Anthropic, or an endpoint that speaks its API. */
export function anthropicSource(secrets: Secrets, baseUrl: () => string | undefined, list: ListAnthropic): ModelSource {
  const options = { apiKey: () => secrets.key(KEY), baseUrl };
  return {
    id: ANTHROPIC,
    label: 'Anthropic',
    provider: createAnthropicProvider(options),
    key: KEY,
    keyHelp: t('You get one at console.anthropic.com.'),
    defaultModel: DEFAULT_MODEL,
    fallback: anthropicModels,
    isSetUp: async () => (await secrets.key(KEY)) !== undefined,
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
