/**
 * `npm run test:soak`: runs suites again and again, and tells which tests were not green each time. Generated tests try all of their cases there,
 * a tenth of which `npm test` tries (test/support/runs.ts).
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ensureBubblewrap } from '../../test/vscode/bubblewrap.mjs';
import { report, table } from './result.mjs';
import { runStages } from './schedule.mjs';
import { SOAK_STAGES, STAGES } from './stages.mjs';

const SUITES = ['unit', 'fuzz', 'integration', 'panel', 'e2e', 'scenarios', 'adapter'];
const ALL = [...STAGES, ...SOAK_STAGES];
const USAGE = `Usage: npm run test:soak -- [SUITE …] [--times N] [--busy N] [--file PART] [--case REGEX]

Runs suites several times, by default ${SUITES.join(', ')}, with all cases of generated tests. Ends with the tests that
failed at least once, with how often.

  --times N     runs, 5 by default
  --busy N      processes beside them that keep a core busy each, 0 by default
  --file PART   only test files with this in their path
  --case REGEX  only tests whose names match`;

const { values, positionals } = parseArgs({
  options: { times: { type: 'string' }, busy: { type: 'string' }, file: { type: 'string' }, case: { type: 'string' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const [times, busy] = [Number(values.times ?? 5), Number(values.busy ?? 0)];
const wanted = positionals.length === 0 ? SUITES : positionals;
const isUsable = times >= 1 && busy >= 0 && wanted.every((name) => ALL.some((stage) => stage.name === name));
if (values.help || !isUsable) {
  console.log(USAGE);
  process.exit(isUsable ? 0 : 2);
}

// For the processes that the suites run in.
process.env['GNOMON_RUNS'] ??= '1';
const busyLoops = Array.from({ length: busy }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
process.once('exit', () => busyLoops.forEach((each) => each.kill()));

const { file, case: name } = values;
const wish = { ...(file === undefined ? {} : { file }), ...(name === undefined ? {} : { case: name }) };
/** @type {Map<string, number>} how often each test failed */
const failures = new Map();
/** @type {string[][]} */
const runs = [];
await ensureBubblewrap();
await runStages(
  STAGES.filter((stage) => stage.name === 'build'),
  {},
);
for (let run = 1; run <= times; run += 1) {
  const start = performance.now();
  const results = await runStages(
    ALL.filter((stage) => wanted.includes(stage.name)),
    wish,
  );
  const seconds = (performance.now() - start) / 1_000;
  console.log(report(results, seconds));
  const all = results.flatMap(({ stage, tests }) => tests.map((test) => ({ ...test, name: `${stage}: ${test.name}` })));
  const failed = all.filter(({ passed }) => !passed);
  for (const test of failed) failures.set(test.name, (failures.get(test.name) ?? 0) + 1);
  runs.push([String(run), String(all.length - failed.length), String(failed.length), `${Math.round(seconds)} s`]);
}
console.log(['', ...table([['run', 'passed', 'failed', 'time'], ...runs]), ''].join('\n'));
for (const [test, count] of failures) console.log(`  failed ${count} of ${times}: ${test}`);
const green = runs.filter(([, , failed]) => failed === '0').length;
console.log(`${green} of ${times} runs green, ${busy} busy loops beside them`);
process.exit(green === times ? 0 : 1);
