import { applyPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { toolContext } from '../../support/memory-workspace/index.js';
import { rig, textOf } from './rig.js';

describe('write', () => {
  it('creates a file and shows all of it first', async () => {
    const { tool, documents } = rig();
    const plan = await tool('write').plan({ file_path: 'src/new.ts', content: 'a\nb\n' }, toolContext());
    expect(plan.changes).toEqual([{ action: 'create', path: '/ws/src/new.ts', text: 'a\nb\n' }]);
    if (plan.preview.kind !== 'diff') throw new Error('A write must show a diff.');
    expect(plan.preview.created).toBe(true);
    expect(applyPatch('', plan.preview.diff)).toBe('a\nb\n');
    expect(textOf(await tool('write').execute(plan, toolContext()))).toBe('Created src/new.ts: 2 lines.');
    expect(documents.text('/ws/src/new.ts')).toBe('a\nb\n');
  });

  it('refuses to replace what was never read, or has changed since', async () => {
    const { tool, call, documents } = rig({ files: { '/ws/a': 'old' } });
    const plan = (): Promise<unknown> => tool('write').plan({ file_path: 'a', content: 'new' }, toolContext());
    await expect(plan()).rejects.toThrow(/exists and has not been read/);
    await call('read', { file_path: 'a' });
    documents.put('/ws/a', 'other');
    await expect(plan()).rejects.toThrow(/changed since it was read/);
    await call('read', { file_path: 'a' });
    expect(textOf(await call('write', { file_path: 'a', content: 'new' }))).toBe('Replaced a: 1 line.');
    expect(textOf(await call('write', { file_path: 'a', content: 'newer' }))).toBe('Replaced a: 1 line.');
    expect(documents.text('/ws/a')).toBe('newer');
  });

  it('does not create a file that appeared after the plan', async () => {
    const { tool, documents } = rig();
    const plan = await tool('write').plan({ file_path: 'a', content: 'mine' }, toolContext());
    documents.put('/ws/a', 'theirs');
    expect(await tool('write').execute(plan, toolContext())).toMatchObject({ isError: true });
    expect(documents.text('/ws/a')).toBe('theirs');
  });

  it('tool-06: keeps CRLF where the file has nothing else', async () => {
    const { call, documents } = rig({ files: { '/ws/a': 'x\r\ny\r\n' } });
    await call('read', { file_path: 'a' });
    await call('write', { file_path: 'a', content: 'x\nz\n' });
    expect(documents.text('/ws/a')).toBe('x\r\nz\r\n');
  });

  it('refuses folders and content that is there already', async () => {
    const { tool, call } = rig({ files: { '/ws/src/a': 'same' } });
    const plan = (file_path: string): Promise<unknown> => tool('write').plan({ file_path, content: 'same' }, toolContext());
    await expect(plan('src')).rejects.toThrow(/is a folder/);
    await call('read', { file_path: 'src/a' });
    await expect(plan('src/a')).rejects.toThrow(/exactly this content already/);
  });

  it('tool-06: keeps each ending of a mixed file where the line stays', async () => {
    const { call, documents } = rig({ files: { '/ws/a': 'one\r\ntwo\nthree\r\n' } });
    await call('read', { file_path: 'a' });
    await call('write', { file_path: 'a', content: 'one\n2\nthree\n' });
    expect(documents.text('/ws/a')).toBe('one\r\n2\nthree\r\n');
    await call('write', { file_path: 'a', content: 'one\r\n2\r\n' });
    expect(documents.text('/ws/a')).toBe('one\r\n2\r\n');
  });

  const old = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
  it.each([
    '// ... rest of the code',
    '# existing code unchanged',
    '/* unchanged */',
    '    // ...',
    '# … (rest remains the same)',
    '<!-- rest of the file -->',
    '-- the remaining functions stay as they are here',
    '// existing imports ...',
    '{/* ... other components ... */}',
    '[rest of file unchanged]',
    '... rest of the file ...',
    '// Rest of the implementation',
    '"""existing code remains here"""',
    '...',
    'function run() { /* ... existing code ... */ }',
  ])('refuses a fragment with the line %s', async (line) => {
    const { call, tool, documents } = rig({ files: { '/ws/a.ts': old } });
    await call('read', { file_path: 'a.ts' });
    const planned = tool('write').plan({ file_path: 'a.ts', content: `line 0\nnew\n${line}\n` }, toolContext());
    await expect(planned).rejects.toThrow(/Line 3 of the content stands for text left out: .*Use edit to change a part, or send the whole text/);
    expect(documents.text('/ws/a.ts')).toBe(old);
  });

  it.each([
    '// the rest is history',
    '// ...and then some, with care',
    'const rest = [...other];',
    '# Same line twice: see above',
    '// returns the previous value',
    '* unchanged since 2019, do not touch without asking',
  ])('takes the line %s for what it is', async (line) => {
    const { call } = rig({ files: { '/ws/a.ts': old } });
    await call('read', { file_path: 'a.ts' });
    expect(await call('write', { file_path: 'a.ts', content: `line 0\n${line}\n` })).toMatchObject({ isError: false });
  });

  it('takes such a line where the file had it, and one that says little where the text does not shrink', async () => {
    const { call } = rig({ files: { '/ws/a.ts': `${old}// ... rest of the code\n`, '/ws/b.ts': 'short\n' } });
    for (const [file_path, content] of [
      ['a.ts', 'x\n// ... rest of the code\n'],
      ['b.ts', 'x\ny\n// ...\n'],
    ] as const) {
      await call('read', { file_path });
      expect(await call('write', { file_path, content })).toMatchObject({ isError: false });
    }
  });

  it('does not replace a file of which only a part was read', async () => {
    const { call, tool } = rig({ files: { '/ws/a': 'a\nb\nc\nd\n' } });
    const plan = (): Promise<unknown> => tool('write').plan({ file_path: 'a', content: 'x\n' }, toolContext());
    await call('read', { file_path: 'a', offset: 3 });
    await expect(plan()).rejects.toThrow(/Only a part of a has been read. Change it with edit, or read the rest/);
    await call('read', { file_path: 'a', limit: 2 });
    await expect(plan()).rejects.toThrow(/Only a part/);
    await call('edit', { file_path: 'a', old_string: 'c', new_string: 'C' });
    await expect(plan()).rejects.toThrow(/Only a part/);
    await call('read', { file_path: 'a', limit: 2 });
    await call('read', { file_path: 'a', offset: 3 });
    expect(await call('write', { file_path: 'a', content: 'x\n' })).toMatchObject({ isError: false });
  });

  it('refuses line numbers that were copied from read', async () => {
    const { call, tool } = rig({ files: { '/ws/a': 'a\nb\n' } });
    await call('read', { file_path: 'a' });
    await expect(tool('write').plan({ file_path: 'a', content: '1\ta\n2\tc\n' }, toolContext())).rejects.toThrow(/has the line numbers that read shows/);
  });
});
