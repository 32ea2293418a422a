import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';
import { vitestCoverage } from './test/support/coverage/plugins.mjs';

const coverage = vitestCoverage();

/** How long an expectation may take to come true on a machine with much else to do; the default is a second. */
const expectEventually = { poll: { timeout: 20_000 } };

/** A look at a window goes to the browser and through its pages: what a user would see is there no sooner when more are taken. */
const expectInWindow = { poll: { ...expectEventually.poll, interval: 100 } };

/** A project's own number of workers comes before the one of the command line: this is how a run asks for another. */
const workers = process.env['GNOMON_WORKERS'];
/** One worker a core: the default leaves one core free, which is half of a small machine. */
const oneEachCore = workers === undefined ? '100%' : Number(workers);

/**
 * Workers compile a function to fast code only when it has run for fifteen times as long as by default: they load nearly all there is, and most of it runs
 * in a few tests. Compiling took a tenth of the processor time. Source: node --v8-options
 */
const FEW_RUNS = ['--interrupt-budget=1000000'];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: coverage.plugins,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          globalSetup: ['test/support/program-build.ts'],
          setupFiles: ['test/support/equal-bytes.ts', 'test/support/usual-runs.ts', ...coverage.setupFiles],
          maxWorkers: oneEachCore,
          execArgv: FEW_RUNS,
          // The files of a worker share its modules, as loading them anew for each file takes longer than most tests.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: expectEventually,
        },
      },
      { test: { name: 'fuzz', include: ['test/fuzz/**/*.test.ts'], testTimeout: 60_000, sequence: { groupOrder: 3 } } },
      {
        test: {
          name: 'panel',
          include: ['test/support/panel-host/**/*.test.ts'],
          globalSetup: ['test/support/panel-host/global-setup.ts'],
          // A worker runs one file after the other with one browser; what belongs to a test is in a browser context of its own.
          isolate: false,
          maxWorkers: oneEachCore,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: expectEventually,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/global-setup.ts'],
          setupFiles: ['test/e2e/on-failure.ts'],
          // A window in each of three: most of the time a test waits for what a user would see.
          maxWorkers: Number(workers ?? 3),
          // What a worker has loaded, the browser too, serves its next file.
          isolate: false,
          sequence: { groupOrder: 2 },
          testTimeout: 180_000,
          hookTimeout: 300_000,
          expect: expectInWindow,
        },
      },
    ],
  },
});
