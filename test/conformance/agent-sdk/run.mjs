/**
 * `npm run test:agent-sdk`: prints what became of each scenario. Argument: a part of their names to limit it to.
 */
import { availableParallelism } from 'node:os';
import { runAgentSdk } from './drive.mjs';

const results = await runAgentSdk({ workers: availableParallelism(), only: process.argv[2] ?? '' });
for (const { name, passed, ms, why } of results)
  console.log(`${passed ? 'passed' : 'FAILED'}  ${name}  ${Math.round(ms)} ms${why === undefined ? '' : `\n${why}`}`);
const passed = results.filter((result) => result.passed).length;
console.log(`\n${passed} passed, ${results.length - passed} failed`);
process.exitCode = passed === results.length && passed > 0 ? 0 : 1;
