import type { ModelInfo } from '../../domain/model/provider.js';
import type { Pricing } from '../../domain/model/usage.js';

/**
 * The model that titles are asked of: the cheapest of the same provider where prices are known, else the session's own.
 * @param models those that are known, of any provider.
 */
export function titleModel(own: ModelInfo, models: readonly ModelInfo[]): ModelInfo {
  const priced = [own, ...models].filter(({ provider, pricing }) => provider === own.provider && pricing !== undefined);
  const [first, ...others] = priced;
  if (first === undefined) return own;
  return others.reduce((best, model) => (priceOf(model.pricing) < priceOf(best.pricing) ? model : best), first);
}

function priceOf(pricing: Pricing | undefined): number {
  return pricing === undefined ? Infinity : pricing.input + pricing.output;
}
