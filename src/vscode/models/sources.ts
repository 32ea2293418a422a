import { listAnthropicModels } from '../../provider/anthropic/provider.js';
import type { LmApi } from '../language-models/api.js';
import type { Secrets } from '../settings/secrets.js';
import { anthropicSource } from './anthropic-source.js';
import { demoSource, vsCodeLmSource } from './built-in-sources.js';
import type { EndpointSettings } from './custom-endpoints.js';
import { addressWarning, readEndpoints } from './custom-endpoints.js';
import { openAiSource } from './openai-source.js';
import type { Checked } from './settings-problems.js';
import type { ModelSource } from './source.js';

/** What the sources are made from. */
export interface SourceParts {
  readonly secrets: Secrets;
  readonly lm: LmApi;
  readonly anthropicBaseUrl: () => string | undefined;
  /** The setting `gnomon.providers`, not yet checked. */
  readonly customProviders: () => unknown;
}

/**
 * Every source as the settings have them now, in the order in which they are shown and tried. The code that asks for
 * lists is loaded when the first list is asked for.
 */
export function createSources({ secrets, lm, anthropicBaseUrl, customProviders }: SourceParts): Checked<readonly ModelSource[]> {
  const endpoints = readEndpoints(customProviders());
  const now = (endpoint: EndpointSettings): EndpointSettings => readEndpoints(customProviders()).value.find(({ id }) => id === endpoint.id) ?? endpoint;
  const warning = addressWarning(anthropicBaseUrl(), 'gnomon.anthropic.baseUrl');
  const sources = [
    anthropicSource(secrets, anthropicBaseUrl, listAnthropicModels),
    ...endpoints.value.map((endpoint) =>
      openAiSource(secrets, () => now(endpoint), async (options, signal) => {
        const { listModels } = await import('../../provider/openai/models/list-models.js');
        return listModels(options, signal);
      }),
    ),
    vsCodeLmSource(lm),
    demoSource(),
  ];
  return { value: sources, problems: [...(warning === undefined ? [] : [warning]), ...endpoints.problems] };
}
