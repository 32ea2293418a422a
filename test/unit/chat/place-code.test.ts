import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeCode } from '../../../src/chat/code/place-code.js';
import { runs } from '../../support/runs.js';

const FILE = 'import a;\n\nfunction one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n} // two\n';

describe('where code goes in a file', () => {
  test('between its first and last line, when each is there once', () => {
    const code = 'function two() {\n  return 22;\n} // two\n';
    expect(placeCode(FILE, code, false)).toEqual({ text: FILE.replace('return 2;', 'return 22;'), lines: { first: 7, last: 9 } });
  });

  test.each([
    ['the last line is not there', 'function two() {\n  return 3;\n} // three\n'],
    ['the first line is there twice', 'return 1;\n} // two\n'],
    ['they are in the other order', '} // two\nfunction two() {\n'],
    ['it is a single line', 'function two() {\n'],
  ])('as the whole file, when %s', (_, code) => {
    expect(placeCode(`${FILE}return 1;\nreturn 1;\n`, code, false)).toEqual({ text: code });
  });

  test('as the whole file, when it spans the file', () => {
    const code = FILE.replace('return 1;', 'return 11;');
    expect(placeCode(FILE, code, false)).toEqual({ text: code });
  });

  test('without the comment that names the file, unless the file begins with one', () => {
    expect(placeCode('', '// src/a.ts\nconst a = 1;', true).text).toBe('const a = 1;\n');
    expect(placeCode('// src/a.ts\nold', '// src/a.ts\nnew', true).text).toBe('// src/a.ts\nnew');
    expect(placeCode('', '// src/a.ts\nconst a = 1;', false).text).toBe('// src/a.ts\nconst a = 1;\n');
  });

  test('with the line endings and the end of the file', () => {
    const crlf = FILE.replaceAll('\n', '\r\n');
    const placed = placeCode(crlf, 'function two() {\n  return 22;\n} // two', false);
    expect(placed.text).toBe(crlf.replace('return 2;', 'return 22;'));
    expect(placeCode('x', 'a\nb', false).text).toBe('a\nb');
    expect(placeCode('x\r\ny\r\n', 'a\nb', false).text).toBe('a\r\nb\r\n');
  });

  test('changes nothing outside of the lines that it says, whatever the texts', () => {
    const line = fc.constantFrom('a', 'b', 'c', '  d', '', 'e e');
    const text = fc.tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\r\n')).map(([lines, ending]) => lines.join(ending));
    fc.assert(
      fc.property(text, text, (file, code) => {
        const { text: placed, lines } = placeCode(file, code, false);
        if (lines === undefined) return;
        const before = file.split(/\r?\n/);
        const after = placed.split(/\r?\n/);
        expect(after.slice(0, lines.first - 1)).toEqual(before.slice(0, lines.first - 1));
        const rest = before.length - lines.last;
        expect(rest === 0 ? [] : after.slice(-rest)).toEqual(before.slice(lines.last));
      }),
      { numRuns: runs(2_000) },
    );
  });
});
