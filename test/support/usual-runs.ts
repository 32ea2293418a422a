import * as fc from 'fast-check';
import { afterEach } from 'vitest';
import { runs } from './runs.js';

/** What the cases of a file are generated from: of its own, or that of a run which is to be repeated. */
const SEED = Number(process.env['GNOMON_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

// Properties that do not say how often they are tried, which is a hundred times by default (fast-check.dev, "Parameters", numRuns).
fc.configureGlobal({ numRuns: runs(100), seed: SEED });

// A property that fails tells its seed, but one that has no end has no turn to.
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(`Cases were generated with GNOMON_SEED=${SEED}: ${task.name}\n`);
});
