import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { problemsOf } from '../../../scripts/catalog/check.mjs';
import { fetchLists, PLACES, savedLists } from '../../../scripts/catalog/lists.mjs';
import { makeCatalog } from '../../../scripts/catalog/make.mjs';
import { type Catalog, mergeCatalog } from '../../../scripts/catalog/merge.mjs';
import committed from '../../../src/provider/catalog/models.json';
import { temporaryFolder } from '../../support/temporary-folder.js';

const SAMPLES = join(import.meta.dirname, '../../fixtures/model-lists');
const FACTS = join(import.meta.dirname, '../../../scripts/catalog/facts.json');
const TODAY = '2026-12-01';

const facts = async (): Promise<Parameters<typeof mergeCatalog>[0]> => JSON.parse(await readFile(FACTS, 'utf8')) as Parameters<typeof mergeCatalog>[0];
const fromSamples = async (): Promise<Catalog> => mergeCatalog(await facts(), await savedLists(SAMPLES, '2026-11-30'), TODAY);
const modelIn = (catalog: Catalog, name: string): Catalog['models'][number] | undefined =>
  catalog.models.find(({ provider, id }) => `${provider}/${id}` === name);

describe('the catalog that is committed', () => {
  it('has nothing that cannot be, and is what the facts and lists make', async () => {
    expect(problemsOf(committed, undefined)).toEqual([]);
    if (Object.keys(committed.lists).length === 0) expect(committed).toEqual(mergeCatalog(await facts(), [], committed.made));
  });

  it('names a page and a date for every fact', async () => {
    const { sources, models } = await facts();
    for (const { url, date } of Object.values(sources)) expect([new URL(url).protocol, /^20\d\d-\d\d(-\d\d)?$/.test(date)]).toEqual(['https:', true]);
    const from = models.flatMap(({ sizes, abilities, efforts, price }) => [
      sizes.from,
      abilities.from,
      price.from,
      ...(efforts === undefined ? [] : [efforts.from]),
    ]);
    expect(from.filter((name) => sources[name] === undefined)).toEqual([]);
  });
});

describe('a catalog from lists', () => {
  it('takes sizes and efforts from the provider, and prices from OpenRouter, with the day of the list', async () => {
    const catalog = await fromSamples();
    expect(modelIn(catalog, 'anthropic/claude-opus-5-5')).toMatchObject({
      window: 1_200_000,
      output: 144_000,
      efforts: ['off', 'low', 'medium', 'high'],
      price: { input: 4.2, output: 21, cacheRead: 0.21, cacheWrite: 5.25, date: '2026-11-30' },
    });
    expect(modelIn(catalog, 'gemini/gemini-2.5-pro')).toMatchObject({ output: 70_000 });
    // What the list leaves out stays as the page has it.
    expect(modelIn(catalog, 'openai/gpt-5-mini')?.price).toEqual({ input: 0.2, output: 1.6, cacheRead: 0.025, date: '2026-11-30' });
    expect(catalog.lists).toMatchObject({ openrouter: { date: '2026-11-30', count: 7 }, anthropic: { count: 3 }, openai: { count: 2 }, gemini: { count: 2 } });
  });

  it('gives no price to a model that has several, and none of another server', async () => {
    const catalog = await fromSamples();
    expect(modelIn(catalog, 'anthropic/claude-haiku-5-5')).not.toHaveProperty('price');
    expect(modelIn(catalog, 'mistral/mistral-medium-3-5')?.price).toMatchObject({ input: 1.5, date: '2026-11' });
  });

  it('keeps a price that was read after the list', async () => {
    const lists = await savedLists(SAMPLES, '2025-01-01');
    expect(modelIn(mergeCatalog(await facts(), lists, TODAY), 'anthropic/claude-opus-5-5')?.price).toMatchObject({ input: 4, date: '2026-10' });
  });

  it('is sorted by provider, with the default of each first', async () => {
    const { models } = await fromSamples();
    expect([...new Set(models.map(({ provider }) => provider))]).toEqual(['anthropic', 'deepseek', 'gemini', 'mistral', 'openai']);
    expect(models[0]?.id).toBe('claude-sonnet-5-5');
  });
});

