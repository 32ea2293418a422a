import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

const folders: string[] = [];

/** A folder with its real path, removed after the test. */
export function tempFolder(parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'gnomon-test-')));
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
