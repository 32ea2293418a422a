import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../../src/domain/tool/tool.js';
import { withLineEndings } from '../../../../src/text/line-endings.js';
import { editableOf, MAX_EDITOR_CHARACTERS } from '../../../../src/edits/editable.js';
import { textOfSave } from '../../../../src/tool/editing/replace.js';

const { signal } = new AbortController();
const words = fc.stringMatching(/^[a-z é]{0,6}$/);
const textWith = (endings: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.tuple(words, fc.constantFrom(...endings)), { maxLength: 8 }), words)
    .map(([lines, last]) => lines.map((parts) => parts.join('')).join('') + last);

describe('what an editor saved', () => {
  test('tool-06: saved as it was shown, it is the proposal, however its lines end', async () => {
    await fc.assert(
      fc.asyncProperty(textWith(['\n', '\r\n', '\r']), fc.constantFrom('\n' as const, '\r\n' as const), fc.boolean(), async (proposed, ending, mark) => {
        const mixed = new Set(proposed.match(/\r\n|\n|\r/g)).size > 1 || /\r(?!\n)/.test(proposed);
        const shown = mixed ? withLineEndings(proposed, ending) : proposed;
        expect(await textOfSave(`${mark ? '\uFEFF' : ''}${shown}`, proposed, signal)).toBe(proposed);
      }),
    );
  });

  test('tool-06: lines of mixed files that stay keep their endings, new ones get those of their neighbors', async () => {
    const proposed = 'one\r\ntwo\nthree\r\nfour';
    expect(await textOfSave('one\r\nmine\r\ntwo\r\nthree\r\nfour', proposed, signal)).toBe('one\r\nmine\r\ntwo\nthree\r\nfour');
    expect(await textOfSave('one\nTWO\nthree\nfour', proposed, signal)).toBe('one\r\nTWO\nthree\r\nfour');
  });

  test('other endings in a file that has one kind are the person’s wish', async () => {
    expect(await textOfSave('one\r\ntwo\r\n', 'one\ntwo\n', signal)).toBe('one\r\ntwo\r\n');
  });

  test('a mark that the proposal has stays', async () => {
    expect(await textOfSave('\uFEFFmine\n', '\uFEFFa\n', signal)).toBe('\uFEFFmine\n');
  });
});

describe('what can be changed', () => {
  const plan = (text: string, more: Partial<Plan> = {}): Plan => ({
    tool: 'write',
    subject: 'a',
    args: {},
    accesses: [],
    preview: { kind: 'diff', path: '/ws/a', diff: '', created: true },
    changes: [{ action: 'create', path: '/ws/a', text }],
    ...more,
  });

  test.each<[string, Plan, ReturnType<typeof editableOf>]>([
    ['a text', plan('x'), 'content'],
    ['an empty text', plan(''), 'content'],
    ['what an editor takes for binary', plan('a\0b'), undefined],
    ['two files', plan('x', { changes: [...plan('x').changes, ...plan('y').changes] }), undefined],
    ['no file', plan('x', { changes: [] }), undefined],
    ['a command', plan('', { preview: { kind: 'command', command: 'ls', cwd: '/', timeoutMs: 1 }, changes: [] }), 'command'],
    ['an address', plan('', { preview: { kind: 'url', url: 'https://x.test' }, changes: [] }), undefined],
  ])('%s', (_name, made, expected) => {
    expect(editableOf(made)).toBe(expected);
  });

  test('what an editor does not take is not offered', () => {
    expect(editableOf(plan('x'.repeat(MAX_EDITOR_CHARACTERS)))).toBe('content');
    expect(editableOf(plan('x'.repeat(MAX_EDITOR_CHARACTERS + 1)))).toBeUndefined();
  });
});
