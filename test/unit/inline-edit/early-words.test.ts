import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differsWithin, EarlyWords, stepsOf, typedAt, typedInto, typingPlace } from '../../../src/inline-edit/early-words.js';
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

  const TYPED = fc
    .record({ left: fc.string(), selected: fc.string(), right: fc.string(), typed: fc.string({ minLength: 1 }) })
    .map(({ left, selected, right, typed }) => ({
      before: left + selected + right,
      after: left + typed + right,
      place: { start: left.length, end: left.length + selected.length },
      wanted: { start: left.length, removed: selected, typed },
    }));

  it('is exactly what was typed at a place, whatever stands beside it', () => {
    fc.assert(
      fc.property(TYPED, ({ before, after, place, wanted }) => {
        expect(typedInto(before, after, place)).toEqual(wanted);
      }),
    );
  });

  it('has its place found by the cursor behind it', () => {
    fc.assert(
      fc.property(TYPED, ({ before, after, place, wanted }) => {
        const found = typingPlace(before, after, place.start + wanted.typed.length);
        if (place.start === place.end) expect(found).toEqual(place);
        // Where letters are the same as those selected, what is selected begins later, and the text is the same.
        const { start, removed, typed } = typedInto(before, after, found ?? { start: 0, end: 0 });
        expect(before.slice(0, start) + typed + before.slice(start + removed.length)).toBe(after);
      }),
    );
  });

  it('has no place where something behind the cursor is different', () => {
    expect(typingPlace('one two', 'one x tw', 6)).toBeUndefined();
    expect(typingPlace('ab', 'x', 0)).toBeUndefined();
  });

  it('is taken back word by word, within its place', () => {
    expect(stepsOf('make it short')).toBe(3);
    for (const [left, is] of [
      ['amake itb', true],
      ['amakib', true],
      ['ab', true],
      ['b', false],
      ['a', false],
      ['amake', false],
    ] as const) {
      expect(differsWithin('ab', left, { start: 1, end: 1 })).toBe(is);
    }
  });

  it('is the same at several cursors, over what was selected at some, or something else', () => {
    const places = [
      { start: 1, end: 1 },
      { start: 2, end: 4 },
      { start: 5, end: 5 },
    ];
    expect(typedAt('abcdef', 'axybxyexyf', places)).toEqual({
      words: 'xy',
      changes: [
        { start: 1, removed: '', typed: 'xy' },
        { start: 4, removed: 'cd', typed: 'xy' },
        { start: 7, removed: '', typed: 'xy' },
      ],
    });
    for (const after of ['axybxyexzf', 'abcdefx', 'axybxyexyF']) expect(typedAt('abcdef', after, places)).toBeUndefined();
    expect([typedAt('a', 'a', places), typedAt('a', 'b', [])]).toEqual([undefined, undefined]);
  });

  it('is only the bracket where that is put around what is selected', () => {
    expect(typedAt('one two', 'one (two)', [{ start: 4, end: 7 }])?.words).toBe('(');
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
  const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ' '), { minLength: 2, maxLength: 20 });
  const orders = fc.array(fc.constantFrom('press', 'host', 'send', 'box'), { maxLength: 120 });

  /** Types letters, of which the first came too early, while messages arrive in some order. @returns what is in the box in the end */
  function typed({
    early,
    since,
    rest,
    order,
  }: {
    readonly early: string;
    readonly since: string;
    readonly rest: readonly string[];
    readonly order: readonly string[];
  }): string {
    const box = new Box();
    const left = [...rest];
    for (const key of since) box.press(key);
    box.toHost.length = 0;
    const words = new EarlyWords(early + since, since);
    const host = (): void => {
      const value = box.toHost.shift();
      if (value !== undefined) words.reported(value);
      if (words.waits) box.write(words.write());
    };
    for (const step of order) {
      const key = step === 'press' ? left.shift() : undefined;
      if (key !== undefined) box.press(key);
      else if (step === 'host') host();
      else if (step === 'send') box.send();
      else box.deliver();
    }
    for (const key of left) box.press(key);
    host();
    while (box.busy) {
      host();
      box.send();
      box.deliver();
    }
    expect(words.settled).toBe(true);
    return box.value;
  }

  it('none is lost and none comes twice, in whatever order messages arrive', () => {
    fc.assert(
      fc.property(keys, fc.nat(), fc.nat(), orders, (letters, cut, behind, order) => {
        const early = letters.slice(0, 1 + (cut % (letters.length - 1)));
        const others = letters.slice(early.length);
        const since = others.slice(0, behind % (others.length + 1));
        const rest = others.slice(since.length);
        // Keys that lead to the very value that is on its way cannot be told from its arrival: with two letters alike, one of them on the way, that is so.
        fc.pre(others[0] !== early[0] && others.every((letter, index) => letter !== others[index - 1]));
        const runsOfTwo = others.map((letter, index) => letter + (others[index + 1] ?? ''));
        fc.pre(new Set(runsOfTwo).size === runsOfTwo.length);
        expect(typed({ early: early.join(''), since: since.join(''), rest, order })).toBe(letters.join(''));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('a value that was not written yet is not taken for one that arrived', () => {
    const words = new EarlyWords('make (i', 'e (i');
    expect(words.write()).toBe('make (i');
    for (const value of ['e (it', 'e (it)', 'e (it) shor', 'make (i', 'make (it']) words.reported(value);
    expect(words.write()).toBe('make (it) short');
    words.reported('make (it) short');
    expect(words.settled).toBe(true);
  });

  it('letters alike come all when none is typed while a value is on its way', () => {
    const order = ['host', 'send', 'box', 'host'];
    expect(typed({ early: 'aa', since: 'aa', rest: ['a', 'a', 'a'], order })).toBe('aaaaaaa');
  });

  it('what it began with comes before letters that were typed earlier than that came, and what was typed elsewhere in between', () => {
    const words = new EarlyWords('Change', '');
    expect(words.write()).toBe('Change');
    for (const value of [' ', ' t']) words.reported(value);
    words.insert('Change'.length, ' all');
    words.reported('Change');
    expect([words.all, words.write()]).toEqual(['Change all t', 'Change all t']);
    for (const value of ['Changeh', 'Change all t']) words.reported(value);
    expect(words.write()).toBe('Change all th');
  });

  it('a letter taken away while they are on their way stays away', () => {
    const words = new EarlyWords('mak', '');
    expect(words.write()).toBe('mak');
    for (const value of ['x', '']) words.reported(value);
    expect([words.all, words.waits]).toEqual(['mak', false]);
    words.reported('mak');
    expect(words.settled).toBe(true);
  });
});
