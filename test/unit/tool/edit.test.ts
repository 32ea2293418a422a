import { applyPatch } from 'diff';
import { describe, expect, it, vi } from 'vitest';
import type { Diagnostic, Diagnostics } from '../../../src/domain/workspace/code-intelligence.js';
import { ToolInputError } from '../../../src/domain/errors.js';
import { createTools } from '../../../src/tool/index.js';
import { createMemoryWorkspace, toolContext } from '../../support/memory-workspace/index.js';
import { rig, textOf } from './rig.js';
import { settledPlan } from '../../support/settled-plan.js';

const edit = (old_string: string, new_string: string, more: object = {}): object => ({ file_path: 'a.ts', old_string, new_string, ...more });

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
    expect(await call('edit', edit('two', '2'))).toEqual({ content: [{ type: 'text', text: 'Edited a.ts: 1 replacement at line 2.' }], isError: false });
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
    await expect(tool('edit').plan(edit('x =', 'z ='), toolContext())).rejects.toThrow(/Found at lines 1, 3:\n1\tx = 1\n2\ty\n3\tx = 1/);
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

  it('tool-10: finds look-alike quotes, says so and keeps them', async () => {
    const { call, documents } = rig({ files: { '/ws/a.ts': 'a\nsay(“hi”)\n' } });
    expect(textOf(await call('edit', edit('say("hi")', 'tell("hi")')))).toMatch(/Not an exact match: quotes, dashes or spaces look alike/);
    expect(documents.text('/ws/a.ts')).toBe('a\ntell(“hi”)\n');
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

  it('tool-12: a file too large to be held whole is refused with its size and a way on', async () => {
    const { tool, documents } = rig({ files: { '/ws/a.ts': '' } });
    vi.spyOn(documents, 'read').mockResolvedValue({ kind: 'large', path: '/ws/a.ts', size: 3 * 1024 ** 3, limit: 50 * 1024 ** 2 });
    await expect(tool('edit').plan(edit('a', 'b'), toolContext())).rejects.toThrow(/a\.ts is too large: 3 GB; files of at most 50 MB.*with a command/);
  });

  it('tool-12: refuses documents that are no files', async () => {
    const { tool } = rig();
    for (const file_path of ['untitled:Untitled-1', 'git:/ws/a.ts?{}', 'vscode-notebook-cell:/ws/a']) {
      await expect(tool('edit').plan({ ...edit('a', 'b'), file_path }, toolContext())).rejects.toThrow(/not a file on this machine/);
      await expect(tool('write').plan({ file_path, content: '' }, toolContext())).rejects.toThrow(/not a file on this machine/);
    }
  });
});

