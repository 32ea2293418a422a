import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import { toolContext } from '../../support/memory-workspace/index.js';
import { rig, textOf } from './rig.js';

const patch = (...lines: readonly string[]): object => ({ patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

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
    ['a deletion', patch('*** Delete File: a.ts'), /Use bash: rm a\.ts/],
    ['a move', patch('*** Update File: a.ts', '*** Move to: b.ts', '-a', '+b'), /Use bash: mv a\.ts b\.ts/],
    ['nothing to change', patch('*** Update File: a.ts', '@@', ' a'), /changes nothing in a\.ts/],
    ['text that is not there', patch('*** Update File: a.ts', '-zzz', '+b'), /not found in a\.ts/],
    ['a heading that is not there', patch('*** Update File: a.ts', '@@ class Z', '-a', '+b'), /“class Z” behind @@ was not found/],
    ['a new file with lines without a mark', patch('*** Add File: b.ts', 'x'), /begins with \+/],
    ['a new file that exists and was not read', patch('*** Add File: a.ts', '+x'), /exists and has not been read/],
    ['a file that is missing', patch('*** Update File: zzz.ts', '-a', '+b'), /does not exist/],
    ['part of a line', patch('*** Update File: a.ts', '-\u0061bc', '+b'), /not found/],
    ['nothing', { patch: '' }, /must not be empty/],
  ] as const)('refuses %s, says what to do, and changes nothing', async (_what, args, words) => {
    const { tool, documents } = rig({ files: { '/ws/a.ts': 'a\nxabc\n' } });
    const error: unknown = await tool('apply_patch')
      .plan(args, toolContext())
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolInputError);
    expect((error as Error).message).toMatch(words);
    expect(documents.applied).toEqual([]);
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
