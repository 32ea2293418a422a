/**
 * `npm run test:mcp-conformance`: prints what became of each scenario and of its checks. Arguments: names of scenarios to limit it to.
 */
import { availableParallelism } from 'node:os';
import { holds, REVISIONS, runScenarios } from './scenarios.mjs';

report(await runScenarios({ only: process.argv.slice(2), workers: availableParallelism() }));

/** @param {readonly import('./scenarios.mjs').Result[]} all */
function report(all) {
  const width = Math.max(...all.map(({ scenario }) => scenario.length));
  for (const revision of REVISIONS) {
    const own = all.filter((result) => result.revision === revision);
    if (own.length === 0) continue;
    console.log(`\n${revision}: ${own.filter(holds).length} of ${own.length} scenarios`);
    for (const result of own) {
      console.log(`  ${holds(result) ? 'passed' : 'FAILED'}  ${result.scenario.padEnd(width)}  ${result.passed} checks`);
      if (holds(result)) continue;
      for (const { id, description, errorMessage } of result.failed) console.log(`          ${id}: ${errorMessage ?? description ?? ''}`);
      if (result.failed.length === 0) console.log(result.output.trimEnd().replace(/^/gm, '          '));
    }
  }
  const passed = all.filter(holds).length;
  console.log(`\n${passed} passed, ${all.length - passed} failed`);
  process.exitCode = passed === all.length && passed > 0 ? 0 : 1;
}
