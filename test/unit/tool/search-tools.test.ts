import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import type { Search } from '../../../src/domain/workspace/search.js';
import { Sealed } from '../../../src/tool/calls/sealed.js';
import { createGrepTool } from '../../../src/tool/grep.js';
import { toolContext } from '../../support/memory-workspace/index.js';
import { rig, textOf } from './rig.js';

const files = { '/ws/src/a.ts': 'one\ntwo\nthree\nfour\nfive\ntwo\n', '/ws/src/b.js': 'two\n', '/ws/c.md': 'Two\n' };

describe('grep', () => {
  it('lists matching lines by file, with paths from the workspace folder', async () => {
    const result = await rig({ files }).call('grep', { pattern: 'two' });
    expect(textOf(result)).toBe('src/a.ts\n2:two\n6:two\nsrc/b.js\n1:two');
  });

  it('narrows by path, glob and case, and shows context with gaps', async () => {
    const { call } = rig({ files });
    expect(textOf(await call('grep', { pattern: 'two', glob: '*.js' }))).toBe('src/b.js\n1:two');
    expect(textOf(await call('grep', { pattern: 'two', path: 'src/b.js' }))).toBe('src/b.js\n1:two');
    expect(textOf(await call('grep', { pattern: 'two', '-i': true, path: 'c.md' }))).toBe('c.md\n1:Two');
    expect(textOf(await call('grep', { pattern: 'two', path: 'src/a.ts', '-C': 1 }))).toBe('src/a.ts\n1-one\n2:two\n3-three\n--\n5-five\n6:two');
    expect(textOf(await call('grep', { pattern: 'nowhere' }))).toBe('No matches.');
  });

  it('searches every folder, under their names', async () => {
    const { call, tool } = rig({ folders: ['/x/app', '/y/lib'], files: { '/x/app/a': 'hit', '/y/lib/a': 'hit' } });
    expect(textOf(await call('grep', { pattern: 'hit' }))).toBe('app/a\n1:hit\nlib/a\n1:hit');
    const plan = await tool('grep').plan({ pattern: 'hit' }, toolContext());
    expect(plan.accesses).toEqual([
      { kind: 'read', target: '/x/app' },
      { kind: 'read', target: '/y/lib' },
    ]);
  });

  it('is bounded and says so', async () => {
    const { call } = rig({ files: { '/ws/a': 'hit\n'.repeat(300), '/ws/b': `hit${'x'.repeat(1_000)}\n` } });
    const all = textOf(await call('grep', { pattern: 'hit' }));
    expect(all.split('\n')).toHaveLength(202);
    expect(all).toMatch(/\[PARTIAL: there are more matches/);
    expect(textOf(await call('grep', { pattern: 'hit', path: 'b' }))).toMatch(/\[603 more characters in this line\]$/);
  });

  it('gives names of files, or how often each has it', async () => {
    const { call } = rig({ files });
    expect(textOf(await call('grep', { pattern: 'two', output_mode: 'files_with_matches' }))).toBe('src/a.ts\nsrc/b.js');
    expect(textOf(await call('grep', { pattern: 'two', output_mode: 'count' }))).toBe('src/a.ts:2\nsrc/b.js:1');
    expect(textOf(await call('grep', { pattern: 'two', output_mode: 'count', head_limit: 1 }))).toMatch(/^src\/a\.ts:2\n\[PARTIAL.*go on with offset 1\.\]$/);
  });

  it('shows lines before or after only, as asked for', async () => {
    const { call } = rig({ files });
    expect(textOf(await call('grep', { pattern: 'three', '-A': 1 }))).toBe('src/a.ts\n3:three\n4-four');
    expect(textOf(await call('grep', { pattern: 'three', '-B': 1, '-C': 0 }))).toBe('src/a.ts\n2-two\n3:three');
  });

  it('takes several globs', async () => {
    const asked: unknown[] = [];
    const { search, workspace } = rig({ files });
    const spying: Search = { ...search, grep: (query, signal) => (asked.push(query.globs), search.grep(query, signal)) };
    const spied = createGrepTool({ workspace, search: new Sealed(spying) });
    const globs = async (glob: string): Promise<unknown> => {
      await spied.execute(await spied.plan({ pattern: 'two', glob }, toolContext()), toolContext());
      return asked.at(-1);
    };
    expect(await globs('*.ts !*.d.ts')).toEqual(['*.ts', '!*.d.ts']);
    expect(await globs('*.{ts, tsx}, src/**')).toEqual(['*.{ts,tsx}', 'src/**']);
    expect(await globs('a\\ b /ws/src/*.ts !/ws/x')).toEqual(['a\\ b', 'src/*.ts', '!x']);
  });

  it('tool-13: pages through everything, across folders, each match once', async () => {
    const many = (prefix: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${prefix}/f${index + 10}`, 'hit\nno\nhit\n']));
    const { call } = rig({ folders: ['/x/app', '/y/lib'], files: { ...many('/x/app'), ...many('/y/lib') } });
    for (const [mode, total] of [
      ['content', 120],
      ['count', 60],
    ] as const) {
      const seen: string[] = [];
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const text = textOf(await call('grep', { pattern: 'hit', output_mode: mode, head_limit: 7, offset }));
        let file = '';
        for (const line of text.split('\n')) {
          if (!line.startsWith('[') && !/^\d+:/.test(line)) file = line;
          if (mode === 'content' ? /^\d+:/.test(line) : line.includes(':') && !line.startsWith('[')) seen.push(`${file} ${line}`);
        }
        const next = /offset (\d+)\.\]$/.exec(text)?.[1];
        offset = next === undefined ? undefined : Number(next);
      }
      expect(new Set(seen).size).toBe(total);
      expect(seen).toHaveLength(total);
    }
    expect(textOf(await call('grep', { pattern: 'hit', offset: 500 }))).toBe('No matches after the first 500.');
  });

  it('goes on after what there was room for', async () => {
    const { call } = rig({ files: { '/ws/a': `hit ${'x'.repeat(390)}\n`.repeat(300) } });
    const text = textOf(await call('grep', { pattern: 'hit', head_limit: 300, offset: 100 }));
    const shown = text.split('\n').length - 2;
    expect(shown).toBeLessThan(101);
    expect(text).toMatch(new RegExp(`offset ${100 + shown}\\.`));
  });

  it.each([
    [{ pattern: '' }, /pattern is empty/],
    [{ '-A': 0.5 }, /-A must be a whole number from 0 to 50/],
    [{ glob: '../**' }, /cannot hold "\.\."/],
    [{ glob: '!/etc/**' }, /relative to path/],
  ])('%j is refused with what to do', async (args, problem) => {
    await expect(
      rig()
        .tool('grep')
        .plan({ pattern: 'x', ...args }, toolContext()),
    ).rejects.toThrow(problem);
  });

  it('says how a search was made', async () => {
    const { search, workspace } = rig({ files });
    const slow: Search = { ...search, grep: async (query, signal) => ({ ...(await search.grep(query, signal)), note: 'Slowly.' }) };
    const noted = createGrepTool({ workspace, search: new Sealed(slow) });
    expect(textOf(await noted.execute(await noted.plan({ pattern: 'three' }, toolContext()), toolContext()))).toBe('src/a.ts\n3:three\n[Slowly.]');
  });

  it('costs at most 260 tokens', () => {
    expect(encode(JSON.stringify(rig().tool('grep').spec)).length).toBeLessThanOrEqual(260);
  });

  it('without a folder wants to know where', async () => {
    await expect(rig({ folders: [] }).tool('grep').plan({ pattern: 'x' }, toolContext())).rejects.toThrow(/No folder is open/);
  });

  it('says what is wrong with a pattern', async () => {
    expect(await rig({ files }).call('grep', { pattern: '(' })).toMatchObject({ isError: true });
  });
});

describe('glob', () => {
  it('lists files by pattern', async () => {
    const { call } = rig({ files });
    expect(textOf(await call('glob', { pattern: '*.ts' }))).toBe('src/a.ts');
    expect(textOf(await call('glob', { pattern: '*', path: 'src' }))).toBe('src/a.ts\nsrc/b.js');
    expect(textOf(await call('glob', { pattern: '*.zig' }))).toBe('No files match.');
  });

  it.each(['../**', 'a/../../b', '{..,x}/y', '/etc/*', '~/x', 'C:\\x'])('path-14: %s cannot leave the folder', async (pattern) => {
    await expect(rig().tool('glob').plan({ pattern }, toolContext())).rejects.toThrow(ToolInputError);
  });

  it('takes an absolute pattern below the folder as relative to it', async () => {
    const { call, tool } = rig({ files });
    expect(textOf(await call('glob', { pattern: '/ws/src/*.ts' }))).toBe('src/a.ts');
    expect(textOf(await call('glob', { pattern: '/ws/src/*.ts', path: 'src' }))).toBe('src/a.ts');
    await expect(tool('glob').plan({ pattern: '/ws/lib/*.ts', path: 'src' }, toolContext())).rejects.toThrow(/relative to path/);
    expect((await tool('glob').plan({ pattern: '/ws/src/*.ts' }, toolContext())).accesses).toEqual([{ kind: 'read', target: '/ws' }]);
  });

  it('path-14: names the folder that a link leads to, for the permission, and searches no other', async () => {
    const { tool } = rig({ files: { '/ws/a': '', '/out/b': 'hit' }, links: { '/ws/link': '/out' } });
    for (const name of ['glob', 'grep']) {
      const plan = await tool(name).plan({ pattern: '**', path: 'link' }, toolContext());
      expect(plan.accesses).toEqual([
        { kind: 'read', target: '/ws/link' },
        { kind: 'read', target: '/out' },
      ]);
    }
    const outside = await tool('glob').plan({ pattern: '**', path: '../out' }, toolContext());
    expect(outside.accesses).toEqual([{ kind: 'read', target: '/out' }]);
  });

  it('path-14: a folder that became a link after it was planned is not searched', async () => {
    const links: Record<string, string> = {};
    const { tool } = rig({ files: { '/ws/src/a': 'hit', '/out/b': 'hit' }, links });
    for (const name of ['glob', 'grep']) {
      delete links['/ws/src'];
      const plan = await tool(name).plan({ pattern: '**', path: 'src' }, toolContext());
      links['/ws/src'] = '/out';
      const result = await tool(name).execute(plan, toolContext());
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/leads elsewhere than when the call was planned/);
    }
  });

  it('is bounded and says so', async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`/ws/f${index}`, '']));
    const text = textOf(await rig({ files: many }).call('glob', { pattern: '*' }));
    expect(text.split('\n')).toHaveLength(201);
    expect(text).toMatch(/PARTIAL/);
  });
});
