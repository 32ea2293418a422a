import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import { toolContext } from '../../support/memory-workspace/index.js';
import { rig, textOf } from './rig.js';

const patch = (...lines: readonly string[]): object => ({ patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

/** What is there when patches are refused. */
const FILES = { '/ws/a.ts': 'a\nxabc\n', '/ws/c.ts': 'c\n', '/ws/folder/d.ts': 'd\n', '/ws/a.bin': new Uint8Array([0, 1, 2]), '/etc/x': 'a\n' };

const CLASSES = ['class A {', '  run() {', '    return 1;', '  }', '}', '', 'class B {', '  run() {', '    return 1;', '  }', '}', ''].join('\n');

async function patched(text: string, args: object): Promise<string | undefined> {
  const { call, documents } = rig({ files: { '/ws/a.ts': text } });
  const result = await call('apply_patch', args);
  if (result.isError) throw new Error(textOf(result));
  return documents.text('/ws/a.ts');
}

describe('apply_patch', () => {
  it('plans the whole new text and a diff as edit does, and says what it did', async () => {
    const { tool, call, documents } = rig({ files: { '/ws/a.ts': 'one\ntwo\nthree\n' } });
    const args = patch('*** Update File: a.ts', '@@', ' one', '-two', '+2', ' three');
    const plan = await tool('apply_patch').plan(args, toolContext());
    expect(plan).toMatchObject({
      tool: 'apply_patch',
      subject: 'a.ts',
      accesses: [{ kind: 'write', target: '/ws/a.ts' }],
      preview: { kind: 'diff', created: false },
    });
    expect(plan.changes).toMatchObject([{ path: '/ws/a.ts', text: 'one\n2\nthree\n' }]);
    expect(documents.applied).toEqual([]);
    expect(textOf(await call('apply_patch', args))).toMatch(/^Edited a\.ts: 1 replacement at line 1\./);
    expect(documents.text('/ws/a.ts')).toBe('one\n2\nthree\n');
  });

  it('creates a file', async () => {
    const { call, documents } = rig({ files: {} });
    await call('apply_patch', patch('*** Add File: new/b.ts', '+export const b = 1;', '+', '+// end'));
    expect(documents.text('/ws/new/b.ts')).toBe('export const b = 1;\n\n// end\n');
  });

  it.each([
    ['several hunks, in their order', 'a\nb\nc\nd\n', ['@@', '-a', '+A', '@@', '-c', '+C'], 'A\nb\nC\nd\n'],
    ['the first place behind the hunk before', 'x\ny\nx\ny\n', ['@@', '-x', '+1', '@@', '-x', '+2'], '1\ny\n2\ny\n'],
    [
      'a place below headings, one within the other',
      CLASSES,
      ['@@ class B {', '@@   run() {', '-    return 1;', '+    return 2;'],
      CLASSES.replace(/(class B[^]*)return 1/, '$1return 2'),
    ],
    ['the end of the file', 'x\ny\nx\n', ['@@', '-x', '+z', '*** End of File'], 'x\ny\nz\n'],
    ['lines that are only added, below a heading', 'a {\nb\n}\n', ['@@ a {', '+new'], 'a {\nnew\nb\n}\n'],
    ['lines that are only added, at the end', 'a\nb', ['@@', '+c'], 'a\nb\nc'],
    ['no heading at all, and empty lines without a mark', 'a\n\nb\n', [' a', '', '-b', '+c', ''], 'a\n\nc\n'],
    ['headings of unified diffs', 'a\nb\n', ['@@ -1,2 +1,2 @@', ' a', '-b', '+c'], 'a\nc\n'],
    [
      'lines with other ends and other indentation',
      'if (x) {\r\n\treturn 1;\r\n}\r\n',
      ['@@', ' if (x) {', '-    return 1;', '+    return 2;', ' }'],
      'if (x) {\r\n\treturn 2;\r\n}\r\n',
    ],
    ['whole lines only', 'xa\na\n', ['@@', '-a', '+b'], 'xa\nb\n'],
    ['lines that begin with marks', '- item\n+ plus\n', ['@@', '-- item', '+- thing', ' + plus'], '- thing\n+ plus\n'],
  ] as const)('finds %s', async (_what, text, hunks, expected) => {
    expect(await patched(text, patch('*** Update File: a.ts', ...hunks))).toBe(expected);
  });

  it.each([
    ['a here-document', { input: "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch\nEOF\n" }],
    ['a code fence without an end', { patch: '```\n*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n```\n' }],
    ['no marks at both ends, and carriage returns', { patch: '*** Update File: a.ts\r\n-a\r\n+b\r\n' }],
  ])('takes it with %s', async (_what, args) => {
    expect(await patched('a\n', args)).toBe('b\n');
  });

  it.each([
    ['no patch', { patch: 'hello' }, /names no file/],
    ['several files', patch('*** Update File: a.ts', '-a', '+b', '*** Add File: b.ts', '+x'), /several files \(a\.ts, b\.ts\).*one call for each file/],
    ['a deletion with lines below it', patch('*** Delete File: a.ts', '-a'), /Nothing can follow \*\*\* Delete File: a\.ts.*use \*\*\* Update File/],
    ['a deletion of what is not there', patch('*** Delete File: b.ts'), /b\.ts does not exist/],
    ['a deletion of a folder', patch('*** Delete File: folder'), /folder is a folder; nothing was deleted\. Use bash/],
    ['a deletion of what is no text', patch('*** Delete File: a.bin'), /a\.bin is not a text file; nothing was deleted\. Use bash: rm/],
    ['a deletion of a file outside', patch('*** Delete File: /etc/x'), /outside the workspace and has not been read/],
    ['a move of a file outside', patch('*** Update File: /etc/x', '*** Move to: x'), /outside the workspace and has not been read/],
    [
      'a move to where a file is',
      patch('*** Update File: a.ts', '*** Move to: c.ts', '-a', '+b'),
      /c\.ts exists, so a\.ts was not moved.*delete that file first/,
    ],
    ['a move to where a folder is', patch('*** Update File: a.ts', '*** Move to: folder'), /folder exists, so a\.ts was not moved/],
    ['a move to itself', patch('*** Update File: a.ts', '*** Move to: ./a.ts'), /same file; nothing was moved/],
    ['a move of a folder', patch('*** Update File: folder', '*** Move to: other'), /folder is a folder; nothing was moved/],
    ['a move with hunks that do not fit', patch('*** Update File: a.ts', '*** Move to: b.ts', '-zzz', '+b'), /not found in a\.ts/],
    ['a move that makes a notebook of a text', patch('*** Update File: a.ts', '*** Move to: a.ipynb'), /only one of them is a notebook/],
    ['nothing to change', patch('*** Update File: a.ts', '@@', ' a'), /changes nothing in a\.ts/],
    ['text that is not there', patch('*** Update File: a.ts', '-zzz', '+b'), /not found in a\.ts/],
    ['a heading that is not there', patch('*** Update File: a.ts', '@@ class Z', '-a', '+b'), /“class Z” behind @@ was not found/],
    ['a new file with lines without a mark', patch('*** Add File: b.ts', 'x'), /begins with \+/],
    ['a new file that exists and was not read', patch('*** Add File: a.ts', '+x'), /exists and has not been read/],
    ['a file that is missing', patch('*** Update File: zzz.ts', '-a', '+b'), /does not exist/],
    ['part of a line', patch('*** Update File: a.ts', '-\u0061bc', '+b'), /not found/],
    ['nothing', { patch: '' }, /must not be empty/],
  ] as const)('refuses %s, says what to do, and changes nothing', async (_what, args, words) => {
    const { tool, documents } = rig({ files: FILES });
    const error: unknown = await tool('apply_patch')
      .plan(args, toolContext())
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolInputError);
    expect((error as Error).message).toMatch(words);
    expect(documents.applied).toEqual([]);
  });

  it('deletes a file, and shows all that goes', async () => {
    const { tool, call, documents } = rig({ files: { '/ws/a.ts': 'one\ntwo\n', '/ws/b.ts': 'b' } });
    const args = patch('*** Delete File: a.ts');
    const plan = await tool('apply_patch').plan(args, toolContext());
    expect(plan).toMatchObject({
      subject: 'a.ts',
      accesses: [{ kind: 'write', target: '/ws/a.ts', removal: 'deleted' }],
      preview: { kind: 'diff', path: '/ws/a.ts', created: false, deleted: true },
      changes: [{ action: 'delete', path: '/ws/a.ts' }],
    });
    expect(plan.preview.kind === 'diff' && plan.preview.diff).toBe('--- a.ts\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n');
    expect(documents.applied).toEqual([]);
    expect(textOf(await call('apply_patch', args))).toBe('Deleted a.ts.');
    expect(documents.paths()).toEqual(['/ws/b.ts']);
  });

  it('moves a file with changes, judges both ends, and shows where it was', async () => {
    const { tool, call, documents } = rig({ files: { '/ws/a.ts': 'one\ntwo\n' } });
    const args = patch('*** Update File: a.ts', '*** Move to: new/b.ts', '@@', ' one', '-two', '+2');
    const plan = await tool('apply_patch').plan(args, toolContext());
    expect(plan).toMatchObject({
      subject: 'a.ts → new/b.ts',
      accesses: [
        { kind: 'read', target: '/ws/a.ts' },
        { kind: 'write', target: '/ws/a.ts', removal: 'moved' },
        { kind: 'read', target: '/ws/new/b.ts', only: 'presence' },
        { kind: 'write', target: '/ws/new/b.ts' },
      ],
      preview: { kind: 'diff', path: '/ws/new/b.ts', from: '/ws/a.ts', created: false },
      changes: [{ action: 'modify', path: '/ws/new/b.ts', from: '/ws/a.ts', text: 'one\n2\n' }],
    });
    expect(plan.preview.kind === 'diff' && plan.preview.diff).toMatch(/^--- a\.ts\n\+\+\+ new\/b\.ts\n@@/);
    expect(textOf(await call('apply_patch', args))).toMatch(/^Moved a\.ts to new\/b\.ts\. Edited new\/b\.ts: 1 replacement at line 1\./);
    expect([documents.paths(), documents.text('/ws/new/b.ts')]).toEqual([['/ws/new/b.ts'], 'one\n2\n']);
  });

  it('moves a file as it is, and knows it in its new place', async () => {
    const { call, documents } = rig({ files: { '/ws/a.ts': 'one\n' } });
    await call('read', { file_path: 'a.ts' });
    expect(textOf(await call('apply_patch', patch('*** Update File: a.ts', '*** Move to: b.ts')))).toBe('Moved a.ts to b.ts.');
    expect(textOf(await call('write', { file_path: 'b.ts', content: 'two\n' }))).toBe('Replaced b.ts: 1 line.');
    expect(textOf(await call('write', { file_path: 'a.ts', content: 'new\n' }))).toBe('Created a.ts: 1 line.');
    expect([documents.text('/ws/a.ts'), documents.text('/ws/b.ts')]).toEqual(['new\n', 'two\n']);
  });

  it.each([
    ['deletes', patch('*** Delete File: a.ts')],
    ['moves', patch('*** Update File: a.ts', '*** Move to: b.ts')],
  ])('%s no file that has changed since it was read, or after the call was shown, or that has unsaved changes', async (_what, args) => {
    const { tool, call, documents } = rig({ files: { '/ws/a.ts': 'one\n' } });
    await call('read', { file_path: 'a.ts' });
    documents.put('/ws/a.ts', 'two\n');
    await expect(tool('apply_patch').plan(args, toolContext())).rejects.toThrow('a.ts has changed since it was read. Read it again, then change it.');
    await call('read', { file_path: 'a.ts' });
    const plan = await tool('apply_patch').plan(args, toolContext());
    documents.put('/ws/a.ts', 'three\n');
    expect(textOf(await tool('apply_patch').execute(plan, toolContext()))).toMatch(/^a\.ts has changed since it was read\./);
    await call('read', { file_path: 'a.ts' });
    documents.markUnsaved('/ws/a.ts');
    await expect(tool('apply_patch').plan(args, toolContext())).rejects.toThrow(
      /^a\.ts has unsaved changes of the user in an editor; nothing was (?:deleted|moved)\./,
    );
    expect([documents.paths(), documents.text('/ws/a.ts')]).toEqual([['/ws/a.ts'], 'three\n']);
  });

  it('moves nothing to where a file came to be while it was asked about', async () => {
    const { tool, documents } = rig({ files: { '/ws/a.ts': 'one\n' } });
    const plan = await tool('apply_patch').plan(patch('*** Update File: a.ts', '*** Move to: b.ts'), toolContext());
    documents.put('/ws/b.ts', 'mine\n');
    const result = await tool('apply_patch').execute(plan, toolContext());
    expect([result.isError, textOf(result)]).toEqual([
      true,
      'b.ts exists, so a.ts was not moved; nothing was changed. Choose another name, or delete that file first.',
    ]);
    expect([documents.text('/ws/a.ts'), documents.text('/ws/b.ts')]).toEqual(['one\n', 'mine\n']);
  });

  it('deletes and moves no link, which would leave it leading nowhere, but what is in a folder that is one', async () => {
    const files = { '/ws/real/a.ts': 'a\n', '/ws/real/b.ts': 'b\n' };
    const { tool, call, documents } = rig({ files, links: { '/ws/link.ts': '/ws/real/a.ts', '/ws/folder': '/ws/real' } });
    for (const args of [patch('*** Delete File: link.ts'), patch('*** Update File: link.ts', '*** Move to: c.ts')])
      await expect(tool('apply_patch').plan(args, toolContext())).rejects.toThrow(
        /^link\.ts leads to real\/a\.ts; nothing was (?:deleted|moved)\. Name that file/,
      );
    await expect(tool('apply_patch').plan(patch('*** Update File: real/a.ts', '*** Move to: folder/a.ts'), toolContext())).rejects.toThrow(/same file/);
    await call('apply_patch', patch('*** Delete File: folder/b.ts'));
    expect(documents.paths()).toEqual(['/ws/real/a.ts']);
  });

  it('does not quote a file that was not read, nor change one outside of the workspace that was not', async () => {
    const { tool } = rig({ files: { '/ws/a.ts': 'secret = 1\n', '/etc/x': 'a\n' } });
    const miss: unknown = await tool('apply_patch')
      .plan(patch('*** Update File: a.ts', '-secret = 2', '+x'), toolContext())
      .catch((thrown: unknown) => thrown);
    expect(String(miss)).not.toContain('secret = 1');
    await expect(tool('apply_patch').plan(patch('*** Update File: /etc/x', '-a', '+b'), toolContext())).rejects.toThrow(
      /outside the workspace and has not been read/,
    );
  });
});
