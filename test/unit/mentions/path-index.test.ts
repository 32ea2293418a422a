import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { score, searched, PathIndex } from '../../../src/mentions/path-index.js';
import { mentionOffers } from '../../../src/mentions/typed-mentions.js';
import { ResourceMentions } from '../../../src/mentions/resource-mentions.js';
import { FakeServers } from '../../support/mcp/fake-servers.js';
import { manyPaths } from '../../support/worst-inputs.js';

const never = new AbortController().signal;
const FILES = [
  'README.md',
  'src/chat/composer.ts',
  'src/chat/commands.ts',
  'src/app.ts',
  'src/composer/index.ts',
  'docs/composer.md',
  'lib/mycomposer.ts',
  'src/CommandPalette.ts',
];

describe('searching paths', () => {
  const find = (query: string, limit = 10): Promise<readonly string[]> => PathIndex.of(FILES).find(query, limit, never);

  test('a name that begins so comes before one that holds it, and both before folders of that name further up', async () => {
    const found = await find('composer');
    expect(found[0]).toBe('src/composer/');
    expect(found.indexOf('docs/composer.md')).toBeLessThan(found.indexOf('lib/mycomposer.ts'));
    expect(found.indexOf('src/chat/composer.ts')).toBeLessThan(found.indexOf('src/composer/index.ts'));
  });

  test('letters here and there find a file, best where words begin', async () => {
    expect((await find('cp'))[0]).toBe('src/CommandPalette.ts');
    expect((await find('sccom'))[0]).toMatch(/^src\/chat\/com/);
    expect(await find('zzz')).toEqual([]);
  });

  test('folders are found, and upper and lower case are the same', async () => {
    expect(await find('SRC/CH')).toContain('src/chat/');
    expect((await find('readme'))[0]).toBe('README.md');
    expect((await find('src\\app'))[0]).toBe('src/app.ts');
  });

  test('what fits holds the letters in their order, and what holds them fits', () => {
    const word = fc.string({ unit: fc.constantFrom(...Array.from('abcA/._')), maxLength: 12 });
    fc.assert(
      fc.property(word, word, (query, path) => {
        let at = -1;
        const inOrder = Array.from(query.toLowerCase()).every((letter) => (at = path.toLowerCase().indexOf(letter, at + 1)) >= 0);
        expect(score(query.toLowerCase(), searched(path)) !== undefined).toBe(inOrder);
      }),
    );
  });

  test('the best of many are the same as those of a full sort', async () => {
    const paths = fc.uniqueArray(
      fc.string({ unit: fc.constantFrom(...Array.from('abc./')), minLength: 1, maxLength: 10 }).filter((path) => !/\/\/|^\/|\/$/.test(path)),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(paths, fc.string({ unit: fc.constantFrom(...Array.from('abc')), maxLength: 3 }), async (files, query) => {
        const index = PathIndex.of(files);
        const all = await index.find(query, 10_000, never);
        expect(await index.find(query, 5, never)).toEqual(all.slice(0, 5));
      }),
    );
  });

  test('one of 50,000 files is found by its name, those of a folder by letters of theirs, and a search can be called off', async () => {
    const index = PathIndex.of(manyPaths());
    expect(index.size).toBeGreaterThan(50_000);
    expect(await index.find('component-49999', 30, never)).toEqual(['packages/module-399/src/feature26/component-49999.tsx']);
    expect((await index.find('mod3fea12', 30, never))[0]).toBe('packages/module-3/src/feature12/');
    expect(await index.find('comp', 30, never)).toHaveLength(30);
    expect(await index.find('zzzz', 30, never)).toEqual([]);
    const stop = new AbortController();
    const search = index.find('o', 30, stop.signal);
    stop.abort();
    await search.catch((error: unknown) => expect(error).toMatchObject({ name: 'AbortError' }));
  });
});

describe('offers', () => {
  const servers = new FakeServers();
  afterEach(() => void servers.set('tracker', { resources: [], templates: [] }));
  const symbols = {
    search: (name: string) =>
      Promise.resolve([
        { path: '/ws/src/gate.ts', line: 3, column: 1, text: '', name: `box.${name}`, kind: 'function' },
        { path: '/ws/a.ts', line: 1, column: 1, text: '', name: 'with space()', kind: 'method' },
      ]),
  };
  const ports = {
    paths: () => Promise.resolve(PathIndex.of([...FILES, 'two words.md', 'problems/list.ts'])),
    symbols,
    resources: new ResourceMentions(servers, { smaller: () => Promise.resolve(undefined) }),
    recent: () => ['src/app.ts'],
    display: (path: string) => path.replace('/ws/', ''),
  };
  const inserts = async (query: string): Promise<readonly string[]> => (await mentionOffers(query, ports, never)).map(({ insert }) => insert);

  test('with nothing typed there is what is open, then the special ones', async () => {
    expect(await inserts('')).toEqual(['@src/app.ts', '@problems', '@changes', '@editors', '@terminal', '@#', '@https://']);
  });

  test('files, folders and special ones by what is typed', async () => {
    expect((await inserts('prob')).slice(0, 2)).toEqual(['@problems', '@problems/']);
    expect(await inserts('two')).toContain('@"two words.md"');
    expect(await inserts('https://example')).toEqual([]);
  });

  test('resources of servers come after files, templates as what is to be filled in, no more than ten', async () => {
    servers.set('tracker', {
      resources: [
        { uri: 'issue://7', name: 'issue-7', title: 'App crashes\u202e' },
        { uri: 'note://a b', name: 'appendix' },
      ],
      templates: [{ uriTemplate: 'app://{name}', name: 'By name' }],
    });
    expect(await mentionOffers('app', ports, never)).toEqual([
      expect.objectContaining({ insert: '@src/app.ts' }),
      { insert: '@tracker:issue://7', kind: 'resource', label: String.raw`App crashes\u{202e}`, detail: 'tracker · issue://7' },
      { insert: '@tracker:"note://a b"', kind: 'resource', label: 'appendix', detail: 'tracker · note://a b' },
      {
        insert: '@tracker:app://{name}',
        kind: 'resource',
        label: 'By name',
        detail: 'tracker · app://{name}',
        template: { server: 'tracker', uriTemplate: 'app://{name}' },
      },
    ]);
    expect(await inserts('')).toEqual(expect.arrayContaining(['@src/app.ts', '@problems', '@tracker:issue://7']));
    expect(await inserts('tracker:issue')).toEqual(['@tracker:issue://7']);
    servers.set('tracker', { resources: Array.from({ length: 50 }, (_, index) => ({ uri: `issue://${index}`, name: `issue ${index}` })) });
    expect(await inserts('issue')).toHaveLength(10);
    servers.set('tracker', { status: 'failed' });
    expect(await inserts('issue')).toEqual([]);
    servers.set('tracker', { status: 'connected' });
  });

  test('symbols behind a number sign, by names that are found again', async () => {
    expect(await mentionOffers('#createGate', ports, never)).toEqual([
      { insert: '@#createGate', kind: 'symbol', label: 'box.createGate', detail: 'function · src/gate.ts:3' },
    ]);
    expect(await inserts('#')).toEqual([]);
  });
});
