import { applyPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { toolContext } from '../../support/memory-workspace/index.js';
import { rig, textOf } from './rig.js';

describe('write', () => {
  it('creates a file and shows all of it first', async () => {
    const { tool, documents } = rig();
    const plan = await tool('write').plan({ file_path: 'src/new.ts', content: 'a\nb\n' }, toolContext());
    expect(plan.changes).toEqual([{ path: '/ws/src/new.ts', baseHash: undefined, text: 'a\nb\n' }]);
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
});
