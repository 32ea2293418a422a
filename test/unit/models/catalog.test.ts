import { describe, expect, it } from 'vitest';
import type { ModelInfo } from '../../../src/domain/model/provider.js';
import { demoModel } from '../../../src/provider/demo/provider.js';
import { Catalog } from '../../../src/models/catalog.js';
import type { ModelSource } from '../../../src/models/source.js';
import { says } from '../../support/wording.js';

const model = (id: string): ModelInfo => ({ ...demoModel, id });

function source(id: string, list: ModelSource['list'], change: Partial<ModelSource> = {}): ModelSource {
  const provider = { name: id, stream: () => expect.unreachable('Nothing is asked of a model here.') };
  return { id, label: id, provider, isSetUp: () => Promise.resolve(true), list, info: model, ...change };
}

const forever = new Promise<never>(() => undefined);

describe('catalog', () => {
  it('keeps lists in the order of the sources, asks each once while it is fresh, and says when it knows more', async () => {
    let now = 0;
    let asked = 0;
    let changes = 0;
    const catalog = new Catalog(() => (changes += 1), { now: () => now });
    const list = (): Promise<readonly ModelInfo[]> => Promise.resolve([model(`m${(asked += 1)}`)]);
    catalog.use([source('slow', () => Promise.resolve([model('s')])), source('quick', list)]);
    expect(catalog.entries()).toEqual([]);
    await Promise.all([catalog.refresh(), catalog.refresh()]);
    await catalog.refresh();
    expect(catalog.entries().map((entry) => [entry.source.id, entry.models.map(({ id }) => id)])).toEqual([
      ['slow', ['s']],
      ['quick', ['m1']],
    ]);
    expect([asked, changes]).toEqual([1, 2]);
    now = 5 * 60_000;
    await catalog.refresh();
    expect([asked, changes]).toEqual([2, 3]);
    catalog.expire('quick');
    await catalog.refresh();
    expect(asked).toBe(3);
  });

  it('one that fails, hangs or is not set up hides none of the others', async () => {
    const catalog = new Catalog(() => undefined, { limitMs: 20 });
    catalog.use([
      source('fails', () => Promise.reject(new Error('There is no host of that name.'))),
      source('hangs', () => forever),
      source('absent', () => Promise.resolve([model('a')]), { isSetUp: () => Promise.resolve(false) }),
      source('unknown', () => Promise.resolve([]), { isSetUp: () => Promise.reject(new Error('locked')) }),
      source('works', () => Promise.resolve([model('w')])),
    ]);
    await catalog.refresh();
    expect(catalog.entries().map(({ source: { id }, models, problem }) => [id, models.length, problem])).toEqual([
      ['fails', 0, 'There is no host of that name.'],
      ['hangs', 0, says('noResponseWithin', 1)],
      ['works', 1, undefined],
    ]);
  });

  it('shows what is known beforehand until the list comes, and what was listed before when it fails later', async () => {
    const shown: string[][] = [];
    const answers = [Promise.resolve([model('listed')]), Promise.reject(new Error('down'))];
    answers[1]?.catch(() => undefined);
    const catalog: Catalog = new Catalog(() => shown.push(catalog.entries().flatMap(({ models }) => models.map(({ id }) => id))));
    catalog.use([source('x', () => answers.shift() ?? forever, { fallback: [model('known')] })]);
    await catalog.refresh();
    expect(shown).toEqual([['known'], ['listed']]);
    catalog.expire('x');
    await catalog.refresh();
    expect(catalog.entries()).toMatchObject([{ models: [{ id: 'listed' }], problem: 'down' }]);
  });

  it.each([
    [2_000, undefined],
    [2_001, '1'],
    [5_000, '3,000'],
  ])('of %i models says how many it leaves out', async (count, left) => {
    const catalog = new Catalog(() => undefined);
    catalog.use([source('many', () => Promise.resolve(Array.from({ length: count }, (_, index) => model(`m${index}`))))]);
    await catalog.refresh();
    const [entry] = catalog.entries();
    expect(entry?.models).toHaveLength(2_000);
    expect(entry?.cut).toBe(left === undefined ? undefined : `Only the first 2,000 models are listed; at least ${left} more are left out.`);
  });

  it('forgets an answer that comes after the sources were replaced', async () => {
    let answer: (models: readonly ModelInfo[]) => void = () => undefined;
    const catalog = new Catalog(() => undefined);
    catalog.use([source('old', () => new Promise((resolve) => (answer = resolve)))]);
    const refreshed = catalog.refresh();
    await Promise.resolve();
    catalog.use([source('old', () => Promise.resolve([model('new')]))]);
    await catalog.refresh();
    answer([model('old')]);
    await refreshed;
    expect(catalog.entries()).toMatchObject([{ models: [{ id: 'new' }] }]);
  });
});
