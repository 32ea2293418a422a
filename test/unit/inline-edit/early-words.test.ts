import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EarlyWords, isBeginningOf, stepsOf, typedInto, typingPlace } from '../../../src/inline-edit/early-words.js';
import { runs } from '../../support/runs.js';

describe('what was typed into a text', () => {
  it.each([
    ['', 0, 0, 'x', { start: 0, removed: '', typed: 'x' }],
    ['ab', 2, 2, 'ab', { start: 2, removed: '', typed: '' }],
    ['f() {\n}', 5, 5, 'f() {make it\n}', { start: 5, removed: '', typed: 'make it' }],
    ['one two three', 4, 7, 'one x three', { start: 4, removed: 'two', typed: 'x' }],
    ['one two three', 4, 7, 'one t three', { start: 4, removed: 'two', typed: 't' }],
    ['aaa', 1, 1, 'aaaa', { start: 1, removed: '', typed: 'a' }],
    ['mad', 0, 0, 'macmad', { start: 0, removed: '', typed: 'mac' }],
    ['abc', 3, 3, 'ab', { start: 2, removed: 'c', typed: '' }],
  ])('%j at %i to %i, then %j', (before, start, end, after, wanted) => {
    expect(typedInto(before, after, { start, end })).toEqual(wanted);
  });

  const TYPED = fc.record({ left: fc.string(), selected: fc.string(), right: fc.string(), typed: fc.string({ minLength: 1 }) }).map(({ left, selected, right, typed }) => ({
    before: left + selected + right,
    after: left + typed + right,
    place: { start: left.length, end: left.length + selected.length },
    wanted: { start: left.length, removed: selected, typed },
  }));

  it('is exactly what was typed at a place, whatever stands beside it', () => {
    fc.assert(fc.property(TYPED, ({ before, after, place, wanted }) => {
      expect(typedInto(before, after, place)).toEqual(wanted);
    }));
  });

  it('has its place found by the cursor behind it', () => {
    fc.assert(fc.property(TYPED, ({ before, after, place, wanted }) => {
      const found = typingPlace(before, after, place.start + wanted.typed.length);
      if (place.start === place.end) expect(found).toEqual(place);
      // Where letters are the same as those selected, what is selected begins later, and the text is the same.
      const { start, removed, typed } = typedInto(before, after, found ?? { start: 0, end: 0 });
      expect(before.slice(0, start) + typed + before.slice(start + removed.length)).toBe(after);
    }));
  });

  it('has no place where something behind the cursor is different', () => {
    expect(typingPlace('one two', 'one x tw', 6)).toBeUndefined();
    expect(typingPlace('ab', 'x', 0)).toBeUndefined();
  });

  it('is taken back word by word', () => {
    const typed = typedInto('ab', 'amake it shortb', { start: 1, end: 1 });
    expect(stepsOf(typed.typed)).toBe(3);
    for (const [left, is] of [['amake itb', true], ['amakeb', true], ['ab', false], ['b', false], ['aotherb', false]] as const) {
      expect(isBeginningOf(typed, typedInto('ab', left, { start: 1, end: 1 }))).toBe(is);
    }
  });
});

/** A box at the other end of two lines on which messages take their time, and stay in order. */
class Box {
  value = '';
  readonly toHost: string[] = [];
  readonly toBox: string[] = [];
  private written: string | undefined;

  /** What is written at once becomes one message. */
  write(value: string): void {
    this.written = value;
  }

  send(): void {
    if (this.written !== undefined) this.toBox.push(this.written);
    this.written = undefined;
  }

  get busy(): boolean {
    return this.written !== undefined || this.toBox.length > 0 || this.toHost.length > 0;
  }

  press(key: string): void {
    this.change(key === '\b' ? this.value.slice(0, -1) : this.value + key);
  }

  deliver(): void {
    const value = this.toBox.shift();
    if (value !== undefined) this.change(value);
  }

  private change(value: string): void {
    if (value === this.value) return;
    this.value = value;
    this.toHost.push(value);
  }
}

describe('words that begin before the box is there', () => {
  // Letters that differ, so that none can be taken for the echo of a value on its way.
  const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', ' '), { minLength: 2, maxLength: 20 });

  it('none is lost and none comes twice, in whatever order messages arrive', () => {
    fc.assert(fc.property(keys, fc.nat(), fc.nat(), fc.array(fc.constantFrom('press', 'host', 'send', 'box'), { maxLength: 120 }), (letters, cut, since, order) => {
      const early = letters.slice(0, 1 + (cut % (letters.length - 1)));
      const rest = letters.slice(early.length);
      const box = new Box();
      const before = rest.splice(0, since % (rest.length + 1));
      for (const key of before) box.press(key);
      const reported = box.toHost.splice(0).at(-1) ?? '';
      const words = new EarlyWords(early.join('') + reported, reported);
      box.write(words.first);
      const host = (): void => {
        const value = box.toHost.shift();
        const next = value === undefined ? undefined : words.reported(value);
        if (next !== undefined) box.write(next);
      };
      for (const step of order) {
        const key = step === 'press' ? rest.shift() : undefined;
        if (key !== undefined) box.press(key);
        else if (step === 'host') host();
        else if (step === 'send') box.send();
        else box.deliver();
      }
      for (const key of rest) box.press(key);
      while (box.busy) {
        host();
        box.send();
        box.deliver();
      }
      expect(box.value).toBe(letters.join(''));
    }), { numRuns: runs(2_000) });
  });

  it('a letter taken away while they are on their way stays away', () => {
    const words = new EarlyWords('mak', '');
    expect(words.reported('x')).toBe('makx');
    expect(words.reported('')).toBe('mak');
    expect([words.reported('mak'), words.reported('makx'), words.reported('mak'), words.settled]).toEqual([undefined, undefined, undefined, true]);
  });
});
