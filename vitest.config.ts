import { defineConfig } from 'vitest/config';

/** How long an expectation may take to come true on a machine with much else to do; the default is a second. */
const expectEventually = { poll: { timeout: 20_000 } };

export default defineConfig({
  test: {
    projects: [
      // One worker a core: the default leaves one core free, which is half of a small machine.
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, expect: expectEventually, maxWorkers: '100%' } },
      {
        test: {
          name: 'panel',
          include: ['test/support/panel-host/**/*.test.ts'],
          // A worker runs one file after the other with one browser; what belongs to a test is in a browser context of its own.
          isolate: false,
          maxWorkers: '100%',
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
          // One VS Code at a time: the machine is small, and the tests wait for what a person would see.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          expect: expectEventually,
        },
      },
    ],
  },
});
