import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
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
    expect(textOf(await call('grep', { pattern: 'two', path: 'src/a.ts', '-C': 1 }))).toBe(
      'src/a.ts\n1-one\n2:two\n3-three\n--\n5-five\n6:two',
    );
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

  it('is bounded and says so', async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`/ws/f${index}`, '']));
    const text = textOf(await rig({ files: many }).call('glob', { pattern: '*' }));
    expect(text.split('\n')).toHaveLength(201);
    expect(text).toMatch(/PARTIAL/);
  });
});
