/**
 * Runs Mocha suites inside an extension host and reports each test at once, as a line of JSON.
 *
 * The entry point of the bundle of suites looks like this. The suites must be imported dynamically, because `describe`
 * and `it` exist only while `load` runs:
 *
 *     import { runSuites } from '../vscode/mocha-run.js';
 *
 *     export function run(): Promise<void> {
 *       return runSuites(async () => {
 *         await import('./activation.test.js');
 *         await import('./chat.test.js');
 *       });
 *     }
 *
 * Bundle it with esbuild as an ECMAScript module for Node.js with `external: ['vscode', 'mocha']`. The same bundle runs
 * under `run-integration.mjs` (the VS Code server) and `run-desktop.mjs` (desktop VS Code).
 */
import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import { keepCounts } from '../support/coverage/counts.mjs';

/** What went wrong in a test, or before the tests. */
export interface Problem {
  readonly message: string;
  readonly stack: string;
}

/** One line of the report. `title` holds the titles of the enclosing suites too; durations are in milliseconds. */
export type TestEvent =
  | { readonly type: 'start'; readonly total: number }
  | { readonly type: 'pass'; readonly title: string; readonly durationMs: number }
  | { readonly type: 'skip'; readonly title: string }
  | { readonly type: 'fail'; readonly title: string; readonly problem: Problem }
  | { readonly type: 'error'; readonly problem: Problem }
  | { readonly type: 'end'; readonly failed: number };

/** Longer than Mocha's own two seconds, and than any wait of a test: opening documents and views on a busy machine takes time. */
const TEST_TIMEOUT_MS = 120_000;

/**
 * Loads suites and runs them.
 *
 * The environment variable `GNOMON_TEST_RESULTS` names the file to which the report is appended; without it the report
 * goes to the console. `GNOMON_TEST_GREP` is a regular expression that limits the run to tests with matching titles.
 * @param load imports the suites, which declare themselves with `describe` and `it` (or `suite` and `test`)
 * @returns when all tests have passed
 * @throws Error when loading fails or a test failed; VS Code then ends with an error status
 */
export async function runSuites(load: () => Promise<void>): Promise<void> {
  let failed: number;
  try {
    failed = await runMocha(load);
  } catch (error) {
    report({ type: 'error', problem: toProblem(error) });
    throw error;
  }
  keepCounts();
  report({ type: 'end', failed });
  if (failed > 0) throw new Error(`${failed} tests failed`);
}

/** Makes Mocha's functions global, loads the suites and runs them; the result is the number of failures. */
async function runMocha(load: () => Promise<void>): Promise<number> {
  const grep = process.env['GNOMON_TEST_GREP'];
  const mocha = new Mocha({ reporter: LineReporter, timeout: TEST_TIMEOUT_MS, ...(grep ? { grep: new RegExp(grep) } : {}) });
  for (const ui of ['tdd', 'bdd'] as const) {
    mocha.ui(ui);
    mocha.suite.emit('pre-require', globalThis, '', mocha);
  }
  await load();
  return new Promise((resolve) => {
    mocha.run(resolve);
  });
}

/** A Mocha reporter that forwards to {@link report}. Failures of hooks are reported like those of tests. */
class LineReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const { EVENT_RUN_BEGIN, EVENT_TEST_PASS, EVENT_TEST_PENDING, EVENT_TEST_FAIL } = Mocha.Runner.constants;
    runner.once(EVENT_RUN_BEGIN, () => {
      report({ type: 'start', total: runner.total });
    });
    runner.on(EVENT_TEST_PASS, (test: Mocha.Test) => {
      report({ type: 'pass', title: test.fullTitle(), durationMs: test.duration ?? 0 });
    });
    runner.on(EVENT_TEST_PENDING, (test: Mocha.Test) => {
      report({ type: 'skip', title: test.fullTitle() });
    });
    runner.on(EVENT_TEST_FAIL, (test: Mocha.Test, error: unknown) => {
      report({ type: 'fail', title: test.fullTitle(), problem: toProblem(error) });
    });
  }
}

/** Writes synchronously, so that what was reported survives a host that dies in the next test. */
function report(event: TestEvent): void {
  const file = process.env['GNOMON_TEST_RESULTS'];
  if (file) appendFileSync(file, `${JSON.stringify(event)}\n`);
  else console.log(JSON.stringify(event));
}

function toProblem(error: unknown): Problem {
  if (error instanceof Error) return { message: error.message, stack: error.stack ?? '' };
  return { message: String(error), stack: '' };
}
