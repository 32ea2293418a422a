import { defineConfig } from 'vitest/config';

/** The panel's production bundle in a browser: `npx vitest run --config test/support/panel-host/vitest.config.ts`. */
export default defineConfig({
  test: { include: ['test/support/panel-host/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: false },
});
