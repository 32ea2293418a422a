import { describe, expect, it } from 'vitest';
import type { ModelInfo } from '../../../src/domain/model/provider.js';
import { TASK_KINDS } from '../../../src/domain/model/task-kind.js';
import priors from '../../../src/routing/priors.json';
import { priorsOf } from '../../../src/routing/priors.js';
import { readTable } from '../../routing/table.js';

const model = (id: string, output?: number, more: Partial<ModelInfo> = {}): ModelInfo => ({
  ...{ provider: 'p', id, label: id, contextWindow: 0, maxOutputTokens: 0, efforts: [], supportsImages: false, supportsTools: true },
  ...(output === undefined ? {} : { pricing: { input: 1, output, cacheRead: 0, cacheWrite: 0 } }),
  ...more,
});

describe('what is believed of models', () => {
  it('is what the published table says', () => {
    const table = readTable();
    expect(priors.models.map(({ published }) => published)).toEqual(table.models);
    priors.models.forEach(({ successPercent }, at) =>
      table.kinds.forEach((kind, column) => {
        const percent = (successPercent as Readonly<Record<string, number>>)[kind];
        expect(percent === undefined ? undefined : percent / 100).toBe(table.success[at]?.[column]);
      }),
    );
  });

  it('is a share of the best one in each kind, whatever the benchmark', () => {
    const { 'p/openai/gpt-5-2025-08-07': found, 'p/openai/gpt-5.1': later } = priorsOf([model('openai/gpt-5-2025-08-07', 10), model('openai/gpt-5.1', 10)]);
    expect([found?.security_review, found?.generation]).toEqual([
      { value: 0.85, source: 'published' },
      { value: 0.85, source: 'published' },
    ]);
    expect(found?.debug?.value).toBeCloseTo((0.85 * 15.8) / 34.6, 12);
    // Another version is another model.
    expect(later?.debug?.source).toBe('assumed');
  });

  it('is assumed by the price where the table does not have a model, or not in a kind', () => {
    const known = priorsOf([model('dear', 20), model('middle', 5), model('cheap', 1), model('unknown'), model('local', undefined, { onThisMachine: true })]);
    const values = ['dear', 'middle', 'cheap', 'local'].map((id) => known[`p/${id}`]?.debug?.value ?? NaN);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect([values[0], values[3], known['p/unknown']?.debug?.value]).toEqual([0.85 * 0.95, 0.85 * 0.6, 0.85 * 0.75]);
    expect(priorsOf([model('gpt-5-chat', 10)])['p/gpt-5-chat']?.orchestration).toEqual({ value: 0.85 * 0.95, source: 'assumed' });
    for (const kind of TASK_KINDS) expect(known['p/dear']?.[kind]?.source).toBe('assumed');
  });

  it('is no higher for a price that is much higher', () => {
    const { 'p/dear': dear, 'p/dearest': dearest } = priorsOf([model('dear', 20), model('dearest', 600), model('cheap', 1)]);
    expect(dearest).toEqual(dear);
  });

  it('is there for a single model, for none, and for prices that are none', () => {
    expect(priorsOf([])).toEqual({});
    expect(priorsOf([model('only', NaN)])['p/only']?.debug?.value).toBeCloseTo(0.85 * 0.75, 12);
  });
});
