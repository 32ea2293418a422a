import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askNextEdit, readAnswer } from '../../../../src/completion/next-edit/ask-next-edit.js';
import { holds } from '../../../../src/completion/next-edit/line-replacement.js';
import { Latch, says, ScriptedProvider, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { inputOf } from './edits.js';
import { runs } from '../../../support/runs.js';

const input = inputOf(['const sum = 0;', 'a();', 'return total;', 'b();', '']);
const END = '=== END ===';

describe('what a model answers', () => {
  it.each([
    ['one line', `REPLACE 3-3\nreturn sum;\n${END}`, { first: 2, before: ['return total;'], after: ['return sum;'] }],
    ['with lines that stay', `REPLACE 2-4\na();\nreturn sum;\nb();\n${END}`, { first: 2, before: ['return total;'], after: ['return sum;'] }],
    ['with lines that come', `REPLACE 2-2\na();\nc();\n${END}\nDone.`, { first: 2, before: [], after: ['c();'] }],
    ['with lines that go', `REPLACE 2-2\n${END}`, { first: 1, before: ['a();'], after: [] }],
    ['in a fence', `\`\`\`\nREPLACE 3-3\nreturn sum;\n${END}\n\`\`\``, { first: 2, before: ['return total;'], after: ['return sum;'] }],
    ['with copied numbers', `REPLACE 2-3\n2| a();\n3|   return sum;\n${END}`, { first: 2, before: ['return total;'], after: ['  return sum;'] }],
    ['with other line endings', `REPLACE 3-3\r\nreturn sum;\r\n${END}\r\n`, { first: 2, before: ['return total;'], after: ['return sum;'] }],
  ])('%s', (_, answer, change) => {
    expect(readAnswer(answer, input)).toEqual(change);
  });

  it.each([
    ['nothing', 'NONE'],
    ['words', `Sure! REPLACE 3-3\nreturn sum;\n${END}`],
    ['no end', 'REPLACE 3-3\nreturn su'],
    ['lines that are not there', `REPLACE 5-6\nx\n${END}`],
    ['a line before the first', `REPLACE 0-1\nx\n${END}`],
    ['lines the wrong way round', `REPLACE 4-2\nx\n${END}`],
    ['what is there', `REPLACE 2-3\na();\nreturn total;\n${END}`],
    ['blanks at an end only', `REPLACE 2-2\na();  \n${END}`],
    ['what the person has just changed', `REPLACE 1-1\nconst total = 0;\n${END}`],
    ['a long line', `REPLACE 2-2\n${'x'.repeat(600)}\n${END}`],
    ['many lines', `REPLACE 2-2\n${'x\n'.repeat(40)}${END}`],
    ['a character that nobody sees', `REPLACE 2-2\na(); // \u202E\n${END}`],
    ['half a character', `REPLACE 2-2\na(); // \uD800\n${END}`],
  ])('%s is no change', (_, answer) => {
    expect(readAnswer(answer, input)).toBeUndefined();
  });

  it('is about nothing that was not shown', () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => `line ${n}`);
    expect(readAnswer(`REPLACE 2000-2000\nx\n${END}`, inputOf(lines))).toBeUndefined();
    expect(readAnswer(`REPLACE 20-20\nx\n${END}`, inputOf(lines))).toMatchObject({ first: 19 });
  });

  it('is a change of lines that are there, or none, whatever it says', () => {
    const piece = fc.constantFrom(
      'REPLACE 1-1',
      'REPLACE 2-4',
      'REPLACE 9-9',
      'NONE',
      '```',
      '```ts',
      END,
      'a();',
      '',
      '2| a();',
      ' ',
      '\u0000',
      '\r',
      '\n',
      '\uD800',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 10 }), (pieces) => {
        const change = readAnswer(pieces.join('\n'), input);
        if (change === undefined) return;
        expect(holds(change, input.lines)).toBe(true);
        expect(change.after).not.toEqual(change.before);
        expect(change.after.join('\n').isWellFormed()).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });

  it('is not read on behind its end', async () => {
    const provider = new ScriptedProvider([[...says(0, `REPLACE 3-3\nreturn sum;\n${END}`, '\nI have'), new Latch(), ...says(1, ' changed')]]);
    const answer = await askNextEdit(input, { provider, model: TEST_MODEL, clock: { timestamp: () => '2026-01-02T03:04:05Z' } }, new AbortController().signal);
    expect(readAnswer(answer, input)).toMatchObject({ after: ['return sum;'] });
  });
});
