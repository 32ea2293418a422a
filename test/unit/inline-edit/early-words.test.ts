import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EarlyWords, typedInto } from '../../../src/inline-edit/early-words.js';
import { runs } from '../../support/runs.js';

describe('what was typed into a text', () => {
  it.each([
    ['', 'x', { start: 0, removed: '', typed: 'x' }],
    ['ab', 'ab', { start: 2, removed: '', typed: '' }],
    ['f() {\n}', 'f() {make it\n}', { start: 5, removed: '', typed: 'make it' }],
    ['one two three', 'one x three', { start: 4, removed: 'two', typed: 'x' }],
    ['aaa', 'aaaa', { start: 3, removed: '', typed: 'a' }],
    ['abc', 'ab', { start: 2, removed: 'c', typed: '' }],
  ])('%j to %j', (before, after, wanted) => {
    expect(typedInto(before, after)).toEqual(wanted);
  });

  it('leads from one to the other, whatever it was', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (before, after) => {
      const { start, removed, typed } = typedInto(before, after);
      expect(before.slice(0, start) + typed + before.slice(start + removed.length)).toBe(after);
    }));
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
