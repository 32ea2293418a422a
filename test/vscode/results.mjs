/**
 * Follows the report of a test run in an extension host while it is written.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseJson } from './json.mjs';
import { waitFor } from './wait.mjs';

/** @typedef {import('./mocha-run.js').TestEvent} TestEvent */
/** @typedef {import('./mocha-run.js').Problem} Problem */

/**
 * How a run went.
 * @typedef {object} Summary
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {{ title: string, problem: Problem }[]} failures
 * @property {{ name: string, passed: boolean, ms: number }[]} tests those that passed or failed; the time of a failure is not known
 */

/** Thrown when the suites could not be loaded or the extension host ended before the report did. */
class TestRunError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'TestRunError';
  }
}

/**
 * Reads the report to its end.
 * @param {{ file: string, timeoutMs: number, print: (line: string) => void, hasEnded: () => boolean }} options
 *   `hasEnded` tells that nothing more will be written; each result is printed as soon as it is there
 * @returns {Promise<Summary>}
 * @throws {TestRunError} when the suites could not be loaded, or nothing more comes and the report is not complete
 * @throws {import('./wait.mjs').DeadlineError} when the run takes longer than `timeoutMs`
 */
export async function followResults({ file, timeoutMs, print, hasEnded }) {
  /** @type {Summary} */
  const summary = { passed: 0, failed: 0, skipped: 0, failures: [], tests: [] };
  let seen = 0;
  const readOn = () => {
    const ended = hasEnded(); // Asked before reading: what was written before the end is then read.
    const events = readEvents(file);
    for (const event of events.slice(seen)) take(event, summary, print);
    seen = events.length;
    if (events.at(-1)?.type === 'end') return true;
    if (ended) throw new TestRunError(`The extension host ended after ${seen} lines of the report, before its end.`);
    return false;
  };
  await waitFor(readOn, { what: 'the end of the tests', timeoutMs, intervalMs: 100 });
  return summary;
}

/**
 * @param {string} file
 * @returns {TestEvent[]} the events of all complete lines
 */
function readEvents(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => /** @type {TestEvent} */ (parseJson(line)));
}

/**
 * @param {TestEvent} event
 * @param {Summary} summary is updated
 * @param {(line: string) => void} print
 */
function take(event, summary, print) {
  switch (event.type) {
    case 'start':
      print(`${event.total} tests in the extension host`);
      break;
    case 'pass':
      summary.passed += 1;
      summary.tests.push({ name: event.title, passed: true, ms: event.durationMs });
      print(`  ✓ ${event.title} (${event.durationMs} ms)`);
      break;
    case 'skip':
      summary.skipped += 1;
      print(`  - ${event.title}`);
      break;
    case 'fail':
      summary.failed += 1;
      summary.tests.push({ name: event.title, passed: false, ms: 0 });
      summary.failures.push({ title: event.title, problem: event.problem });
      print(`  ✗ ${event.title}\n${indent(event.problem)}`);
      break;
    case 'error':
      throw new TestRunError(`The suites could not be loaded.\n${indent(event.problem)}`);
    case 'end':
  }
}

/**
 * @param {Problem} problem
 * @returns {string} its stack, moved to the right
 */
function indent({ message, stack }) {
  return (stack || message).replaceAll(/^/gm, '      ');
}
