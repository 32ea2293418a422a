import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMatches } from '../../../../src/tool/editing/match.js';
import { replaceAll } from '../../../../src/tool/editing/replace.js';
import type { Steps } from '../../../../src/concurrency/steps.js';
import { REPETITIVE_EDIT } from '../../../support/worst-inputs.js';

/** Runs work in steps to its end. */
function atOnce<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function edited(text: string, old: string, fresh: string): { text: string; note: string | undefined; places: number } | undefined {
  const matches = atOnce(findMatches(text, { old, fresh }));
  if (matches === undefined) return undefined;
  return { text: atOnce(replaceAll(text, matches.replacements)).text, note: matches.note, places: matches.replacements.length };
}

describe('findMatches', () => {
  it('tool-10: finds every exact place and takes the new text literally', () => {
    expect(edited('a b a', 'a', "$& $1 $` \\1 $'")?.text).toBe("$& $1 $` \\1 $' b $& $1 $` \\1 $'");
    expect(edited('a b a', 'a', 'x')).toMatchObject({ places: 2, note: undefined });
  });

  it('tool-10: takes curly quotes for straight ones only where nothing else is found, and keeps those that are not changed', () => {
    expect(edited('“a” "a"', '"a"', 'x')).toEqual({ text: '“a” x', note: undefined, places: 1 });
    expect(edited('say “hi” — now\n', 'say "hi" - now', 'say "hi" - later')).toMatchObject({ text: 'say “hi” — later\n', places: 1 });
    expect(edited('say “hi”\n', 'say "hi"', 'say "ho"')).toMatchObject({ text: 'say “ho”\n', note: expect.stringMatching(/quotes/) as string });
    expect(edited("it's\n", 'it’s', 'it was')?.text).toBe('it was\n');
    expect(edited('wait…\r\n“b”\r\n', 'wait...\n"b"', 'wait...\n"c"')?.text).toBe('wait…\r\n“c”\r\n');
    expect(edited('wait…', 'wait..', 'x')).toBeUndefined();
    expect(edited('‘x’ and ‘x’', "'x'", 'y')).toMatchObject({ places: 2 });
  });

  it('tool-10: takes composed and decomposed letters for the same, and keeps those that are not changed', () => {
    const decomposed = 'cafe\u0301 olé\n';
    expect(edited(decomposed, 'café olé', 'café au lait')).toMatchObject({ text: 'cafe\u0301 au lait\n', note: expect.stringMatching(/composed/) as string });
    expect(edited('x\nÅngström y\n', 'A\u030angstro\u0308m y', 'z')?.text).toBe('x\nz\n');
    // Half of a letter is none.
    expect(edited('olé\n', 'e\u0301e', 'x')).toBeUndefined();
    expect(edited('\u00fcb é', 'U\u0308b', 'x')).toBeUndefined();
  });

  it('removes line numbers that were copied from read, and says so', () => {
    const text = 'a\n\tb\n\nc\n';
    expect(edited(text, '2→\tb\n3→\n4→c', '2→\tB\n3→\n4→c')).toMatchObject({ text: 'a\n\tB\n\nc\n', note: 'line numbers copied from read were removed' });
    expect(edited(text, '     1\ta\n     2\t\tb\n', 'A\n')).toMatchObject({ text: 'A\n\nc\n' });
    expect(edited('x  \ny\n', '1\tx\n2\ty', 'z')?.note).toMatch(/removed, and white space/);
    // Numbers out of order are text.
    expect(edited('a\nb\n', '1→a\n3→b', 'x')).toBeUndefined();
    expect(edited('1→a\n', '1→a', '1→b')?.text).toBe('1→b\n');
  });

  it('takes line endings as equal, and says so where the edit has carriage returns itself', () => {
    expect(edited('a\r\nb\r\nc\r\n', 'a\nb', 'a\nx')).toEqual({ text: 'a\r\nx\r\nc\r\n', note: undefined, places: 1 });
    expect(edited('a\nb\n', 'a\r\nb', 'a\r\nx')).toEqual({ text: 'a\nx\n', note: 'line endings differ', places: 1 });
    expect(edited('q\r\nq\r\na\r\nb\r\na\r\nb', 'a\nb', 'y\nz')?.text).toBe('q\r\nq\r\ny\r\nz\r\ny\r\nz');
  });

  it('overlooks white space at line ends, and says so', () => {
    const result = edited('if (a) {  \n  b();\t\n}\n', 'if (a) {\n  b();\n}', 'c();');
    expect(result).toEqual({ text: 'c();\n', note: 'white space at line ends differs', places: 1 });
  });

  it('shifts indentation when all lines are shifted alike', () => {
    const text = 'class A {\n    f() {\n        g();\n\n    }\n}\n';
    const result = edited(text, 'f() {\n    g();\n\n}\n', 'f() {\n    h();\n\n    i();\n}\n');
    expect(result?.text).toBe('class A {\n    f() {\n        h();\n\n        i();\n    }\n}\n');
    expect(result?.note).toMatch(/indentation/);
  });

  it('takes indentation away where old had too much', () => {
    expect(edited('f();\n  g();\n', '  f();\n    g();\n', '  f();\n    h();\n')?.text).toBe('f();\n  h();\n');
    expect(edited('f();\n  g();\n', '  f();\n    g();\n', 'h();\n')).toBeUndefined();
  });

  it('takes spaces for tabs, and tabs for spaces', () => {
    const tabs = 'class A {\n\tf() {\n\t\tg();\n\t}\n}\n';
    expect(edited(tabs, '    g();', '    h();')).toMatchObject({ text: tabs.replace('g', 'h'), note: expect.stringMatching(/indentation/) as string });
    expect(edited(tabs, '  f() {\n    g();\n  }', '  f() {\n    if (x) {\n      g();\n    }\n  }')?.text).toBe(
      'class A {\n\tf() {\n\t\tif (x) {\n\t\t\tg();\n\t\t}\n\t}\n}\n',
    );
    expect(edited('    f() {\n        g();\n    }\n', '\tf() {\n\t\tg();\n\t}', '\tf() {\n\t\th();\n\t\t\ti();\n\t}')?.text).toBe(
      '    f() {\n        h();\n            i();\n    }\n',
    );
    // Three spaces are no number of tabs.
    expect(edited(tabs, '  f() {\n    g();\n  }', '  f() {\n   g();\n  }')).toBeUndefined();
    expect(edited('\ta\n\t\tb\n', '  a\n  b\n', '  x\n')).toBeUndefined();
  });

  it('does not overlook lines that are shifted differently', () => {
    expect(edited('  a\n      b\n', 'a\nb\n', 'x\n')).toBeUndefined();
    expect(edited('\ta\n  b\n', 'a\nb', 'x')).toBeUndefined();
  });

  it('never matches nothing but white space loosely', () => {
    expect(edited('a\n\n\nb\n', ' \n ', 'x')).toBeUndefined();
  });

  it('adds no line ending at the end of a file that has none', () => {
    expect(edited('a\nb  ', 'a\nb\n', 'a\nc\n')?.text).toBe('a\nc');
  });

  it('finds nothing in long repetitive text that goes on differently', () => {
    const { text, old } = REPETITIVE_EDIT;
    expect(atOnce(findMatches(text, { old, fresh: 'x' }))).toBeUndefined();
  });
});

