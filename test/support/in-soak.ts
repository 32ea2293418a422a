import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it } from 'vitest';
import { ALL_RUNS } from './runs.js';

const TEST = fileURLToPath(new URL('..', import.meta.url));

/**
 * For cases that only `npm run test:soak` runs: each takes long in a window or in a program, and its faults show in quicker tests as well.
 * @param seenBy paths of test files below `test/` in which they show
 * @throws Error where one of these is not there, so that it is not removed without a look at what relies on it
 */
export function inSoak(...seenBy: readonly [string, ...string[]]): ReturnType<typeof it.runIf> {
  const missing = seenBy.filter((path) => !existsSync(join(TEST, path)));
  if (missing.length > 0) throw new Error(`There is no ${missing.join(' and no ')}, in which faults of these cases are to show. Run them in \`npm test\`.`);
  return it.runIf(ALL_RUNS);
}