describe('edit with several replacements', () => {
  const edits = (...pairs: readonly (readonly [string, string, boolean?])[]): object => ({
    file_path: 'a.ts',
    edits: pairs.map(([old_string, new_string, replace_all]) => ({ old_string, new_string, ...(replace_all === undefined ? {} : { replace_all }) })),
  });

  it('makes them in order, each in what those before it left', async () => {
    const { call, documents } = rig({ files: { '/ws/a.ts': 'one\ntwo\nx x\n' } });
    const result = await call('edit', edits(['one', 'zero\none'], ['zero', '0'], ['x', 'y', true]));
    expect(textOf(result)).toBe('Edited a.ts: 4 replacements at lines 1, 4.');
    expect(documents.text('/ws/a.ts')).toBe('0\none\ntwo\ny y\n');
    expect(documents.applied).toHaveLength(1);
  });

  it('makes all or none, and names the one that cannot be made', async () => {
    const { call, tool, documents } = rig({ files: { '/ws/a.ts': 'one\ntwo\ntwo\n' } });
    await call('read', { file_path: 'a.ts' });
    const plan = (...pairs: readonly (readonly [string, string])[]): Promise<unknown> => tool('edit').plan(edits(...pairs), toolContext());
    await expect(plan(['one', '1'], ['three', '3'])).rejects.toThrow(/^Edit 2 of 2: old_string was not found in a\.ts; nothing was changed/);
    await expect(plan(['one', '1'], ['two', '2'])).rejects.toThrow(/^Edit 2 of 2: old_string occurs 2 times/);
    await expect(plan(['one', '1'], ['one', '2'])).rejects.toThrow(/An edit before it in this call has changed that text already/);
    expect(documents.applied).toEqual([]);
    expect(documents.text('/ws/a.ts')).toBe('one\ntwo\ntwo\n');
  });

  it('says which of them was no exact match', async () => {
    const { call } = rig({ files: { '/ws/a.ts': '  one\n  two\n' } });
    expect(textOf(await call('edit', edits(['one', '1'], ['two\n', '2\n'])))).not.toMatch(/exact/);
    expect(textOf(await call('edit', edits(['1', 'one'], [' 2\n', ' two\n'], ['    two\n', '    2\n'])))).toMatch(
      /\nEdit 3 of 3: Not an exact match: indentation/,
    );
  });

  it('takes the forms in which models write them', async () => {
    const { call, documents } = rig({ files: { '/ws/a.ts': 'a b c d' } });
    const one = { old_string: 'a', new_string: '1' };
    await call('edit', { file_path: 'a.ts', ...one });
    await call('edit', { file_path: 'a.ts', edits: JSON.stringify([{ old_string: 'b', new_string: '2' }]) });
    await call('edit', { file_path: 'a.ts', edits: { old_string: 'c', new_string: '3' } });
    await call('edit', { file_path: 'a.ts', edits: [], old_string: 'd', new_string: '4', replace_all: true });
    expect(documents.text('/ws/a.ts')).toBe('1 2 3 4');
  });

  it.each([
    [{ file_path: 'a.ts' }, /edits\.0\.old_string: missing, must be a string\n- edits\.0\.new_string: missing/],
    [{ file_path: 'a.ts', edits: 'no' }, /edits: must be an array, not a string/],
    [
      {
        file_path: 'a.ts',
        edits: [
          { old_string: '', new_string: '' },
          { old_string: 'a', new_string: 'b' },
        ],
      },
      /old_string must not be empty; nothing/,
    ],
    [{ file_path: 'a.ts', edits: [{ old_string: 'a' }] }, /edits\.0\.new_string: missing/],
    [{ file_path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b' }], old_string: 'c', new_string: 'd' }, /unknown: .*old_string, new_string/],
  ])('stream-18: refuses %j', async (args, problem) => {
    await expect(rig().tool('edit').plan(args, toolContext())).rejects.toThrow(problem);
  });
});

describe('problems that a change brings', () => {
  const problem = (line: number, message: string, severity: Diagnostic['severity'] = 'error'): Diagnostic => ({
    path: '/ws/a.ts',
    line,
    column: 1,
    severity,
    message,
    source: 'ts',
  });

  /** A language server that finds `before`, and `after` once it has looked again. */
  function server(before: readonly Diagnostic[], after: readonly Diagnostic[]): Diagnostics {
    let found = before;
    return {
      current: () => found,
      settled: (_path, signal) => {
        signal.throwIfAborted();
        found = after;
        return Promise.resolve();
      },
    };
  }

  async function resultWith(diagnostics: Diagnostics, context = toolContext()): Promise<string> {
    const memory = createMemoryWorkspace({ files: { '/ws/a.ts': 'one\n' } });
    const tool = createTools({ ...memory, diagnostics }).find(({ spec }) => spec.name === 'edit');
    if (tool === undefined) throw new Error('There is no edit tool.');
    return textOf(await tool.execute(await settledPlan(tool, edit('one', 'two'), toolContext()), context));
  }

  it('are told with the result, old ones and hints apart', async () => {
    const before = [problem(1, 'old'), problem(2, 'twice')];
    const after = [problem(4, 'old'), problem(5, 'twice'), problem(6, 'twice'), problem(7, 'is\nnew', 'warning'), problem(8, 'hint', 'hint')];
    expect(await resultWith(server(before, after))).toBe(
      'Edited a.ts: 1 replacement at line 1.\n2 new problems:\nline 6: error: twice (ts)\nline 7: warning: is new (ts)',
    );
    expect(await resultWith(server(before, before))).toBe('Edited a.ts: 1 replacement at line 1.');
  });

  it('are counted beyond ten', async () => {
    const after = Array.from({ length: 13 }, (_, index) => problem(index + 1, `m${index}`));
    const lines = (await resultWith(server([], after))).split('\n');
    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toBe('and 3 more');
  });

  it('do not matter to a call that is stopped after it has written', async () => {
    const stop = new AbortController();
    const diagnostics: Diagnostics = {
      current: () => [],
      settled: (_path, signal) => {
        stop.abort();
        return Promise.reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
      },
    };
    expect(await resultWith(diagnostics, toolContext({ signal: stop.signal }))).toBe('Edited a.ts: 1 replacement at line 1.');
  });
});
