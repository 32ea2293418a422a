import { describe, expect, test } from 'vitest';
import { canonicalName } from '../../../../src/permission/files/canonical-name.js';
import { type Bases, compilePath, fitsPath, mayFitBelow, namesOutside } from '../../../../src/permission/rules/path-pattern.js';
import { pathRule } from '../../../../src/permission/files/file-needs.js';
import { HARD_PATH_PATTERNS } from '../../../support/worst-inputs.js';

const bases: Bases = { folders: [['/ws', '/real/ws']], home: ['/home/user'] };
const plain = (name: string): string => name;
const fits = (pattern: string, path: string, fold = plain): boolean => fitsPath(compilePath(pattern, fold), path, bases);

describe('patterns for files', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['.env', ['/ws/.env', '/ws/a/b/.env', '/real/ws/.env', '/etc/.env'], ['/ws/.env.local', '/ws/x.env', '/ws/env']],
    ['.env*', ['/ws/.env', '/ws/.env.local'], ['/ws/x.env']],
    ['*.env', ['/ws/.env', '/ws/a/x.env'], ['/ws/.env.local']],
    ['src', ['/ws/src', '/ws/src/a.ts', '/ws/packages/src/a.ts'], ['/ws/srcs/a.ts', '/ws/a.src']],
    ['src/**', ['/ws/src/a.ts', '/ws/src/a/b.ts'], ['/ws/src', '/ws/x/src/a.ts', '/src/a.ts', '/etc/src/a.ts']],
    ['src/a.ts', ['/ws/src/a.ts', '/real/ws/src/a.ts'], ['/ws/src/b.ts', '/ws/x/src/a.ts']],
    ['./a.ts', ['/ws/a.ts'], ['/ws/x/a.ts', '/a.ts']],
    ['/a.ts', ['/ws/a.ts'], ['/ws/x/a.ts', '/a.ts']],
    ['/build/', ['/ws/build/x/y'], ['/ws/x/build/y']],
    ['//etc/**', ['/etc/passwd', '/etc/a/b'], ['/etc', '/ws/etc/passwd']],
    ['//etc', ['/etc', '/etc/passwd'], ['/etcx', '/ws/etc']],
    ['~/.ssh/**', ['/home/user/.ssh/id_rsa'], ['/home/other/.ssh/id_rsa', '/ws/.ssh/x']],
    ['~', ['/home/user/a'], ['/home/other/a', '/home/user']],
    ['**', ['/ws/a', '/ws/a/b'], ['/ws']],
    ['**/x.ts', ['/ws/x.ts', '/ws/a/b/x.ts'], ['/ws/y.ts']],
    ['src/*.ts', ['/ws/src/a.ts'], ['/ws/src/a/b.ts']],
    ['src/**/*.ts', ['/ws/src/a.ts', '/ws/src/a/b/c.ts'], ['/ws/src/a.js']],
    ['a?c', ['/ws/abc'], ['/ws/ac', '/ws/abbc']],
    ['[a-c]x', ['/ws/ax', '/ws/cx'], ['/ws/dx']],
    ['[!a]x', ['/ws/bx'], ['/ws/ax']],
    ['\\[slug\\]', ['/ws/[slug]/page.ts'], ['/ws/s/page.ts']],
    ['\\*', ['/ws/*'], ['/ws/a']],
  ])('%s', (pattern, fitting, others) => {
    expect(fitting.filter((path) => !fits(pattern, path))).toEqual([]);
    expect(others.filter((path) => fits(pattern, path))).toEqual([]);
  });

  test('path-09 path-11: rules that hold back know every spelling', () => {
    for (const path of ['/ws/.ENV', '/ws/.env.', '/ws/.e\u200cnv', '/ws/\uff0eenv', '/ws/.env::$DATA']) {
      expect(fits('.env', path, canonicalName)).toBe(true);
      expect(fits('.env', path)).toBe(false);
    }
    expect(fits('cafe\u0301', '/ws/caf\u00e9', canonicalName)).toBe(true);
  });

  test('path-10: paths with drives', () => {
    const windows: Bases = { folders: [['C:\\ws']], home: ['C:\\Users\\me'] };
    const on = (pattern: string, path: string): boolean => fitsPath(compilePath(pattern, canonicalName), path, windows);
    expect(on('//C:/secret/**', 'c:\\Secret\\x')).toBe(true);
    expect(on('//c/secret/**', 'C:\\secret\\x')).toBe(true);
    expect(on('~/.ssh/**', 'C:\\Users\\me\\.ssh\\id_rsa')).toBe(true);
    expect(on('src/**', 'C:\\ws\\src\\a.ts')).toBe(true);
    expect(on('//C:/secret/**', 'D:\\secret\\x')).toBe(false);
  });

  test('only a pattern that says so leads out of the workspace', () => {
    expect(['//etc/**', '~/x'].every((text) => namesOutside(compilePath(text, plain)))).toBe(true);
    expect(['/etc/**', 'x', './x', '**'].some((text) => namesOutside(compilePath(text, plain)))).toBe(false);
  });

  test.each<[string, string, boolean]>([
    ['.env', '/ws/src', true],
    ['/secrets/**', '/ws', true],
    ['/secrets/**', '/ws/secrets', true],
    ['/secrets/**', '/ws/secrets/deep', true],
    ['/secrets/**', '/ws/src', false],
    ['/a/secret.txt', '/ws/a', true],
    ['/a/secret.txt', '/ws/b', false],
    ['/a/**/x', '/ws/a/b/c', true],
    ['~/.ssh/**', '/home', true],
    ['~/.ssh/**', '/home/user/src', false],
    ['//etc/x', '/', true],
    ['//etc/x', '/usr', false],
  ])('path-15: whether %s may be about something below %s: %j', (pattern, folder, expected) => {
    expect(mayFitBelow(compilePath(pattern, plain), folder, bases)).toBe(expected);
  });

  test('cmd-33: a hostile pattern fits what it says', () => {
    for (const { pattern, fits: fitting, misses } of HARD_PATH_PATTERNS) {
      for (const fold of [plain, canonicalName]) {
        expect(fits(pattern, `/ws/${fitting}`, fold)).toBe(true);
        expect(fits(pattern, `/ws/${misses}`, fold)).toBe(false);
      }
    }
  });
});

test.each<[string, boolean, string | undefined]>([
  ['/ws/src/a.ts', false, 'Edit(src/a.ts)'],
  ['/ws/a.ts', false, 'Edit(/a.ts)'],
  ['/ws/~/a.ts', false, 'Edit(/~/a.ts)'],
  ['/ws/app/[slug]/{x}*.ts', false, 'Edit(app/\\[slug\\]/\\{x\\}\\*.ts)'],
  ['/etc', true, 'Edit(//etc/**)'],
  ['/etc/a b', false, 'Edit(//etc/a b)'],
  ['/ws/a(b', false, undefined],
  ['/ws/a\nb', false, undefined],
])('the rule for %s (and what lies below: %j) is %j, and fits it', (path, below, expected) => {
  const rule = pathRule('Edit', { path, below }, bases);
  expect(rule).toBe(expected);
  if (rule !== undefined) expect(fits(rule.slice('Edit('.length, -1), below ? `${path}/x` : path)).toBe(true);
});

test('among several folders the rule for a file is absolute', () => {
  expect(pathRule('Edit', { path: '/a/x/y.ts', below: false }, { folders: [['/a'], ['/b']], home: [] })).toBe('Edit(//a/x/y.ts)');
});
