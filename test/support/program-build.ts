import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';

/** Where the workers of a run put what they build. */
const VARIABLE = 'GNOMON_UNIT_RUN';

/** Global setup of the unit tests: makes that folder, and removes it at the end. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-unit-run-'));
  process.env[VARIABLE] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/** Absolute path of a folder that is removed when all tests have run. */
export function folderOfRun(): string {
  const folder = process.env[VARIABLE];
  if (folder === undefined) throw new Error(`${VARIABLE} is not set: the global setup of the unit tests has not run.`);
  return folder;
}

/** Milliseconds that a worker waits for another one, on a machine with much else to do: less than hooks may take. */
const PATIENCE_MS = 50_000;

let built: Promise<string> | undefined;

/**
 * The program without a window, built as it is shipped: by the first worker that asks for it, as that takes the time of a dozen tests with it.
 * @returns absolute path of the folder with `headless` and `wasm`
 */
export function programBuild(): Promise<string> {
  return (built ??= buildOnce());
}

async function buildOnce(): Promise<string> {
  const run = folderOfRun();
  const [folder, done] = [join(run, 'program'), join(run, 'program-is-built')];
  if (await isFirstFor(folder)) {
    // Where global setups run, a module cannot look up where packages are, as this one does.
    const { copyGrammar, headlessOptions } = await import('../../scripts/headless-build.mjs');
    await Promise.all([build(headlessOptions(folder)), copyGrammar(folder, false)]);
    // As in the package: without it, Node compiles each file twice to find out what it is.
    await writeFile(join(folder, 'headless', 'package.json'), '{"type": "module"}');
    await writeFile(done, '');
  } else await isThere(done);
  return folder;
}

/** Makes a folder, and tells whether no other worker has. */
async function isFirstFor(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function isThere(path: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!existsSync(path)) {
    if (performance.now() > end) throw new Error('Another worker has not built the program, or has failed at it.');
    await delay(50);
  }
}
