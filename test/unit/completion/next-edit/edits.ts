import fc from 'fast-check';
import type { LineReplacement } from '../../../../src/completion/next-edit/line-replacement.js';
import type { TextEdit } from '../../../../src/text/text-edit.js';
import type { NextEditInput } from '../../../../src/completion/next-edit/next-edit-input.js';

/** Lines that are often alike, some of them with characters of two halves. */
export const someLines = fc.array(fc.constantFrom('', 'a', 'b', 'ab', 'aab', '  x', '😀a', '😃a'), { minLength: 1, maxLength: 8 });

/** Some lines of a document in the place of others, by numbers between 0 and 1. */
export function replacementIn(lines: readonly string[], [at, length]: readonly [number, number], after: readonly string[]): LineReplacement {
  const first = Math.floor(at * (lines.length + 1));
  const count = Math.floor(length * (lines.length - first + 1));
  return { first, before: lines.slice(first, first + count), after };
}

/** A text after an edit, as an editor makes it. */
export function edited(lines: readonly string[], { start, end, text }: TextEdit): readonly string[] {
  const offset = ({ line, character }: TextEdit['start']): number => lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
  const whole = lines.join('\n');
  return (whole.slice(0, offset(start)) + text + whole.slice(offset(end))).split('\n');
}

/** What is asked after a name was changed in the first of some lines. */
export function inputOf(lines: readonly string[], rest: Partial<NextEditInput> = {}): NextEditInput {
  const latest = rest.latest ?? { first: 0, before: ['const total = 0;'], after: [lines[0] ?? ''] };
  return { path: 'a.ts', language: 'typescript', lines, cursor: 0, latest, edits: [{ path: 'a.ts', ...latest }], findings: [], ...rest };
}
