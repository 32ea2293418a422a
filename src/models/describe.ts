import { t } from '../domain/l10n.js';
import type { ModelInfo } from '../domain/model/provider.js';
import type { Pricing } from '../domain/model/usage.js';

/**
 * Description of a model for the model picker: its size, its price and when that was published, what it can do.
 * @param charges whether its provider charges for tokens, so that a price that is not known is said
 */
export function describeModel(model: ModelInfo, charges = false): string {
  const abilities = [
    ...(model.supportsTools ? [t('tools')] : []),
    ...(model.supportsImages ? [t('images')] : []),
    ...(model.efforts.length > 0 ? [t('thinking')] : []),
  ];
  const window = model.contextWindow > 0 ? t('{0}-token context window', tokens(model.contextWindow)) : '';
  return [window, priceOf(model, charges), abilities.join(', ')].filter((part) => part !== '').join(' · ');
}

/** The size of a model and its price per million tokens, in and out, such as `200k · 3 / 15`: what fits beside its name. */
export function modelFacts({ contextWindow, pricing }: ModelInfo, charges = false): string {
  const price = pricing === undefined ? (charges ? '?' : '') : isFree(pricing) ? t('free') : `${dollars(pricing.input)} / ${dollars(pricing.output)}`;
  return [contextWindow > 0 ? tokens(contextWindow) : '', price].filter((part) => part !== '').join(' · ');
}

function priceOf({ pricing }: ModelInfo, charges: boolean): string {
  if (pricing === undefined) return charges ? t('price unknown') : '';
  if (isFree(pricing)) return t('free');
  const price = t('${0} in, ${1} out per million tokens', dollars(pricing.input), dollars(pricing.output));
  return pricing.asOf === undefined ? price : `${price} · ${t('price of {0}', pricing.asOf)}`;
}

function isFree({ input, output }: Pricing): boolean {
  return input === 0 && output === 0;
}

function dollars(amount: number): string {
  return Number.isInteger(amount) ? String(amount) : String(Number(amount.toFixed(4)));
}

function tokens(amount: number): string {
  if (amount >= 1_000_000) return `${Number((amount / 1_000_000).toFixed(1))}M`;
  return amount >= 1_000 ? `${Math.round(amount / 1_000)}k` : String(amount);
}
