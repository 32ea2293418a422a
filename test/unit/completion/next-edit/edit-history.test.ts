import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditHistory } from '../../../../src/completion/next-edit/edit-history.js';
import { holds } from '../../../../src/completion/next-edit/line-replacement.js';
import type { TextPosition } from '../../../../src/text/text-edit.js';
import { edited, someLines } from './edits.js';

const A = 'file:///a.ts';

/** Types characters one after the other at a place. */
function type(history: EditHistory, text: string, [line, character]: readonly [number, number], now = 0): void {
  for (let index = 0; index < text.length; index += 1) {
    const spot = { line, character: character + index };
    history.note(A, { start: spot, end: spot, text: text.charAt(index) }, now);
  }
}

function following(text: string): EditHistory {
  const history = new EditHistory();
  history.follow(A, text.split('\n'));
  return history;
}

describe('what a person edited', () => {
  it('is one edit while they type at one place, with the lines before and after', () => {
    const history = following('const a = 1;\nconst b = 2;');
    type(history, 'bc', [0, 7]);
    expect(history.latest).toMatchObject({ first: 0, before: ['const a = 1;'], after: ['const abc = 1;'] });
    history.note(A, { start: { line: 0, character: 14 }, end: { line: 0, character: 14 }, text: '\nnew();' }, 0);
    expect(history.latest).toMatchObject({ first: 0, before: ['const a = 1;'], after: ['const abc = 1;', 'new();'] });
    expect(history.all).toHaveLength(1);
  });

  it('is another edit elsewhere, and at the same place after a while', () => {
    const history = following('a\nb\nc\nd');
    type(history, '1', [0, 1]);
    type(history, '2', [3, 1]);
    type(history, '3', [3, 2], 60_000);
    expect(history.all).toMatchObject([
      { before: ['a'], after: ['a1'] },
      { before: ['d'], after: ['d2'] },
      { before: ['d2'], after: ['d23'] },
    ]);
  });

  it('is nothing once it was taken back', () => {
    const history = following('a\nb');
    type(history, '1', [0, 1]);
    history.note(A, { start: { line: 0, character: 1 }, end: { line: 0, character: 2 }, text: '' }, 0);
    expect(history.latest).toBeUndefined();
    expect(history.all).toEqual([]);
  });

  it('is not known in a document that is not followed or was forgotten', () => {
    const history = following('a');
    expect(history.note('file:///b.ts', { start: { line: 0, character: 0 }, end: { line: 0, character: 0 }, text: 'x' }, 0)).toBeUndefined();
    type(history, '1', [0, 1]);
    history.forget(A);
    expect([history.latest, history.all, history.linesOf(A)]).toEqual([undefined, [], undefined]);
  });

  it('keeps the lines as the editor has them, and each edit leads from what was there to them', () => {
    const spot = fc.tuple(fc.nat(), fc.nat());
    const change = fc.tuple(spot, spot, fc.constantFrom('', 'x', '\n', 'y\nz', '\r\n', 'ab'), fc.constantFrom(0, 20_000));
    fc.assert(
      fc.property(someLines, fc.array(change, { maxLength: 12 }), (begin, changes) => {
        const history = following(begin.join('\n'));
        let lines: readonly string[] = begin;
        let now = 0;
        for (const [one, other, text, pause] of changes) {
          now += pause;
          const [a, b] = [spotIn(lines, one), spotIn(lines, other)];
          const isInOrder = a.line < b.line || (a.line === b.line && a.character <= b.character);
          const [start, end] = isInOrder ? [a, b] : [b, a];
          lines = edited(lines, { start, end, text: text.replaceAll('\r\n', '\n') });
          history.note(A, { start, end, text }, now);
          expect(history.linesOf(A)).toEqual(lines);
          const { latest } = history;
          if (latest === undefined) continue;
          expect(holds({ ...latest, before: latest.after }, lines)).toBe(true);
          expect(latest.before).not.toEqual(latest.after);
        }
      }),
    );
  });
});

function spotIn(lines: readonly string[], [at, character]: readonly [number, number]): TextPosition {
  const line = at % lines.length;
  return { line, character: character % ((lines[line]?.length ?? 0) + 1) };
}
