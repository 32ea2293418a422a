import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file system in memory, where Linux has one. */
const MEMORY = '/dev/shm';

/** Where a few small files can be written thousands of times: where there is a file system in memory, nothing waits for a disk. */
export const QUICK = existsSync(MEMORY) ? MEMORY : tmpdir();

/** A folder that goes with the test, by its real path. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'gnomon-test-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A temporary folder in {@link QUICK}. */
export function quickFolder(): string {
  return temporaryFolder(QUICK);
}

/** Writes a file by its absolute path, in folders that need not be there. What is no text is written as JSON. */
export function writeAt(path: string, content: object | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}
