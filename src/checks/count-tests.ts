import type { TestCounts } from '../domain/check.js';

/** How a runner reports the numbers of tests. */
interface Summary {
  /** Fits the lines with numbers. */
  readonly line: RegExp;
  /** The numbers of the tests that passed, and of those that did not, in such a line: all of each are added. */
  readonly passed: RegExp;
  readonly failed: RegExp;
  /** Whether there is a line for each package, all of which count; absent: the last one counts. */
  readonly each?: true;
  /** Whether the numbers are in lines of their own. */
  readonly apart?: true;
}

/** Each with the tool and the page that show it. All patterns read a line once. */
const SUMMARIES: readonly Summary[] = [
  // vitest.dev/guide/reporters, default reporter: `      Tests  1 failed | 1 passed | 1 skipped (3)`.
  { line: /^ *Tests  +\d+ (?:failed|passed|skipped|todo)\b/, passed: /(\d+) passed/, failed: /(\d+) failed/ },
  // jestjs.io/docs/getting-started: `Tests:       1 failed, 1 passed, 2 total`.
  { line: /^Tests: +\d+ \w+.*\btotal$/, passed: /(\d+) passed/, failed: /(\d+) failed/ },
  // nodejs.org/api/test.html, reporters: `ℹ pass 1` and `ℹ fail 1` (spec), `# pass 1` and `# fail 1` (tap).
  { line: /^(?:ℹ|#) (?:pass|fail|cancelled) \d+$/, passed: / pass (\d+)/, failed: / (?:fail|cancelled) (\d+)/, apart: true },
  // mochajs.org, spec reporter: `  1 passing (3ms)` and `  1 failing`.
  { line: /^ +\d+ (?:passing|failing)\b/, passed: /(\d+) passing/, failed: /(\d+) failing/, apart: true },
  // bun.sh/docs/cli/test: ` 1 pass` and ` 1 fail`.
  { line: /^ +\d+ (?:pass|fail)$/, passed: /(\d+) pass/, failed: /(\d+) fail/, apart: true },
  // docs.pytest.org, “Managing pytest’s output”: `==== 1 failed, 1 passed in 0.94s ====`, without the frame where it is quiet.
  {
    line: /^=* ?\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?)\b.* in \d+\.\d+s/,
    passed: /(\d+) passed/,
    failed: /(\d+) (?:failed|errors?)/,
  },
  // doc.rust-lang.org/book/ch11-01: `test result: FAILED. 1 passed; 1 failed; …`, for each crate.
  { line: /^test result: \w+\. \d+ passed; /, passed: /(\d+) passed/, failed: /(\d+) failed/, each: true },
  // pkg.go.dev/cmd/go, “Testing flags”, `-v`: `--- PASS: TestA (0.00s)`, also indented for subtests.
  { line: /^--- (?:PASS|FAIL): /, passed: /^--- (PASS)/, failed: /^--- (FAIL)/, each: true },
  // maven.apache.org/surefire: `[INFO] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1`; the last line is the sum of a module.
  { line: /^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$/, passed: /^$/, failed: /(?:Failures|Errors): (\d+)/ },
  // docs.gradle.org, “Testing in Java & JVM projects”: `3 tests completed, 1 failed, 1 skipped`.
  { line: /^\d+ tests? completed, /, passed: /^$/, failed: /(\d+) failed/ },
  // learn.microsoft.com, `dotnet test`: `Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3`, for each project.
  { line: /^(?:Passed|Failed)! +- Failed: /, passed: /Passed: +(\d+)/, failed: /Failed: +(\d+)/, each: true },
  // learn.microsoft.com, terminal logger of .NET: `Test summary: total: 3, failed: 1, succeeded: 2, skipped: 0, duration: 0.4s`.
  { line: /^Test summary: total: \d+, /, passed: /succeeded: (\d+)/, failed: /failed: (\d+)/ },
  // docs.deno.com/runtime/fundamentals/testing: `FAILED | 1 passed | 1 failed (5ms)`.
  { line: /^(?:ok|FAILED) \| \d+ passed/, passed: /(\d+) passed/, failed: /(\d+) failed/ },
  // docs.phpunit.de, “The Command-Line Test Runner”: `OK (3 tests, 3 assertions)`; `Tests: 3, Assertions: 3, Failures: 1.`
  { line: /^(?:OK \(\d+ tests?, |Tests: \d+, Assertions: )/, passed: /^OK \((\d+) tests?/, failed: /(?:Failures|Errors): (\d+)/ },
];

/** Totals of runners that say how many ran, and not how many passed. */
const TOTAL = /^(?:\[\w+\] )?Tests run: (\d+)|^(\d+) tests? completed|^Tests: (\d+), Assertions/;
const SKIPPED = /(?:Skipped: |Incomplete: )(\d+)|(\d+) skipped/;

/** The numbers of tests that a runner reports at the end of its output; `undefined` where none does. Anything can print them. */
export function countTests(lines: readonly string[]): TestCounts | undefined {
  // Of several that seem to have printed something, the one that did so last.
  const numbered = lines.map((line) => (/\d/.test(line) ? line : ''));
  let found: { readonly at: number; readonly counts: TestCounts } | undefined;
  for (const summary of SUMMARIES) {
    const places = numbered.flatMap((line, at) => (line !== '' && summary.line.test(line) ? [at] : []));
    const last = places.at(-1);
    if (last === undefined || (found !== undefined && found.at > last)) continue;
    const counted = summary.each === true ? places : summary.apart === true ? lastBlock(places) : [last];
    found = {
      at: last,
      counts: summed(
        counted.map((at) => lines[at] ?? ''),
        summary,
      ),
    };
  }
  return found?.counts;
}

/** Lines that lie close to each other at the end: an earlier summary is of another run. */
function lastBlock(places: readonly number[]): readonly number[] {
  const last = places.at(-1) ?? 0;
  return places.filter((at) => last - at < 5);
}

function summed(lines: readonly string[], { passed, failed }: Summary): TestCounts {
  const sum = (pattern: RegExp): number =>
    lines.reduce((all, line) => [...line.matchAll(new RegExp(pattern, 'g'))].reduce((more, [, digits]) => more + numberIn(digits), all), 0);
  const [bad, total] = [sum(failed), lines.reduce((all, line) => all + totalOf(line), 0)];
  return { passed: total > 0 ? Math.max(0, total - bad) : sum(passed), failed: bad };
}

function totalOf(line: string): number {
  // One of the alternatives has the number.
  const total = (TOTAL.exec(line) ?? []).slice(1).join('');
  const skipped = (SKIPPED.exec(line) ?? []).slice(1).join('');
  return total === '' ? 0 : numberIn(total) - numberIn(skipped === '' ? '0' : skipped);
}

/** A word in place of a number stands for one test. */
function numberIn(digits: string | undefined): number {
  const number = Number(digits);
  return Number.isNaN(number) ? 1 : Math.min(number, 9_999_999);
}
