import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countTests } from '../../../src/checks/count-tests.js';
import { findFindings } from '../../../src/checks/find-findings.js';
import { outputLines, tailOf } from '../../../src/checks/output.js';

/** The output of a program as it was recorded, in the folder `/project`. */
function recorded(name: string): readonly string[] {
  return outputLines(readFileSync(join('test/fixtures/check-output', `${name}.txt`), 'utf8'));
}

const places = (lines: readonly string[]): readonly string[] =>
  findFindings(lines, '/project').map(({ file, line, column, message }) => `${file}:${line}:${column ?? ''} ${message}`);

describe('the numbers of tests', () => {
  it.each(['vitest', 'mocha', 'node-tap', 'node-spec', 'pytest', 'pytest-q', 'cargo-test'])('are read from the output of %s', (name) => {
    expect(countTests(recorded(name))).toEqual({ passed: 1, failed: 1 });
  });

  it.each(['tsc', 'eslint', 'gcc', 'cargo-check'])('are in no output of %s', (name) => {
    expect(countTests(recorded(name))).toBeUndefined();
  });

  // As the documentation of each program shows it.
  it.each([
    ['jest', 'Tests:       1 failed, 1 skipped, 2 passed, 4 total\nTime:        0.5 s', 2, 1],
    ['bun', ' 3 pass\n 1 fail\n 4 expect() calls\nRan 4 tests across 1 files. [1.00ms]', 3, 1],
    ['go test -v', '--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\n    b_test.go:7: no\nFAIL\nFAIL\texample/b\t0.003s', 1, 1],
    ['Maven', '[INFO] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.1 s\n[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1', 1, 2],
    ['Gradle', '> Task :test FAILED\n\n5 tests completed, 1 failed, 1 skipped', 3, 1],
    [
      'dotnet test',
      'Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 9 ms - a.dll (net8.0)\nPassed!  - Failed:     0, Passed:     5',
      7,
      1,
    ],
    ['dotnet', 'Test summary: total: 3, failed: 1, succeeded: 2, skipped: 0, duration: 0.4s', 2, 1],
    ['deno', 'FAILED | 1 passed | 2 failed (5ms)', 1, 2],
    ['PHPUnit', 'Tests: 3, Assertions: 3, Failures: 1, Skipped: 1.', 1, 1],
    ['PHPUnit', 'OK (3 tests, 4 assertions)', 3, 0],
    ['pytest', '=== 2 passed, 1 warning, 1 error in 0.12s ===', 2, 1],
    ['cargo test', 'test result: ok. 2 passed; 0 failed; 0 ignored; …\n   Doc-tests a\ntest result: ok. 1 passed; 0 failed; 0 ignored; …', 3, 0],
    ['several, the last one', 'Tests:       9 failed, 9 total\n== 1 passed in 0.10s ==', 1, 0],
  ])('are read from what %s says', (_name, output, passed, failed) => {
    expect(countTests(outputLines(output))).toEqual({ passed, failed });
  });
});

describe('places in files', () => {
  it('are read from the output of tsc, plain and pretty', () => {
    const wanted = [
      "src/a.ts:1:14 TS2322: Type 'string' is not assignable to type 'number'.",
      "src/a.ts:2:7 TS2322: Type 'number' is not assignable to type 'string'.",
    ];
    expect(places(recorded('tsc'))).toEqual(wanted);
    expect(places(recorded('tsc-pretty'))).toEqual(wanted);
  });

  it('are read from the output of compilers and linters, without warnings and notes', () => {
    expect(places(recorded('eslint'))).toEqual(["a.js:2:1 'missing' is not defined no-undef"]);
    expect(places(recorded('gcc'))).toEqual(['a.c:1:21 ‘x’ undeclared (first use in this function)']);
    expect(places(recorded('cargo-check'))).toEqual(['src/lib.rs:1:21 error[E0308]: mismatched types']);
    expect(places(['./b.go:12:5: undefined: x', '    b_test.go:7: no', 'vet: ./c.go:3:1: expected x'])).toEqual(['b.go:12:5 undefined: x', 'b_test.go:7: no']);
    expect(places(['a.py:3: error: Incompatible types', 'a.py:1:8: F401 `os` imported but unused', 'a.py:3: note: See'])).toEqual([
      'a.py:3: Incompatible types',
      'a.py:1:8 F401 `os` imported but unused',
    ]);
    expect(places(["/project/src/b.js:2:1: 'x' is not defined. [Error/no-undef]"])).toEqual(["src/b.js:2:1 'x' is not defined. [Error/no-undef]"]);
  });

  it('are read from the output of test runners', () => {
    expect(places(recorded('vitest'))).toEqual(['sum.test.mjs:4:17 AssertionError: expected 2 to be 3 // Object.is equality']);
    expect(places(recorded('mocha'))).toEqual(['m/sum.cjs:4:28 AssertionError [ERR_ASSERTION]: 2 == 3']);
    expect(places(recorded('node-tap'))).toEqual(["n/sum.test.mjs:4:28 '2 == 3'"]);
    expect(places(recorded('node-spec'))).toContain('n/sum.test.mjs:4:28 AssertionError [ERR_ASSERTION]: 2 == 3');
    expect(places(recorded('pytest'))).toEqual(['tests/test_sum.py:9: AssertionError']);
    expect(places(recorded('cargo-test'))).toEqual(['src/lib.rs:9:9 tests::fails panicked']);
  });

  it('outside of the folder are left out', () => {
    expect(places(['/etc/passwd.txt:1:1: error: x', '../b.ts:1:1: error: x', 'a/../../b.ts(1,1): error: x', 'C:\\other\\a.cs(3,5): error CS1: x'])).toEqual([]);
  });
});

describe('an output of any kind', () => {
  it('is read within limits, and in time', () => {
    const bombs = [
      'a.ts:1:1: '.repeat(400_000),
      `${'a'.repeat(3_000_000)}.ts:1:1: error`,
      'Tests: 1 failed, '.repeat(200_000),
      `at ${' ('.repeat(500_000)}`,
      `${'x.y'.repeat(600)}\n`.repeat(2_000),
      ' ❯ '.repeat(500_000),
      'Error'.repeat(500_000),
      'a.ts:9:9: error: no\n'.repeat(100_000),
      '--- PASS: T (0.00s)\n'.repeat(300_000),
      '1\n'.repeat(1_000_000),
      `${'at ( a.b'.repeat(240)}\n`.repeat(600),
    ];
    for (const bomb of bombs) {
      const began = performance.now();
      const lines = outputLines(bomb);
      expect(findFindings(lines, '/project').length).toBeLessThanOrEqual(200);
      countTests(lines);
      expect(performance.now() - began).toBeLessThan(1_500);
      expect(tailOf(bomb).length).toBeLessThanOrEqual(8_000);
    }
  });

  it('gives no numbers beyond all measure', () => {
    expect(countTests([`== ${'9'.repeat(500)} passed in 0.01s ==`])?.passed).toBeLessThan(10_000_000);
  });
});
