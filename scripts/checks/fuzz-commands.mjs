// Looks for options that do more than the analysis of commands says, on the programs of this machine, for as long as is wished:
// --seconds (600), --seed (any number; a new one each time), --programs (names, with commas between). Needs bubblewrap.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '600' }, seed: { type: 'string' }, programs: { type: 'string' } } });
const environment = {
  ...process.env,
  GNOMON_FUZZ_SECONDS: values.seconds,
  GNOMON_FUZZ_SEED: values.seed ?? String(Date.now() % 1_000_000),
  ...(values.programs === undefined ? {} : { GNOMON_FUZZ_PROGRAMS: values.programs }),
};
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'fuzz'];
process.exitCode = spawnSync(process.execPath, vitest, { stdio: 'inherit', env: environment }).status ?? 1;
