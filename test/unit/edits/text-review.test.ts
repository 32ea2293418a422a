import { diffArrays } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TextPair, reviewText } from '../../../src/edits/text-review.js';
import { runs } from '../../support/runs.js';

const review = (pair: TextPair, present = pair.agent): ReturnType<typeof reviewText> => reviewText(pair, present, diffArrays);
const everything = (): boolean => true;
const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('reviewText', () => {
  const baseline = text('a', 'b', 'c', 'd', 'e', 'f');
  const agent = text('a', 'B', 'c', 'e', 'new', 'f');

  it('C-7: finds the hunks, and keeps or undoes one of them', () => {
    const found = review({ baseline, agent });
    expect(found.hunks.map(({ line, count, removed, baselineLine }) => [line, count, removed, baselineLine])).toEqual([
      [1, 1, ['b\n'], 1],
      [3, 0, ['d\n'], 3],
      [4, 1, [], 5],
    ]);
    expect(found.undo(({ index }) => index === 1).text).toBe(text('a', 'B', 'c', 'd', 'e', 'new', 'f'));
    const kept = found.keep(({ index }) => index === 0);
    expect(kept).toEqual({ baseline: text('a', 'B', 'c', 'd', 'e', 'f'), agent });
    expect(review(kept).hunks).toHaveLength(2);
    expect(found.undo(everything).text).toBe(baseline);
  });

  it('C-7: the person’s edits elsewhere stay, and are no hunks', () => {
    const present = text('mine', 'a', 'B', 'c', 'e', 'new', 'f', 'end');
    const found = review({ baseline, agent }, present);
    expect(found.hunks).toHaveLength(3);
    expect(found.hunks.every(({ edited }) => !edited)).toBe(true);
    expect(found.undo(everything).text).toBe(text('mine', 'a', 'b', 'c', 'd', 'e', 'f', 'end'));
    expect(found.pair.agent).toBe(present);
  });

  it('C-7: a hunk that the person has changed is not undone, and can be kept', () => {
    const present = text('a', 'B and mine', 'c', 'e', 'new', 'f');
    const found = review({ baseline, agent }, present);
    expect(found.hunks.map(({ edited }) => edited)).toEqual([true, false, false]);
    expect(found.undo(everything).text).toBe(text('a', 'B and mine', 'c', 'd', 'e', 'f'));
    const kept = found.keep(everything);
    expect(kept).toEqual({ baseline: present, agent: present });
  });

  it('a hunk that the person took back by hand is gone', () => {
    const found = review({ baseline, agent }, text('a', 'b', 'c', 'e', 'new', 'f'));
    expect(found.hunks).toHaveLength(2);
  });

  it('a last line without an ending, CRLF and empty texts', () => {
    expect(review({ baseline: 'a\r\nb', agent: 'a\r\nc' }).undo(everything).text).toBe('a\r\nb');
    expect(review({ baseline: '', agent: 'x' }).undo(everything).text).toBe('');
    expect(review({ baseline: 'x\n', agent: '' }).undo(everything).text).toBe('x\n');
    expect(review({ baseline: '', agent: '' }).hunks).toEqual([]);
  });

  const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '}\n', '\n'), { maxLength: 10 });

  it('property: for any three texts the regions add up, and undoing or keeping all without later edits is exact', () => {
    fc.assert(
      fc.property(lines, lines, lines, (one, two, three) => {
        const [a, b, c] = [one.join(''), two.join(''), three.join('')];
        expect(review({ baseline: a, agent: b }).undo(everything).text).toBe(a);
        expect(review({ baseline: a, agent: b }).keep(everything)).toEqual({ baseline: b, agent: b });
        const found = review({ baseline: a, agent: b }, c);
        expect(found.undo(() => false).text).toBe(c);
        for (const { line, count, baselineLine, removed } of found.hunks) {
          expect(line + count).toBeLessThanOrEqual(three.length);
          expect(found.pair.baseline.split(/(?<=\n)/).slice(baselineLine, baselineLine + removed.length)).toEqual(removed);
        }
        expect(found.keep(everything)).toEqual({ baseline: c, agent: c });
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('property: after any edits of agent and person, undoing all gives the baseline with exactly the person’s own lines', () => {
    // Each line is unique, so that it is certain whose it is.
    const edit = fc.record({ who: fc.constantFrom('agent' as const, 'person' as const), at: fc.nat(30), remove: fc.nat(2), add: fc.nat(2) });
    fc.assert(
      fc.property(fc.nat(12), fc.array(edit, { maxLength: 12 }), (size, edits) => {
        const start = Array.from({ length: size }, (_, index) => `base ${index}\n`);
        let pair: TextPair = { baseline: start.join(''), agent: start.join('') };
        let present = [...start];
        const removedByPerson = new Set<string>();
        for (const [number, { who, at, remove, add }] of edits.entries()) {
          ({ pair } = review(pair, present.join('')));
          const place = at % (present.length + 1);
          const gone = present.slice(place, place + remove);
          const next = [
            ...present.slice(0, place),
            ...Array.from({ length: add }, (_, index) => `${who} ${number}.${index}\n`),
            ...present.slice(place + remove),
          ];
          // Where one rewrites the other's lines, undoing cannot give both their due; that is the next test's.
          const theirs = gone.some((line) => line.startsWith(who === 'agent' ? 'person' : 'agent'));
          if (theirs || (who === 'person' && review(pair, next.join('')).hunks.some(({ edited }) => edited))) continue;
          present = next;
          if (who === 'agent') pair = { ...pair, agent: present.join('') };
          else for (const line of gone) removedByPerson.add(line);
        }
        const result = review(pair, present.join(''))
          .undo(everything)
          .text.split(/(?<=\n)/)
          .filter((line) => line !== '');
        expect(result.filter((line) => line.startsWith('person'))).toEqual(present.filter((line) => line.startsWith('person')));
        expect(result.filter((line) => line.startsWith('base'))).toEqual(start.filter((line) => !removedByPerson.has(line)));
        expect(result.filter((line) => line.startsWith('agent'))).toEqual([]);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('property: the person’s lines are never lost by undo, wherever they are', () => {
    const edit = fc.record({ who: fc.constantFrom('agent' as const, 'person' as const), at: fc.nat(30), remove: fc.nat(3), add: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 10 }), (edits) => {
        let pair: TextPair = { baseline: '', agent: '' };
        let present: string[] = [];
        for (const [number, { who, at, remove, add }] of edits.entries()) {
          const place = at % (present.length + 1);
          pair = review(pair, present.join('')).keep(({ edited }) => edited);
          const fresh = Array.from({ length: add }, (_, index) => `${who} ${number}.${index}\n`);
          present = [...present.slice(0, place), ...fresh, ...present.slice(place + remove)];
          if (who === 'agent') pair = { ...pair, agent: present.join('') };
        }
        const result = review(pair, present.join('')).undo(everything).text;
        for (const line of present) if (line.startsWith('person')) expect(result).toContain(line);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
