import { describe, expect, it } from 'vitest';
import { extentAt } from '../../../src/completion/extent.js';
import { trimAnswer } from '../../../src/completion/trim-answer.js';
import { at } from './places.js';

/** What is suggested where a model answers so; what is typed and what replaces in one text. */
function suggested(marked: string, answer: string, language = 'typescript'): string | undefined {
  const place = at(marked, language);
  const extent = extentAt(place, false);
  if (extent === undefined) return undefined;
  const found = trimAnswer(answer, place, extent);
  return found === undefined ? undefined : found.text + (found.replaces === 0 ? '' : ` <${found.replaces}>`);
}

describe('where something is suggested', () => {
  it.each([
    ['const a = |', 'line'],
    ['  |', 'block'],
    ['|', 'block'],
    ['if (a) {|\n}', 'block'],
    ['def f(a):|', 'block'],
    ['const f = () =>|', 'block'],
    ['call(|)', 'line'],
    ['function f() {|}', 'block'],
    ['go(() => {|});', 'block'],
    ['const a = { b: |}', 'line'],
    ['call(|);', 'line'],
    ['const a = | + b;', 'line'],
    ['a();|', undefined],
    ['for (let a = 0;|)', 'line'],
    ['con|st', undefined],
    ['a.|b()', undefined],
    ['|const a = 1;', undefined],
  ])('%s: %s', (marked, extent) => {
    expect(extentAt(at(marked), false)).toBe(extent);
  });

  it('before the rest of a line when the person asks, and within a word never', () => {
    expect(extentAt(at('|const a = 1;'), true)).toBe('line');
    expect(extentAt(at('con|st'), true)).toBeUndefined();
  });
});

describe('a line', () => {
  it('ends with the line', () => {
    expect(suggested('const a = |', 'b + c;\nconst d = 1;')).toBe('b + c;');
  });

  it('does not say again what stands behind the cursor', () => {
    expect(suggested('call(|)', 'a, b)')).toBe('a, b');
    expect(suggested('call(|);', 'a, b);')).toBe('a, b');
    expect(suggested('const a = (|) + b;', 'x) + b;')).toBe('x');
    expect(suggested('const a = | + b;', 'c + b;\n')).toBe('c');
  });

  it('takes the place of what closes behind the cursor where it says more', () => {
    expect(suggested('call(|)', 'a, b);')).toBe('a, b); <1>');
    expect(suggested('f([|])', '1, 2]).then(')).toBe('1, 2]).then( <2>');
  });

  it('is nothing when nothing or only white space is left', () => {
    expect(suggested('call(|)', ')')).toBeUndefined();
    expect(suggested('const a = |', '   \nb')).toBeUndefined();
  });

  it('holds nothing that cannot be seen', () => {
    expect(suggested('const a = |', 'b\u202e\u200b;')).toBe('b;');
  });
});

describe('a block', () => {
  it('ends where its bracket closes', () => {
    expect(suggested('function add(a, b) {|', '\n  return a + b;\n}\n\nfunction sub() {}')).toBe('\n  return a + b;\n}');
    expect(suggested('useEffect(() => {|', '\n  go();\n});\nnext();')).toBe('\n  go();\n});');
  });

  it('goes before what the editor has closed', () => {
    expect(suggested('function f() {|}\n', '\n  return 1;\n}')).toBe('\n  return 1;\n');
    expect(suggested('  function f() {|}\n', '\n    return 1;')).toBe('\n    return 1;\n  ');
    expect(suggested('function f() {|}\n', ' return 1; }')).toBe(' return 1; ');
    expect(suggested('go(() => {|})\n', '\n  stop();\n});\nmore();')).toBe('\n  stop();\n}); <2>');
  });

  it('leaves out the closing line that stands below already', () => {
    expect(suggested('function add(a, b) {|\n}\n', '\n  return a + b;\n}')).toBe('\n  return a + b;');
    expect(suggested('function add(a, b) {\n  |\n}\n', 'return a + b;\n}\n')).toBe('return a + b;');
  });

  it('ends at the end of a paragraph', () => {
    expect(suggested('|', 'const a = 1;\nconst b = 2;\n\nconst c = 3;')).toBe('const a = 1;\nconst b = 2;');
  });

  it('ends where the indentation does', () => {
    expect(suggested('def f(a):|', '\n    b = a\n\n    return b\n\ndef g():\n    pass', 'python')).toBe('\n    b = a\n\n    return b');
    expect(suggested('if (a) {\n    |\n', 'b();\n    c();\n  d();')).toBe('b();\n    c();');
  });

  it('is not led astray by brackets in texts and comments', () => {
    expect(suggested('function f() {|', "\n  say('}'); // }\n  return 1;\n}\nmore();")).toBe("\n  say('}'); // }\n  return 1;\n}");
  });

  it('does not close what it did not open', () => {
    expect(suggested('foo(\n|\n)', '  a,\n  b)\nbar()')).toBe('  a,\n  b');
  });

  it('stops saying the same lines again and again', () => {
    expect(suggested('|', Array.from({ length: 9 }, () => 'push(1);').join('\n'))).toBe('push(1);');
    expect(suggested('|', Array.from({ length: 4 }, () => 'open();\nclose();').join('\n'))).toBe('open();\nclose();');
  });

  it('is nothing when it says only what stands right above or below', () => {
    expect(suggested('total += item.price;\n|', 'total += item.price;')).toBeUndefined();
    expect(suggested('|\ntotal += item.price;\n', 'total += item.price;')).toBeUndefined();
    expect(suggested('  </div>\n</|', 'div>', 'html')).toBe('div>');
  });

  it('understands the line endings of every system', () => {
    expect(suggested('function f() {|', '\r\n  return 1;\r\n}\r\n')).toBe('\n  return 1;\n}');
  });
});
