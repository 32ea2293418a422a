import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { QUICK } from './temporary-folder.js';

/**
 * A folder that many tests of a file begin with, such as a repository: made once, and copied for each, as Git takes longer for a few commits than a
 * copy of what came of them. Called at the top of the file.
 * @param make fills an empty folder; nothing of it may depend on where that is.
 * @returns what copies it into a folder that is there or not.
 */
export function preparedFolder(make: (folder: string) => void): (to: string) => void {
  let original: string | undefined;
  afterAll(() => {
    if (original !== undefined) rmSync(original, { recursive: true, force: true });
  });
  return (to) => {
    if (original === undefined) {
      original = mkdtempSync(`${QUICK}/gnomon-test-`);
      make(original);
    }
    cpSync(original, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  };
}
