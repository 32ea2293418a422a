import { applyPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import { toolContext } from '../../support/memory-workspace/index.js';
import { rig, textOf } from './rig.js';

const edit = (old_string: string, new_string: string, more: object = {}): object => ({
  file_path: 'a.ts',
  old_string,
  new_string,
  ...more,
});

describe('edit', () => {
  it('plans the whole new text and a diff, and touches nothing yet', async () => {
    const text = 'one\ntwo\nthree\n';
    const { tool, documents } = rig({ files: { '/ws/a.ts': text } });
    const plan = await tool('edit').plan(edit('two', '2'), toolContext());
    expect(plan).toMatchObject({ tool: 'edit', subject: 'a.ts', accesses: [{ kind: 'write', target: '/ws/a.ts' }] });
    expect(plan.changes).toMatchObject([{ path: '/ws/a.ts', text: 'one\n2\nthree\n' }]);
    if (plan.preview.kind !== 'diff') throw new Error('An edit must show a diff.');
    expect(plan.preview).toMatchObject({ path: '/ws/a.ts', created: false });
    expect(applyPatch(text, plan.preview.diff)).toBe('one\n2\nthree\n');
    expect(documents.applied).toEqual([]);
  });

  it('writes exactly the planned change and reports it', async () => {
    const { call, documents } = rig({ files: { '/ws/a.ts': 'one\ntwo\n' } });
    expect(await call('edit', edit('two', '2'))).toEqual({
      content: [{ type: 'text', text: 'Edited a.ts: 1 replacement at line 2.' }],
      isError: false,
    });
    expect(documents.text('/ws/a.ts')).toBe('one\n2\n');
  });

  it('path-04: writes to the real file that was judged', async () => {
    const { tool } = rig({ files: { '/ws/real.ts': 'x' }, links: { '/ws/a.ts': '/ws/real.ts' } });
    const plan = await tool('edit').plan(edit('x', 'y'), toolContext());
    expect(plan.changes[0]?.path).toBe('/ws/real.ts');
  });

  it('tool-10: an ambiguous text is refused with line numbers, unless replace_all', async () => {
    const { call, tool, documents } = rig({ files: { '/ws/a.ts': 'x = 1\ny\nx = 1\n' } });
    await expect(tool('edit').plan(edit('x = 1', '$&'), toolContext())).rejects.toThrow(/occurs 2 times in a\.ts.*\nFound at lines 1, 3\./);
    expect(textOf(await call('edit', edit('x = 1', '$&', { replace_all: true })))).toMatch(/2 replacements at lines 1, 3/);
    expect(documents.text('/ws/a.ts')).toBe('$&\ny\n$&\n');
  });

  it('shows candidates with their content once the file was read', async () => {
    const { call, tool } = rig({ files: { '/ws/a.ts': 'x = 1\ny\nx = 1\n' } });
    await call('read', { file_path: 'a.ts' });
    await expect(tool('edit').plan(edit('x =', 'z ='), toolContext())).rejects.toThrow(/1\tx = 1\n3\tx = 1/);
  });

  it('shows the nearest lines of a file that was read, and nothing of one that was not', async () => {
    const { call, tool } = rig({ files: { '/ws/a.ts': 'alpha\nfunction f() {\n  return secret;\n}\n' } });
    const plan = (): Promise<unknown> => tool('edit').plan(edit('function f() {\n  return 2;\n}', 'x'), toolContext());
    const unread = await plan().catch((error: unknown) => String(error));
    expect(unread).toMatch(/not found in a\.ts; nothing was changed\. Read the file first/);
    expect(unread).not.toContain('secret');
    await call('read', { file_path: 'a.ts' });
    await expect(plan()).rejects.toThrow(/nearest lines are:\n2\tfunction f\(\) \{\n3\t {2}return secret;/);
  });

  it('tool-10: points at look-alike quotes instead of changing them', async () => {
    const { call, tool } = rig({ files: { '/ws/a.ts': 'a\nsay(“hi”)\n' } });
    await call('read', { file_path: 'a.ts' });
    await expect(tool('edit').plan(edit('say("hi")', 'x'), toolContext())).rejects.toThrow(/Line 2 differs only in quotes/);
  });

  it('says when the new text is there already, and when nothing would change', async () => {
    const { call, tool } = rig({ files: { '/ws/a.ts': 'a\nnew()\n' } });
    await call('read', { file_path: 'a.ts' });
    await expect(tool('edit').plan(edit('old()', 'new()'), toolContext())).rejects.toThrow(/there already, at line 2/);
    await expect(tool('edit').plan(edit('new()', 'new()'), toolContext())).rejects.toThrow(/change nothing/);
  });

  it('tool-08: refuses a file that changed since it was read, while planning and while running', async () => {
    const { call, tool, documents } = rig({ files: { '/ws/a.ts': 'aa bb' } });
    await call('read', { file_path: 'a.ts' });
    const plan = await tool('edit').plan(edit('aa', 'cc'), toolContext());
    documents.put('/ws/a.ts', 'aa xx');
    expect(await tool('edit').execute(plan, toolContext())).toMatchObject({ isError: true });
    await expect(tool('edit').plan(edit('aa', 'cc'), toolContext())).rejects.toThrow(/changed since it was read. Read it again/);
    await call('read', { file_path: 'a.ts' });
    expect(await call('edit', edit('aa', 'cc'))).toMatchObject({ isError: false });
    expect(documents.text('/ws/a.ts')).toBe('cc xx');
  });

  it('tool-16: the second of two edits sees the first; one planned before it is refused', async () => {
    const { call, tool, documents } = rig({ files: { '/ws/a.ts': 'one two' } });
    const stale = await tool('edit').plan(edit('two', '2'), toolContext());
    await call('edit', edit('one', '1'));
    expect(await tool('edit').execute(stale, toolContext())).toMatchObject({ isError: true });
    await call('edit', edit('two', '2'));
    expect(documents.text('/ws/a.ts')).toBe('1 2');
  });

  it('tool-09: says when saving changed the file, and goes on from what is there', async () => {
    const { call, documents } = rig({ files: { '/ws/a.ts': 'one\n' } });
    documents.onSave((text) => `${text.trimEnd()};\n`);
    expect(textOf(await call('edit', edit('one', 'two')))).toMatch(/the editor changed the file further/);
    expect(await call('edit', edit('two;', 'three'))).toMatchObject({ isError: false });
  });

  it('tool-07: says that the change waits in the editor', async () => {
    const { call, documents } = rig({ files: { '/ws/a.ts': 'one' } });
    documents.markUnsaved('/ws/a.ts');
    expect(textOf(await call('edit', edit('one', 'two')))).toMatch(/not saved to disk yet/);
  });

  it('path-14: reads nothing outside the workspace before a read was allowed there', async () => {
    const { tool, call } = rig({ files: { '/etc/secret': 'key=1' } });
    const args = { file_path: '/etc/secret', old_string: 'key=1', new_string: '' };
    await expect(tool('edit').plan(args, toolContext())).rejects.toThrow(/outside the workspace and has not been read/);
    await call('read', { file_path: '/etc/secret' });
    expect((await tool('edit').plan(args, toolContext())).accesses).toEqual([{ kind: 'write', target: '/etc/secret' }]);
  });

  it('refuses binaries and missing files', async () => {
    const { tool } = rig({ files: { '/ws/b.bin': Uint8Array.from([0]) } });
    const plan = (file_path: string): Promise<unknown> => tool('edit').plan({ file_path, old_string: 'a', new_string: 'b' }, toolContext());
    await expect(plan('b.bin')).rejects.toThrow(ToolInputError);
    await expect(plan('none')).rejects.toThrow(/does not exist/);
  });
});
