import { describe, expect, it } from 'vitest';
import { anthropicModelInfo, anthropicModels, DEFAULT_MODEL } from '../../../../src/provider/anthropic/models.js';

describe('the models', () => {
  it('have an id of their own each, sizes that fit and prices in the usual proportion', () => {
    expect(new Set(anthropicModels.map((model) => model.id)).size).toBe(anthropicModels.length);
    for (const { contextWindow, maxOutputTokens, pricing, provider } of anthropicModels) {
      expect(provider).toBe('anthropic');
      expect(maxOutputTokens).toBeLessThan(contextWindow);
      if (pricing === undefined) continue;
      expect(pricing.output).toBeCloseTo(pricing.input * 5);
      expect(pricing.cacheWrite).toBeCloseTo(pricing.input * 1.25);
      expect(pricing.cacheRead).toBeLessThanOrEqual(pricing.input / 10);
    }
  });

  it('include the default', () => {
    expect(anthropicModels.some((model) => model.id === DEFAULT_MODEL)).toBe(true);
    expect(anthropicModelInfo('').id).toBe(DEFAULT_MODEL);
  });

  it('are known under their dated ids', () => {
    const dated = anthropicModelInfo('claude-haiku-4-5-20251001');
    expect(dated).toEqual({ ...anthropicModelInfo('claude-haiku-4-5'), id: 'claude-haiku-4-5-20251001' });
  });

  it('may be unknown: then nothing is promised that not every model has', () => {
    expect(anthropicModelInfo('claude-next')).toMatchObject({
      id: 'claude-next',
      label: 'claude-next',
      contextWindow: 200_000,
      efforts: ['off', 'low', 'medium', 'high', 'xhigh', 'max'],
    });
    expect(anthropicModelInfo('local/qwen')).toMatchObject({ efforts: [], supportsImages: false, maxOutputTokens: 8_192 });
    expect(anthropicModelInfo('claude-next').pricing).toBeUndefined();
  });
});
