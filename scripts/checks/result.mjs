/**
 * What the checks find out, and how it is printed.
 */

/**
 * One test, or one check that is no test.
 * @typedef {object} TestResult
 * @property {string} name
 * @property {boolean} passed
 * @property {number} ms
 * @property {string} [why] what was thrown, where the suite tells it in its report
 */

/**
 * How a stage went.
 * @typedef {object} StageResult
 * @property {string} stage
 * @property {number} seconds
 * @property {number} budget seconds that it may take
 * @property {number} idle the share of the machine that did nothing meanwhile, from 0 to 1
 * @property {readonly TestResult[]} tests
 */

const SLOWEST = 20;
/** Lines of an error that are repeated at the end: what was expected, the first places of the stack, and what a window shows. */
const LINES_OF_ERROR = 60;

/**
 * The end of a run: the slowest tests, what failed, the stages with their times and, last, "N passed, N failed".
 * @param {readonly StageResult[]} results in the order in which the stages ended
 * @param {number} seconds of the whole run, which is less than the sum where stages ran side by side
 * @returns {string}
 */
export function report(results, seconds) {
  const all = results.flatMap(({ stage, tests }) => tests.map((test) => ({ ...test, stage })));
  const slowest = all.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  const failed = all.filter(({ passed }) => !passed);
  const over = results.filter((result) => result.seconds > result.budget);
  const stages = [
    ...results.map((result) => [...stageRow(result), `${Math.round(result.idle * 100)} %`, duration(result.budget)]),
    ['all', '', '', duration(seconds), '', ''],
  ];
  return [
    ...['', 'The slowest tests:', ...table(slowest.map(({ ms, stage, name }) => [`${(ms / 1_000).toFixed(1)} s`, stage, name]))],
    ...(failed.length === 0 ? [] : ['', 'Failed:', ...failed.flatMap(failure)]),
    ...['', ...table([['stage', 'passed', 'failed', 'time', 'idle', 'budget'], ...stages]), ''],
    ...over.map(({ stage, seconds: taken, budget }) => `${stage} took ${duration(taken)}, more than the ${duration(budget)} that it may take on two cores.`),
    ...(over.length === 0 ? [] : ['']),
    `${all.length - failed.length} passed, ${failed.length} failed`,
  ].join('\n');
}

/**
 * @param {TestResult & { stage: string }} test
 * @returns {string[]} its name and, indented, the beginning of its error: a machine may keep nothing but the end of the output
 */
function failure({ stage, name, why = '' }) {
  const lines = why
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, LINES_OF_ERROR);
  return [`  ${stage}: ${name}`, ...(why === '' ? [] : lines.map((line) => `    ${line}`.trimEnd()))];
}

/**
 * @param {StageResult} result
 * @returns {string} such as "unit: 5907 passed, 0 failed, 3 min 12 s"
 */
export function stageLine(result) {
  const [stage, passed, failed, time] = stageRow(result);
  return `${stage}: ${passed} passed, ${failed} failed, ${time}`;
}

/**
 * @param {StageResult} result
 * @returns {string[]}
 */
function stageRow({ stage, seconds, tests }) {
  const passed = tests.filter((test) => test.passed).length;
  return [stage, String(passed), String(tests.length - passed), duration(seconds)];
}

/**
 * @param {number} seconds
 * @returns {string} such as "3 min 12 s"
 */
function duration(seconds) {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/**
 * @param {readonly (readonly string[])[]} rows all of the same length
 * @returns {string[]} lines in which the columns stand below each other
 */
export function table(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
