/**
 * `npm test`: every check and every suite, or the stages named. Ends with the line "N passed, N failed".
 */
import { parseArgs } from 'node:util';
import { ensureBubblewrap } from '../../test/vscode/bubblewrap.mjs';
import { report } from './result.mjs';
import { runStages } from './schedule.mjs';
import { STAGES } from './stages.mjs';

const USAGE = `Usage: npm test -- [STAGE …] [--file PART] [--case REGEX]

Runs the stages named with what they need, all of them by default: ${STAGES.map(({ name }) => name).join(', ')}.

  --file PART   only test files with this in their path (unit, panel, e2e)
  --case REGEX  only tests whose names match (unit, integration, panel, e2e)`;

const { values, positionals } = parseArgs({
  options: { file: { type: 'string' }, case: { type: 'string' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !STAGES.some((stage) => stage.name === name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no stage ${unknown.join(', ')}.\n`);
  console.log(USAGE);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const start = performance.now();
await ensureBubblewrap();
const named = STAGES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const needed = STAGES.filter((stage) => named.includes(stage) || named.some(({ after = [] }) => after.includes(stage.name)));
const { file, case: name } = values;
const results = await runStages(needed, { ...(file === undefined ? {} : { file }), ...(name === undefined ? {} : { case: name }) });
console.log(report(results, (performance.now() - start) / 1_000));
process.exit(results.every(({ tests }) => tests.every(({ passed }) => passed)) ? 0 : 1);
