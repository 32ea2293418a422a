import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../../src/domain/errors.js';
import type { GrepQuery, Search } from '../../../../src/domain/workspace/search.js';
import { createPlainSearch } from '../../../../src/node/search/plain-search.js';
import { ENDLESS } from '../../../support/worst-inputs.js';

const { signal } = new AbortController();
const NOTE = /^Searched without ripgrep/;

function searchOf(files: Readonly<Record<string, string | undefined>>): Search {
  const paths = Object.keys(files);
  return createPlainSearch({
    list: (path, limit) => Promise.resolve(paths.filter((file) => file === path || file.startsWith(`${path}/`)).slice(0, limit)),
    read: (path) => Promise.resolve(files[path]),
    modified: (path) => Promise.resolve(paths.indexOf(path)),
  });
}

const query = { pattern: 'hit', path: '/ws', globs: [], literal: false, ignoreCase: false, word: false, multiline: false, ignored: false };
const files = { '/ws/b.ts': 'one\nhit\nthree\nhits\n', '/ws/a.md': 'Hit\r\nx hit y\r\n', '/ws/big': undefined, '/out/c': 'hit' };

async function shown(search: Search, wanted: Partial<GrepQuery>): Promise<string[]> {
  const { lines } = await search.grep({ ...query, before: 0, after: 0, offset: 0, limit: 100, ...wanted }, signal);
  return lines.map(({ path, line, text, match }) => `${path}${match ? ':' : '-'}${line} ${text}`);
}

describe('search without ripgrep', () => {
  it('finds lines with the usual switches', async () => {
    const search = searchOf(files);
    expect(await shown(search, {})).toEqual(['/ws/a.md:2 x hit y', '/ws/b.ts:2 hit', '/ws/b.ts:4 hits']);
    expect(await shown(search, { ignoreCase: true, globs: ['*.md'] })).toEqual(['/ws/a.md:1 Hit', '/ws/a.md:2 x hit y']);
    expect(await shown(search, { pattern: '(?i)HIT$', globs: ['*.md'] })).toEqual(['/ws/a.md:1 Hit']);
    expect(await shown(search, { word: true, path: '/ws/b.ts' })).toEqual(['/ws/b.ts:2 hit']);
    expect(await shown(search, { pattern: 'h.t', literal: true })).toEqual([]);
    expect(await shown(search, { pattern: 'three', before: 1 })).toEqual(['/ws/b.ts-2 hit', '/ws/b.ts:3 three']);
    expect(await shown(search, { pattern: 'hit.three', multiline: true })).toEqual(['/ws/b.ts:2 hit', '/ws/b.ts:3 three']);
    expect(await shown(search, { offset: 1, limit: 1 })).toEqual(['/ws/b.ts:2 hit']);
  });

  it('gives files and counts, and the newest files first', async () => {
    const search = searchOf(files);
    expect(await search.grepFiles({ ...query, counts: true, offset: 0, limit: 1 }, signal)).toMatchObject({
      files: [{ path: '/ws/a.md', count: 1 }],
      truncated: true,
      note: expect.stringMatching(NOTE) as string,
    });
    expect(await search.glob({ pattern: '*.{ts,md}', path: '/ws', limit: 10 }, signal)).toMatchObject({ paths: ['/ws/a.md', '/ws/b.ts'], truncated: false });
  });

  it('is bounded, and says how it searched', async () => {
    const search = searchOf(Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`/ws/${index}`, 'hit'])));
    const found = await search.grep({ ...query, before: 0, after: 0, offset: 0, limit: 5 }, signal);
    expect(found).toMatchObject({ truncated: true, note: expect.stringMatching(NOTE) as string });
    expect(found.lines).toHaveLength(5);
    expect((await search.glob({ pattern: '*', path: '/ws', limit: 10_000 }, signal)).paths).toHaveLength(5_000);
    expect((await search.grep({ ...query, pattern: 'none', before: 0, after: 0, offset: 0, limit: 5 }, signal)).truncated).toBe(true);
  });

  it('a pattern that would take for ever is stopped', async () => {
    const search = searchOf({ '/ws/a': ENDLESS.line });
    await expect(shown(search, { pattern: ENDLESS.pattern })).rejects.toThrow(/takes too long/);
    await expect(shown(search, { pattern: ENDLESS.pattern, multiline: true })).rejects.toThrow(/takes too long/);
  });

  it('says what it cannot do', async () => {
    await expect(shown(searchOf(files), { pattern: '(' })).rejects.toThrow(ToolInputError);
    await expect(shown(searchOf(files), { type: 'ts' })).rejects.toThrow(/needs ripgrep/);
    await expect(searchOf(files).grepFiles({ ...query, counts: false, offset: 0, limit: 1 }, AbortSignal.abort())).rejects.toThrow(/abort/i);
  });
});
