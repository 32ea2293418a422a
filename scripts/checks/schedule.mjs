/**
 * Runs stages, side by side where the machine has room for it.
 */
import { stageLine } from './result.mjs';

/** @typedef {import('./result.mjs').StageResult} StageResult */
/** @typedef {import('./stages.mjs').Stage} Stage */

/** Stages are planned for so many cores: the checks have to be quick on a small machine. */
const CORES = 2;

/**
 * Runs each stage when those that it needs have ended and enough cores are free, in the order given. What a stage prints
 * is printed at once when it runs alone, else when it has ended, so that no two mix.
 * @param {readonly Stage[]} stages
 * @param {Omit<import('./suites.mjs').Wish, 'print'>} wish
 * @returns {Promise<StageResult[]>} in the order in which they ended
 */
export async function runStages(stages, wish) {
  /** @type {StageResult[]} */
  const results = [];
  /** @type {Map<Stage, Promise<void>>} */
  const running = new Map();
  const waiting = [...stages];
  while (waiting.length > 0 || running.size > 0) {
    for (const stage of waiting.filter((each) => isReady(each, stages, results))) {
      if (!fits(stage, [...running.keys()])) continue;
      waiting.splice(waiting.indexOf(stage), 1);
      const missing = (stage.after ?? []).filter((name) => results.some((result) => result.stage === name && result.tests.some(({ passed }) => !passed)));
      const ended = runStage(missing.length === 0 ? stage : withoutRunning(stage, missing), wish).then((result) => {
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
 * @param {Stage} stage
 * @param {readonly Stage[]} running
 * @returns {boolean}
 */
function fits({ cores }, running) {
  return running.reduce((sum, stage) => sum + stage.cores, 0) <= CORES - cores;
}

/**
 * @param {Stage} stage
 * @param {Omit<import('./suites.mjs').Wish, 'print'>} wish
 * @returns {Promise<StageResult>} a failure when the stage itself throws
 */
async function runStage({ name, cores, run }, wish) {
  const start = performance.now();
  const isAlone = cores === CORES;
  /** @type {string[]} */
  const said = [];
  const print = isAlone ? (/** @type {string} */ chunk) => void process.stdout.write(chunk) : (/** @type {string} */ chunk) => void said.push(chunk);
  console.log(`== ${name} begins`);
  const tests = await run({ ...wish, print }).catch((/** @type {unknown} */ error) => {
    print(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return [{ name, passed: false, ms: performance.now() - start }];
  });
  const result = { stage: name, seconds: (performance.now() - start) / 1_000, tests };
  process.stdout.write(`${said.join('')}== ${stageLine(result)}\n`);
  return result;
}
