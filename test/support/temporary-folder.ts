import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file system in memory, where Linux has one. */
const MEMORY = '/dev/shm';

/** A folder that goes with the test, by its real path. */
export async function temporaryFolder(parent = tmpdir()): Promise<string> {
  const folder = await realpath(await mkdtemp(join(parent, 'gnomon-test-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A temporary folder for a few small files that are written thousands of times: where there is a file system in memory, nothing waits for a disk. */
export function quickFolder(): Promise<string> {
  return temporaryFolder(existsSync(MEMORY) ? MEMORY : tmpdir());
}
