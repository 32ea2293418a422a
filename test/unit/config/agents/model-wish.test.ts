import { describe, expect, it } from 'vitest';
import { type ModelWish, modelWish } from '../../../../src/config/agents/model-wish.js';
import { processorMs } from '../../../support/processor-time.js';

describe('the model that an agent wants', () => {
  it.each<[string | undefined, ModelWish]>([
    [undefined, { type: 'inherit' }],
    ['inherit', { type: 'inherit' }],
    ['default', { type: 'inherit' }],
    [' , ', { type: 'inherit' }],
    ['sonnet', { type: 'family', family: 'sonnet' }],
    ['Opus', { type: 'family', family: 'opus' }],
    ['opusplan', { type: 'family', family: 'opus' }],
    ['haiku[1m]', { type: 'family', family: 'haiku' }],
    ['fast', { type: 'fast' }],
    ['claude-opus-4-7[1m]', { type: 'models', models: [{ name: 'claude-opus-4-7' }] }],
    ['anthropic/claude-sonnet-4-6', { type: 'models', models: [{ name: 'anthropic/claude-sonnet-4-6' }] }],
    ['Claude Sonnet 4.6 (copilot)', { type: 'models', models: [{ name: 'Claude Sonnet 4.6', vendor: 'copilot' }] }],
    [
      'GPT-5.4 (copilot), gpt-5.4 (azure), sonnet',
      { type: 'models', models: [{ name: 'GPT-5.4', vendor: 'copilot' }, { name: 'gpt-5.4', vendor: 'azure' }, { name: 'sonnet' }] },
    ],
    ['(copilot)', { type: 'models', models: [{ name: '(copilot)' }] }],
  ])('%j', (model, wish) => {
    expect(modelWish(model)).toEqual(wish);
  });

  it.each([2, 20, 21, 200])('of a list of %i is any of them', (count) => {
    const names = Array.from({ length: count }, (_, index) => `m${index}`);
    expect(modelWish(names.join(', '))).toEqual({ type: 'models', models: names.map((name) => ({ name })) });
  });

  it('is read in little time, whatever is written', async () => {
    const texts = [`a${' '.repeat(50_000)}(`, '[['.repeat(20_000), ','.repeat(50_000), `a${' ('.repeat(20_000)}`];
    expect(await processorMs(() => texts.forEach((text) => modelWish(text)))).toBeLessThan(2_000);
  });
});
