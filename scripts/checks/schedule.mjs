/**
 * Runs stages, side by side where the machine has room for it.
 */
import { cpus } from 'node:os';
import { stageLine } from './result.mjs';

/** @typedef {import('./result.mjs').StageResult} StageResult */
/** @typedef {import('./stages.mjs').Stage} Stage */

/**
 * So many processes work at a time. The checks have to be quick on a machine with two cores: it is twice as many, as those
 * that have a browser wait half of the time.
 */
const JOBS = 4;

/**
 * Runs each stage when those that it needs have ended and there is room for its workers, in the order given. What stages
 * print does not mix: that of the one that began first is printed at once, that of others when they have ended or are
 * the first.
 * @param {readonly Stage[]} stages
 * @param {Pick<import('./suites.mjs').Wish, 'file' | 'case'>} wish
 * @param {number} [jobs] processes that work at a time
 * @returns {Promise<StageResult[]>} in the order in which they ended
 */
export async function runStages(stages, wish, jobs = JOBS) {
  /** @type {StageResult[]} */
  const results = [];
  /** @type {Map<Stage, Promise<void>>} */
  const running = new Map();
  const waiting = [...stages];
  const voices = new Voices();
  while (waiting.length > 0 || running.size > 0) {
    for (const stage of waiting.filter((each) => isReady(each, stages, results))) {
      // None overtakes: a small one would take the room for which a large one waits.
      if (stage.workers > jobs - workersOf([...running.keys()])) break;
      waiting.splice(waiting.indexOf(stage), 1);
      const missing = (stage.after ?? []).filter((name) => results.some((result) => result.stage === name && result.tests.some(({ passed }) => !passed)));
      const alone = stages.every((other) => other === stage || stage.after?.includes(other.name));
      const ended = runStage(missing.length === 0 ? stage : withoutRunning(stage, missing), { ...wish, alone }, voices.add()).then((result) => {
        results.push(result);
        running.delete(stage);
      });
      running.set(stage, ended);
    }
    await Promise.race(running.values());
  }
  return results;
}

/**
 * @param {Stage} stage
 * @param {readonly Stage[]} stages all of the run
 * @param {readonly StageResult[]} results
 * @returns {boolean} whether what it needs has ended; a failure there is its own to tell
 */
function isReady({ after = [] }, stages, results) {
  return after.every((name) => !stages.some((stage) => stage.name === name) || results.some((result) => result.stage === name));
}

/**
 * @param {Stage} stage
 * @param {readonly string[]} missing names of the stages that it needs and that have failed
 * @returns {Stage} one that fails at once
 */
function withoutRunning(stage, missing) {
  return { ...stage, run: () => Promise.resolve([{ name: `${stage.name} was not run, because of ${missing.join(', ')}`, passed: false, ms: 0 }]) };
}

/**
 * @param {readonly Stage[]} running
 * @returns {number} the processes that they keep busy
 */
function workersOf(running) {
  return running.reduce((sum, { workers }) => sum + workers, 0);
}

/**
 * @param {Stage} stage
 * @param {Omit<import('./suites.mjs').Wish, 'print'>} wish
 * @param {Voice} voice
 * @returns {Promise<StageResult>} a failure when the stage itself throws
 */
async function runStage({ name, run, budget }, wish, voice) {
  const start = performance.now();
  const before = processorTimes();
  console.log(`== ${name} begins`);
  const tests = await run({ ...wish, print: voice.print }).catch((/** @type {unknown} */ error) => {
    voice.print(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return [{ name, passed: false, ms: performance.now() - start }];
  });
  const result = { stage: name, seconds: (performance.now() - start) / 1_000, budget, idle: idleShare(before, processorTimes()), tests };
  voice.end(`== ${stageLine(result)}\n`);
  return result;
}

/**
 * What the processors of the machine have done so far, in milliseconds.
 * @typedef {{ all: number, idle: number }} ProcessorTimes
 */

/** @returns {ProcessorTimes} */
function processorTimes() {
  const each = cpus().map(({ times }) => times);
  return { all: each.reduce((sum, times) => sum + Object.values(times).reduce((a, b) => a + b), 0), idle: each.reduce((sum, { idle }) => sum + idle, 0) };
}

/**
 * @param {ProcessorTimes} before
 * @param {ProcessorTimes} after
 * @returns {number} the share of the machine that did nothing meanwhile, from 0 to 1
 */
function idleShare(before, after) {
  return after.all === before.all ? 0 : (after.idle - before.idle) / (after.all - before.all);
}

/**
 * What one stage prints.
 * @typedef {object} Voice
 * @property {(chunk: string) => void} print
 * @property {(chunk: string) => void} end prints the last of it
 */

/** What stages that run side by side print. */
class Voices {
  /** What is held back of each, in the order in which they began. The first holds nothing back. @type {string[][]} */
  #held = [];

  /** @returns {Voice} */
  add() {
    /** @type {string[]} */
    const held = [];
    this.#held.push(held);
    const print = (/** @type {string} */ chunk) => {
      held.push(chunk);
      this.#printFirst();
    };
    const end = (/** @type {string} */ chunk) => {
      process.stdout.write(`${held.join('')}${chunk}`);
      this.#held.splice(this.#held.indexOf(held), 1);
      this.#printFirst();
    };
    return { print, end };
  }

  #printFirst() {
    process.stdout.write(this.#held[0]?.splice(0).join('') ?? '');
  }
}
