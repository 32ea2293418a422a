import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Where the workers of a run put what they build, each in a folder of its own. */
const VARIABLE = 'GNOMON_UNIT_RUN';

/** Global setup of the unit tests: makes that folder, and removes it at the end. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-unit-run-'));
  process.env[VARIABLE] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

let built: Promise<string> | undefined;

/**
 * The program without a window, built as it is shipped: once in a worker, as that takes longer than most tests with it.
 * @returns absolute path of the folder with `headless` and `wasm`
 */
export function programBuild(): Promise<string> {
  return (built ??= buildProgram());
}

async function buildProgram(): Promise<string> {
  const run = process.env[VARIABLE];
  if (run === undefined) throw new Error(`${VARIABLE} is not set: the global setup of the unit tests has not run.`);
  const folder = join(run, `program-${process.env['VITEST_POOL_ID'] ?? '1'}`);
  // Where global setups run, a module cannot look up where packages are, as this one does.
  const { copyGrammar, headlessOptions } = await import('../../scripts/headless-build.mjs');
  await Promise.all([build(headlessOptions(folder)), copyGrammar(folder, false)]);
  return folder;
}
