import { expect, test } from 'vitest';
import { Random } from '../support/option-fuzz/random.js';
import { fuzzOptions } from '../support/option-fuzz/option-fuzz.js';
import { HAS_BUBBLEWRAP } from '../unit/node/sandbox/rig.js';
import { FUZZ_SECONDS as SECONDS, FUZZ_SEED as SEED } from '../support/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { loadAnalyzer } from '../unit/permission/shell/rig.js';

/** `npm run fuzz:commands` sets it. */
const ONLY = process.env['GNOMON_FUZZ_PROGRAMS'];

test.runIf(HAS_BUBBLEWRAP)('a hole is found where there is one', async () => {
  const blind = { shell: 'bash' as const, analyze: () => ({ commands: [], files: [] }) };
  const { holes } = await fuzzOptions({ analyzer: blind, random: new Random(1), base: temporaryFolder(), forMs: 3_000, only: ['xargs', 'sed', 'sort', 'xxd'] });
  expect(holes.some(({ deeds }) => deeds.changed.length > 0)).toBe(true);
  expect(holes.some(({ deeds }) => deeds.read.length > 0)).toBe(true);
});

test.runIf(HAS_BUBBLEWRAP)(
  'what is judged to only read changes nothing and reads no file that it does not name, when the programs of this machine run it',
  async () => {
    const only = ONLY === undefined ? {} : { only: ONLY.split(',') };
    const report = await fuzzOptions({ analyzer: await loadAnalyzer(), random: new Random(SEED), base: temporaryFolder(), forMs: SECONDS * 1_000, ...only });
    console.log(
      `${report.made} lines of ${report.programs.length} programs, ${report.ran} of them run; seed ${SEED}, ${SECONDS} s; not installed: ${report.missing.join(' ')}`,
    );
    expect(report.holes.map(({ line, deeds }) => ({ line, ...deeds }))).toEqual([]);
    expect(report.ran).toBeGreaterThan(SECONDS);
  },
  (SECONDS + 120) * 1_000,
);
