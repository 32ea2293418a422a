import { describe, expect, it, vi } from 'vitest';
import { toolContext } from '../../support/memory-workspace/index.js';
import { rig, textOf } from './rig.js';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe('read', () => {
  it('numbers lines, whatever ends them', async () => {
    const result = await rig({ files: { '/ws/a.txt': 'one\r\ntwo\nthree' } }).call('read', { file_path: 'a.txt' });
    expect(result).toEqual({ content: [{ type: 'text', text: '1\tone\n2\ttwo\n3\tthree' }], isError: false, outcome: { kind: 'done' } });
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
    expect(textOf(await call('read', { file_path: 'a', offset: 2, limit: 2 }))).toBe('2\tb\n3\tc\n[PARTIAL: lines 2-3 of 4. Continue with offset 4.]');
    expect(textOf(await call('read', { file_path: 'a', offset: 4 }))).toBe('4\td');
    expect(await call('read', { file_path: 'a', offset: 5 })).toMatchObject({ isError: true });
  });

  it('tool-13: is bounded in lines, line length and characters, and says so', async () => {
    const files = { '/ws/lines': 'x\n'.repeat(5_000), '/ws/long': `${'y'.repeat(50_000)}\nz\n`, '/ws/both': `${'z'.repeat(1_900)}\n`.repeat(1_000) };
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

  it('refuses binaries with type and size, and missing files', async () => {
    const { call } = rig({ files: { '/ws/a.zip': Uint8Array.from([1, 0, 2]), '/ws/src/b': '' } });
    const binary = await call('read', { file_path: 'a.zip' });
    expect(binary.isError).toBe(true);
    expect(textOf(binary)).toBe('a.zip is a binary file (.zip) of 3 bytes, not text.');
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

  it('marks numbers with an arrow where lines begin with a tab', async () => {
    const result = await rig({ files: { '/ws/a.go': 'func f() {\n\treturn\n}\n' } }).call('read', { file_path: 'a.go' });
    expect(textOf(result)).toBe('1→func f() {\n2→\treturn\n3→}');
  });

  it('tool-13: says how to see more of a long line', async () => {
    const { call } = rig({ files: { '/ws/a': `x\n${'y'.repeat(5_000)}\n` } });
    expect(textOf(await call('read', { file_path: 'a' }))).toMatch(
      /^\[PARTIAL: lines are cut at 2000 characters\. .*sed -n 2p FILE \| cut -c 2001-4000\]\n1\tx\n2\ty+… \[3000 more/,
    );
  });

  it('tool-13: reads parts of a file too large to be held whole, and says that it cannot be edited', async () => {
    const { call, documents } = rig({ files: { '/ws/a.log': 'x' } });
    vi.spyOn(documents, 'read').mockResolvedValue({ kind: 'large', path: '/ws/a.log', size: 2 * 1024 ** 3, limit: 50 * 1024 ** 2 });
    const readLines = vi.spyOn(documents, 'readLines');
    readLines.mockResolvedValueOnce({
      lines: [
        { text: 'five', omitted: 0 },
        { text: 'six', omitted: 7 },
      ],
      total: undefined,
    });
    expect(textOf(await call('read', { file_path: 'a.log', offset: 5, limit: 2 }))).toBe(
      '[The file has 2 GB. edit takes up to 50 MB; change this one with a command.]\n' +
        '[PARTIAL: lines are cut at 2000 characters. More of one with bash: sed -n 6p FILE | cut -c 2001-4000]\n' +
        '5\tfive\n6\tsix… [7 more bytes in this line]\n[PARTIAL: lines 5-6 of 2 GB. Continue with offset 7.]',
    );
    expect(readLines.mock.calls[0]?.[1]).toMatchObject({ first: 5, lines: 2 });
    readLines.mockResolvedValueOnce({ lines: [], total: 9 });
    expect(await call('read', { file_path: 'a.log', offset: 50 })).toMatchObject({ isError: true });
  });

  it('path-18: shows what is in a folder', async () => {
    const { call } = rig({ files: { '/ws/src/b.ts': 'x', '/ws/src/sub/c.ts': '', '/ws/src/a\n.ts': '' } });
    const result = await call('read', { file_path: 'src' });
    expect(result.isError).toBe(false);
    expect(textOf(result)).toBe('sub/\na\\u{a}.ts 0 bytes\nb.ts 1 byte');
    expect(await call('list', { path: 'src' })).toEqual(result);
  });

  it('offers names that come near a missing one, inside the workspace', async () => {
    const files = { '/ws/src/index.ts': '', '/ws/src/View.tsx': '', '/ws/src/unrelated.css': '', '/etc/passwd': '' };
    const { call } = rig({ files });
    const missing = async (file_path: string): Promise<string> => textOf(await call('read', { file_path }));
    expect(await missing('src/indx.ts')).toBe('src/indx.ts does not exist. Did you mean src/index.ts?');
    expect(await missing('src/view.ts')).toMatch(/Did you mean src\/View\.tsx\?/);
    expect(await missing('src/INDEX.TS')).toMatch(/Did you mean src\/index\.ts\?/);
    expect(await missing('src/index.js')).toMatch(/Did you mean src\/index\.ts\?/);
    expect(await missing('src/other-thing.md')).toBe('src/other-thing.md does not exist. Use list or glob to see what is there.');
    expect(await missing('none/index.ts')).toMatch(/Use list or glob/);
    expect(await missing('/etc/passwdd')).toBe('/etc/passwdd does not exist. Use list or glob to see what is there.');
  });
});

describe('read of notebooks', () => {
  const output = { output_type: 'display_data', data: { 'text/plain': ['<Figure>'], 'image/png': 'A'.repeat(2_048) } };
  const cells = [
    { cell_type: 'markdown', source: ['# Title\n', 'text'] },
    { cell_type: 'code', source: 'plot()', outputs: [{ output_type: 'stream', text: ['hi\n'] }, output, { output_type: 'error', ename: 'E', evalue: 'bad' }] },
  ];
  const notebook = JSON.stringify({ cells, metadata: { kernelspec: { language: 'python' } }, nbformat: 4 }, undefined, 1);

  it('shows cells with short outputs, and names images', async () => {
    const { call, tool } = rig({ files: { '/ws/a.ipynb': notebook } });
    expect(textOf(await call('read', { file_path: 'a.ipynb' }))).toBe(
      '[Notebook, 2 cells. edit and write take this text: a line such as %% cell code or %% cell markdown begins a new cell. Lines with | are outputs: not part of the text.]\n' +
        '1\t%% cell markdown nr=1\n2\t# Title\n3\ttext\n' +
        '4\t%% cell code python nr=2\n5\tplot()\n| hi\n| <Figure>\n| [image/png, 2 KB]\n| E: bad',
    );
    // All lines were seen, so all may be replaced.
    await expect(tool('write').plan({ file_path: 'a.ipynb', content: '%% cell code nr=2\nplot()\n' }, toolContext())).resolves.toBeDefined();
  });

  it('pages by lines of the cells, and says of what is no notebook why', async () => {
    const { call } = rig({
      files: {
        '/ws/a.ipynb': notebook,
        '/ws/b.ipynb': '{"cells": [',
        '/ws/c.ipynb': '{"cells": [{"source": 3}]}',
        '/ws/d.ipynb': '{"nbformat": 3, "worksheets": []}',
      },
    });
    expect(textOf(await call('read', { file_path: 'a.ipynb', offset: 4, limit: 1 }))).toMatch(/\]\n4\t%% cell code python nr=2\n\[PARTIAL: lines 4-4 of 5/);
    expect(textOf(await call('read', { file_path: 'b.ipynb' }))).toMatch(
      /^\[This notebook cannot be shown as cells: it is broken JSON: .*\]\n1\t\{"cells": \[$/,
    );
    expect(textOf(await call('read', { file_path: 'c.ipynb' }))).toMatch(/cell 1 is not as nbformat 4 has it.*\]\n1\t\{/);
    expect(textOf(await call('read', { file_path: 'd.ipynb' }))).toMatch(/it has nbformat 3; only 4 is understood.*\]\n1\t\{/);
  });

  it('is bounded, and says how to go on', async () => {
    const output = [{ output_type: 'stream', text: 'o'.repeat(9_000) }];
    const many = Array.from({ length: 100 }, () => ({ cell_type: 'code', source: `${'x'.repeat(1_500)}\n`.repeat(2), outputs: output }));
    const { call } = rig({ files: { '/ws/a.ipynb': JSON.stringify({ cells: many }) } });
    const shown = textOf(await call('read', { file_path: 'a.ipynb' }));
    expect(shown.length).toBeLessThan(105_000);
    expect(shown).toMatch(/\n\| o{1000}… \[8000 more characters\]\n/);
    expect(shown).toMatch(/\n\| \[left out; read with offset \d+\]\n/);
    expect(shown).toMatch(/\[PARTIAL: lines 1-\d+ of 400\. Continue with offset \d+\.\]$/);
  });
});