describe('a catalog that is refused', () => {
  const change = (catalog: Catalog, to: Partial<Catalog['models'][number]>): Catalog => ({
    ...catalog,
    models: catalog.models.map((model, place) => (place === 0 ? { ...model, ...to } : model)),
  });

  it.each<[string, Partial<Catalog['models'][number]>, RegExp]>([
    ['free', { price: { input: 0, output: 10, date: '2026-11' } }, /a price of 0 for input cannot be/],
    ['negative', { price: { input: 1, output: -1, date: '2026-11' } }, /a price of -1 for output/],
    ['no number', { price: { input: Number.NaN, output: 1, date: '2026-11' } }, /a price of NaN/],
    ['a thousand times too high', { price: { input: 2_000, output: 10, date: '2026-11' } }, /a price of 2000/],
    ['with a cache that costs more than none', { price: { input: 1, output: 2, cacheRead: 3, date: '2026-11' } }, /cache costs more/],
    ['of tomorrow', { price: { input: 1, output: 2, date: '2026-12-02' } }, /is not the date of a price/],
    ['without a window', { window: 0 }, /a window of 0 tokens/],
    ['with a window of a page', { window: 999 }, /a window of 999 tokens/],
    ['with answers larger than the window', { output: 1_000_001 }, /answers of 1000001 tokens/],
    ['with an unknown ability', { can: ['flying'] }, /no ability/],
    ['with efforts out of order', { efforts: ['high', 'low'] }, /out of order/],
    ['without a name', { label: ' ' }, /no name/],
    ['that is there twice', { id: 'claude-opus-5-5' }, /there twice/],
  ])('has a model %s', async (_, to, problem) => {
    expect(problemsOf(change(await fromSamples(), to), undefined).join('\n')).toMatch(problem);
  });

  it('lost more than half of the models of a provider, or a list did', async () => {
    const before = await fromSamples();
    const few = { ...before, models: before.models.filter(({ provider, id }) => provider !== 'openai' || id === 'gpt-5') };
    expect(problemsOf(few, before)).toEqual(['The models of openai went from 9 to 1.']);
    expect(problemsOf({ ...before, lists: { ...before.lists, openrouter: { date: TODAY, count: 3 } } }, before)).toEqual([
      'The list of openrouter went from 7 to 3.',
    ]);
    expect(problemsOf({ ...before, models: [] }, undefined)).toEqual(['The catalog is empty.']);
  });

  it('does not replace the file', async () => {
    const [facts_, catalog] = ['facts.json', 'models.json'].map((name) => join(temporaryFolder(), name)) as [string, string];
    const said: string[] = [];
    await writeFile(facts_, (await readFile(FACTS, 'utf8')).replace('"input": 2,', '"input": 0,'));
    await writeFile(catalog, JSON.stringify(await fromSamples()));
    const before = await readFile(catalog, 'utf8');
    expect(await makeCatalog({ lists: [], made: TODAY, facts: facts_, catalog, say: (line) => said.push(line) })).toBe(false);
    expect(said[0]).toBe('Refused: anthropic/claude-sonnet-5-5: a price of 0 for input cannot be.');
    expect(await readFile(catalog, 'utf8')).toBe(before);
  });
});

it('says what changed, and what the lists have that the catalog has not', async () => {
  const catalog = join(temporaryFolder(), 'models.json');
  const said: string[] = [];
  const say = (line: string): unknown => said.push(line);
  expect(await makeCatalog({ lists: [], made: TODAY, catalog, say: () => undefined })).toBe(true);
  expect(await makeCatalog({ lists: await savedLists(SAMPLES, '2026-11-30'), made: TODAY, catalog, say })).toBe(true);
  expect(said).toContain('  anthropic/claude-opus-5-5: window 1000000 → 1200000');
  expect(said).toContain('Listed, but not in facts.json: openai/gpt-7');
  expect(said.at(-1)).toBe('31 models, from facts.json and openrouter (7), anthropic (3), openai (2), gemini (2).');
  expect(said.some((line) => line.startsWith('+') || line.startsWith('-'))).toBe(false);
});

describe('lists from servers', () => {
  let close = (): void => undefined;
  afterEach(() => close());

  /** A server on loopback that answers each list's path with a saved page, and the places at it. */
  async function serve(
    change: (path: string, page: string) => { readonly status?: number; readonly page?: string } = () => ({}),
  ): Promise<{ readonly places: typeof PLACES; readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] }> {
    const asked: { path: string; headers: IncomingHttpHeaders }[] = [];
    const server = createServer((request, response) => {
      const [, name = ''] = (request.url ?? '').split(/[/?]/);
      asked.push({ path: request.url ?? '', headers: request.headers });
      void readFile(join(SAMPLES, `${name}.json`), 'utf8').then((saved) => {
        const { status = 200, page = saved } = change(request.url ?? '', saved);
        response.writeHead(status, { 'content-type': 'application/json' }).end(page);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    close = () => void server.close();
    const { port } = server.address() as AddressInfo;
    return { asked, places: PLACES.map((place) => ({ ...place, url: `http://127.0.0.1:${port}/${place.name}${new URL(place.url).search}` })) };
  }

  it('are those without a key, and those whose key is there, each with its own key', async () => {
    const { places, asked } = await serve();
    expect((await fetchLists(TODAY, {}, places)).map(({ name }) => name)).toEqual(['openrouter']);
    const all = await fetchLists(TODAY, { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', GEMINI_API_KEY: 'g' }, places);
    expect(all).toEqual(await savedLists(SAMPLES, TODAY));
    const keys = asked.slice(1).map(({ path, headers }) => [path.split('?')[0], headers['x-api-key'] ?? headers.authorization ?? headers['x-goog-api-key']]);
    expect(Object.fromEntries(keys)).toEqual({ '/openrouter': undefined, '/anthropic': 'a', '/openai': 'Bearer o', '/gemini': 'g' });
  });

  it('are read to their last page', async () => {
    const { places, asked } = await serve((path, page) =>
      path.startsWith('/gemini') && !path.includes('pageToken') ? { page: page.replace(/\}\s*$/, ', "nextPageToken": "a/b" }') } : {},
    );
    const lists = await fetchLists(TODAY, { GEMINI_API_KEY: 'g' }, places);
    expect(lists.find(({ name }) => name === 'gemini')?.count).toBe(4);
    expect(asked.at(-1)?.path).toContain('pageToken=a%2Fb');
  });

  it('that fail or are none end the work', async () => {
    await expect(fetchLists(TODAY, {}, (await serve(() => ({ status: 503 }))).places)).rejects.toThrow(/openrouter: .* status 503/);
    close();
    const nobody = PLACES.map((place) => ({ ...place, url: 'http://127.0.0.1:9/' }));
    await expect(fetchLists(TODAY, {}, nobody)).rejects.toThrow('openrouter: 127.0.0.1:9 cannot be reached.');
    await expect(fetchLists(TODAY, {}, (await serve(() => ({ page: '{"error": "no"}' }))).places)).rejects.toThrow('openrouter: this is no list of models.');
  });
});