describe('replaceAll', () => {
  it('tool-06: gives new lines the endings of their neighbors', () => {
    expect(edited('a\r\nb\r\nc', 'b', 'b\nnew')?.text).toBe('a\r\nb\r\nnew\r\nc');
    expect(edited('a\r\nb', 'b', 'b\nnew')?.text).toBe('a\r\nb\r\nnew');
  });

  it('tool-06: keeps each ending of a mixed file where the line stays', () => {
    expect(edited('a\r\nb\nc\r\nd\n', 'a\r\nb\nc\r\n', 'a\nB\nc\n')?.text).toBe('a\r\nB\nc\r\nd\n');
    expect(edited('a\r\nb\nc\r\nd\n', 'a\nb\nc\n', 'a\nnew\nb\nc\n')?.text).toBe('a\r\nnew\r\nb\nc\r\nd\n');
  });

  it('takes the whole line ending when a match begins with its second half', () => {
    expect(edited('a\r\nb\r\n', '\nb', '\nc')?.text).toBe('a\r\nc\r\n');
    expect(edited('a\r\nb\r\n', '\nb', 'b')?.text).toBe('ab\r\n');
  });

  it('changes line endings where that is all that is asked', () => {
    expect(edited('a\r\nb\r\n', 'a\r\nb', 'a\nb')?.text).toBe('a\nb\r\n');
  });

  it('tool-06: leaves every byte outside the replaced text as it was', () => {
    const line = fc.tuple(fc.string({ maxLength: 5 }), fc.constantFrom('\n', '\r\n', '\r'));
    const clean = (text: string): string => text.replace(/[\r\n]/g, '');
    fc.assert(
      fc.property(fc.array(line), fc.array(line), fc.string(), (before, after, fresh) => {
        const join = (lines: [string, string][]): string => lines.map(([text, end]) => clean(text) + end).join('');
        const head = join(before);
        const tail = `\n${join(after)}`;
        const result = edited(`${head}\u0001MARK${tail}`, '\u0001MARK', fresh)?.text ?? '';
        expect(result.startsWith(head)).toBe(true);
        expect(result.endsWith(tail)).toBe(true);
      }),
    );
  });
});
