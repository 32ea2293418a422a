import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../../src/domain/errors.js';
import { compileGlob } from '../../../../src/node/search/glob-match.js';
import { HARD_GLOBS } from '../../../support/worst-inputs.js';

const cases: readonly [pattern: string, yes: readonly string[], no: readonly string[]][] = [
  ['*.ts', ['a.ts', 'x/y/a.ts', '.ts'], ['a.tsx', 'a.ts/b']],
  ['src/*.ts', ['src/a.ts'], ['a.ts', 'src/x/a.ts', 'x/src/a.ts']],
  ['src/**/*.ts', ['src/a.ts', 'src/x/y/a.ts'], ['a.ts', 'srcs/a.ts']],
  ['**/test/**', ['test/a', 'x/test/y/z'], ['tests/a']],
  ['**/a/*/c', ['a/b/c', 'a/a/b/c', 'x/a/a/c'], ['a/c']],
  ['*.{js,ts{,x}}', ['a.js', 'a.ts', 'a.tsx'], ['a.jsx']],
  ['{src,lib}/*.js', ['src/a.js', 'lib/b.js'], ['x/src/a.js']],
  ['file?.[ch]', ['file1.c', 'file2.h'], ['file.c', 'file1.x']],
  ['[!a-c]x', ['dx', '-x'], ['ax', 'bx']],
  ['[]]x', [']x'], ['x']],
  ['a[b', ['a[b'], ['ab']],
  ['\\*.md', ['*.md'], ['a.md']],
  ['{a', ['{a'], ['a']],
  ['./a/b', ['a/b'], ['x/a/b']],
  ['/a', ['a'], ['x/a']],
  ['docs/', ['docs/a', 'docs/a/b'], ['x/docs/a', 'docs']],
  ['docs/**', ['docs/a', 'docs/a/b'], ['docs', 'x/docs/a']],
  ['**', ['a', 'a/b'], []],
  ['!*.test.ts', ['a.ts'], ['a.test.ts', 'x/a.test.ts']],
  ['.env*', ['.env', 'x/.env.local'], ['env']],
  ['A.md', ['A.md'], ['a.md']],
  ['日本/*.md', ['日本/語.md'], ['日/語.md']],
];

describe('compileGlob', () => {
  it.each(cases)('%s', (pattern, yes, no) => {
    const glob = compileGlob(pattern);
    expect(yes.filter((path) => !glob.matches(path))).toEqual([]);
    expect(no.filter((path) => glob.matches(path))).toEqual([]);
  });

  it('tool-14: 30 groups of braces are refused, many stars matched right', () => {
    expect(() => compileGlob('{a,b}'.repeat(30))).toThrow(ToolInputError);
    for (const { pattern, fits, misses } of HARD_GLOBS) {
      const glob = compileGlob(pattern);
      expect([glob.matches(fits), glob.matches(misses)]).toEqual([true, false]);
    }
  });

  it('knows the file names that can match', () => {
    expect(compileGlob('src/**/*.{js,ts}').names).toEqual(['*.js', '*.ts']);
    expect(compileGlob('src/**').names).toBeUndefined();
    expect(compileGlob('!*.ts').names).toBeUndefined();
    expect(compileGlob('a:b').names).toBeUndefined();
  });
});
