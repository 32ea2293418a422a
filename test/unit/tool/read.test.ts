import { describe, expect, it } from 'vitest';
import { toolContext } from '../../support/memory-workspace/index.js';
import { rig, textOf } from './rig.js';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe('read', () => {
  it('numbers lines, whatever ends them', async () => {
    const result = await rig({ files: { '/ws/a.txt': 'one\r\ntwo\nthree' } }).call('read', { file_path: 'a.txt' });
    expect(result).toEqual({ content: [{ type: 'text', text: '1\tone\n2\ttwo\n3\tthree' }], isError: false });
  });

  it('plans one read of the absolute path, and nothing to show', async () => {
    const plan = await rig().tool('read').plan({ file_path: 'src/../a.ts' }, toolContext());
    expect(plan).toMatchObject({ tool: 'read', subject: 'a.ts', accesses: [{ kind: 'read', target: '/ws/a.ts' }] });
    expect(plan.preview).toEqual({ kind: 'none' });
    expect(plan.changes).toEqual([]);
  });

  it('path-04: names the file behind a link as well', async () => {
    const { tool } = rig({ links: { '/ws/notes.md': '/home/user/.ssh/keys' } });
    const plan = await tool('read').plan({ file_path: 'notes.md' }, toolContext());
    expect(plan.accesses.map((access) => access.target)).toEqual(['/ws/notes.md', '/home/user/.ssh/keys']);
  });

  it('pages with offset and limit and says how to go on', async () => {
    const { call } = rig({ files: { '/ws/a': 'a\nb\nc\nd\n' } });
    expect(textOf(await call('read', { file_path: 'a', offset: 2, limit: 2 }))).toBe(
      '2\tb\n3\tc\n[PARTIAL: lines 2-3 of 4. Continue with offset 4.]',
    );
    expect(textOf(await call('read', { file_path: 'a', offset: 4 }))).toBe('4\td');
    expect(await call('read', { file_path: 'a', offset: 5 })).toMatchObject({ isError: true });
  });

  it('tool-13: is bounded in lines, line length and characters, and says so', async () => {
    const files = {
      '/ws/lines': 'x\n'.repeat(5_000),
      '/ws/long': `${'y'.repeat(50_000)}\nz\n`,
      '/ws/both': `${'z'.repeat(1_900)}\n`.repeat(1_000),
    };
    const { call } = rig({ files });
    expect(textOf(await call('read', { file_path: 'lines' }))).toMatch(/\[PARTIAL: lines 1-2000 of 5000\. Continue with offset 2001\.\]$/);
    expect(textOf(await call('read', { file_path: 'long' }))).toMatch(/y… \[48000 more characters in this line\]\n2\tz$/);
    const both = textOf(await call('read', { file_path: 'both' }));
    expect(both.length).toBeLessThan(81_000);
    expect(both).toMatch(/Continue with offset \d+/);
  });

  it('returns images as images', async () => {
    const result = await rig({ files: { '/ws/a.png': PNG } }).call('read', { file_path: 'a.png' });
    expect(result.content).toEqual([
      { type: 'text', text: 'a.png: image/png, 8 bytes' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
    ]);
  });

  it('refuses binaries with type and size, folders and missing files', async () => {
    const { call } = rig({ files: { '/ws/a.zip': Uint8Array.from([1, 0, 2]), '/ws/src/b': '' } });
    const binary = await call('read', { file_path: 'a.zip' });
    expect(binary.isError).toBe(true);
    expect(textOf(binary)).toBe('a.zip is a binary file (.zip) of 3 bytes, not text.');
    expect(await call('read', { file_path: 'src' })).toMatchObject({ isError: true });
    expect(await call('read', { file_path: 'none' })).toMatchObject({ isError: true });
    expect(textOf(await call('read', { file_path: 'src/b' }))).toBe('src/b is empty.');
  });

  it('tool-15: shows names that hide something escaped', async () => {
    const plan = await rig().tool('read').plan({ file_path: 'a\nb\u202Egnp.exe' }, toolContext());
    expect(plan.subject).toBe('a\\u{a}b\\u{202e}gnp.exe');
  });

  it('tool-07: says that text comes from the editor', async () => {
    const { call, documents } = rig({ files: { '/ws/a': 'x' } });
    documents.markUnsaved('/ws/a');
    expect(textOf(await call('read', { file_path: 'a' }))).toMatch(/unsaved changes.*\n1\tx/);
  });
});
