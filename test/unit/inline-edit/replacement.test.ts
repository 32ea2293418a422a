import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shiftOf, withEdit } from '../../../src/inline-edit/line-edit.js';
import {
  type Decision,
  type Replacement,
  allIds,
  editsFor,
  located,
  newReplacement,
  otherText,
  withChange,
  withDecision,
  withTyped,
} from '../../../src/inline-edit/replacement.js';
import { StreamingDiff } from '../../../src/inline-edit/streaming-diff.js';

/** A text with lines around the ones that are edited, as an editor holds it. */
class Rig {
  text: readonly string[];
  edit: Replacement;
  readonly before: readonly string[];

  constructor(old: readonly string[], fresh: readonly string[], inPlace: boolean, between: (rig: Rig) => void = () => undefined) {
    this.before = this.text = ['head', ...old, 'tail'];
    this.edit = newReplacement(1, old, inPlace);
    const diff = new StreamingDiff(old);
    for (const line of [...fresh, undefined]) {
      const change = line === undefined ? diff.end() : diff.push(line);
      if (change !== undefined) this.apply(change);
      between(this);
    }
  }

  /** Adds a whole line of the person's. */
  insert(line: number, words: string): void {
    this.edit = withTyped(this.edit, shiftOf({ start: { line, character: 0 }, end: { line, character: 0 }, text: `${words}\n` }));
    this.text = withEdit(this.text, { start: line, end: line, lines: [words] });
  }

  decide(id: number, decision: Decision): void {
    this.decideAll(decision, new Set([id]));
  }

  decideAll(decision: Decision, ids = allIds(this.edit)): void {
    this.text = editsFor(this.edit, ids, decision).toReversed().reduce(withEdit, this.text);
    this.edit = withDecision(this.edit, ids, decision);
  }

  private apply(change: NonNullable<ReturnType<StreamingDiff['push']>>): void {
    const edit = located(this.edit, change);
    if (edit === undefined) throw new Error('Nobody changed those lines.');
    if (this.edit.inPlace) this.text = withEdit(this.text, edit);
    this.edit = withChange(this.edit, change);
  }
}

const line = fc.constantFrom('', '}', 'return;', 'const first = 1;', 'const second = 2;', 'call(first, second);', 'the last of all');
const lines = fc.array(line, { maxLength: 12 });

describe('hunks of an edit that pend', () => {
  it('undone, in any order, give the bytes of before; kept, the text of the model', () => {
    fc.assert(
      fc.property(lines, lines, fc.boolean(), fc.array(fc.nat(), { maxLength: 12 }), (old, fresh, inPlace, order) => {
        for (const decision of ['keep', 'undo'] as const) {
          const rig = new Rig(old, fresh, inPlace);
          for (const pick of order) {
            const all = rig.edit.hunks;
            const hunk = all[pick % Math.max(all.length, 1)];
            if (hunk !== undefined) rig.decide(hunk.id, decision);
          }
          rig.decideAll(decision);
          expect(rig.edit.hunks).toEqual([]);
          const { start, end } = rig.edit.region;
          expect(rig.text.slice(start, end)).toEqual(decision === 'undo' ? old : fresh);
          expect(rig.text).toEqual(decision === 'undo' ? rig.before : ['head', ...fresh, 'tail']);
        }
      }),
    );
  });

  it('can be kept and undone in any mixture: each hunk comes out as it was decided', () => {
    fc.assert(
      fc.property(lines, lines, fc.boolean(), fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (old, fresh, inPlace, kept) => {
        const rig = new Rig(old, fresh, inPlace);
        const { hunks } = rig.edit;
        const wanted = hunks.map(({ added, removed }, index) => (kept[index] === true ? added : removed));
        for (const [index, { id }] of [...hunks.entries()].toReversed()) rig.decide(id, kept[index] === true ? 'keep' : 'undo');
        const parts = new Rig(old, fresh, false).edit.hunks;
        const expected = parts
          .toReversed()
          .reduce(
            (text, { line: at, count }, index) => withEdit(text, { start: at, end: at + count, lines: wanted[parts.length - 1 - index] ?? [] }),
            rig.before,
          );
        expect(rig.text).toEqual(expected);
      }),
    );
  });

  it('leave what the person types beside them, during the stream and after it', () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        lines,
        fc.boolean(),
        fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 6 }),
        (old, fresh, inPlace, typed) => {
          const queue = [...typed];
          let number = 0;
          const typedHead: string[] = [];
          const typedTail: string[] = [];
          const type = (rig: Rig): void => {
            const [now, above] = queue.shift() ?? [false, false];
            if (!now) return;
            const words = `mine ${(number += 1)}`;
            rig.insert(above ? 0 : rig.text.length - 1, words);
            if (above) typedHead.unshift(words);
            else typedTail.push(words);
          };
          const rig = new Rig(old, fresh, inPlace, type);
          type(rig);
          expect(rig.edit.hunks.every(({ touched }) => !touched)).toBe(true);
          const whole = (middle: readonly string[]): readonly string[] => [...typedHead, 'head', ...middle, ...typedTail, 'tail'];
          expect(rig.text).toEqual(whole(inPlace ? fresh : old));
          expect(otherText(rig.edit, rig.text)).toEqual(whole(inPlace ? old : fresh));
          const { start, end } = rig.edit.region;
          expect(rig.text.slice(start, end)).toEqual(inPlace ? fresh : old);
          rig.decideAll('undo');
          expect(rig.text).toEqual(whole(old));
        },
      ),
    );
  });

  it('are not undone where the person typed in them, and the others are', () => {
    const old = ['alpha is first', 'beta is second', 'gamma is third', 'delta is fourth', 'epsilon is fifth'];
    const rig = new Rig(old, ['ALPHA', 'beta is second', 'gamma is third', 'DELTA', 'epsilon is fifth'], true);
    const position = { line: 1, character: 5 };
    rig.edit = withTyped(rig.edit, shiftOf({ start: position, end: position, text: '!\nmore' }));
    rig.text = withEdit(rig.text, { start: 1, end: 2, lines: ['ALPHA!', 'more'] });
    expect(rig.edit.hunks.map(({ line: at, count, touched }) => ({ at, count, touched }))).toEqual([
      { at: 1, count: 2, touched: true },
      { at: 5, count: 1, touched: false },
    ]);
    const [first, second] = rig.edit.hunks;
    rig.decide(first?.id ?? -1, 'undo');
    expect(rig.edit.hunks).toHaveLength(2);
    rig.decide(second?.id ?? -1, 'undo');
    expect(rig.text).toEqual(['head', 'ALPHA!', 'more', ...old.slice(1), 'tail']);
  });

  it('are not made of lines that the person has changed meanwhile', () => {
    const edit = withTyped(
      newReplacement(1, ['one', 'two', 'three'], true),
      shiftOf({ start: { line: 2, character: 0 }, end: { line: 2, character: 1 }, text: 'T' }),
    );
    expect(located(edit, { start: 0, end: 1, lines: [] })).toEqual({ start: 1, end: 2, lines: [] });
    expect(located(edit, { start: 1, end: 2, lines: [] })).toBeUndefined();
  });
});
