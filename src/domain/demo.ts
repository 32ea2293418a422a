import type { ModelInfo } from './model/provider.js';

/** Name of the provider of the offline demo. */
export const DEMO_PROVIDER = 'demo';

/** Whether a model is the offline demo: a script, which finds and writes nothing of its own. */
export function isDemo({ provider }: Pick<ModelInfo, 'provider'>): boolean {
  return provider === DEMO_PROVIDER;
}
