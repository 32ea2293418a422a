import type { ModelInfo } from '../../domain/provider.js';

/** What a person should know of a model before they choose it: its size, its price, what it can do. */
export function describeModel(model: ModelInfo): string {
  const abilities = [
    ...(model.supportsTools ? ['tools'] : []),
    ...(model.supportsImages ? ['images'] : []),
    ...(model.supportsThinking ? ['thinking'] : []),
  ];
  return [`${tokens(model.contextWindow)} tokens of context`, priceOf(model), abilities.join(', ')].filter((part) => part !== '').join(' · ');
}

function priceOf({ pricing }: ModelInfo): string {
  if (pricing === undefined) return '';
  if (pricing.input === 0 && pricing.output === 0) return 'free';
  return `$${dollars(pricing.input)} in, $${dollars(pricing.output)} out per million tokens`;
}

function dollars(amount: number): string {
  return Number.isInteger(amount) ? String(amount) : String(Number(amount.toFixed(4)));
}

function tokens(amount: number): string {
  if (amount >= 1_000_000) return `${Number((amount / 1_000_000).toFixed(1))}M`;
  return amount >= 1_000 ? `${Math.round(amount / 1_000)}k` : String(amount);
}
