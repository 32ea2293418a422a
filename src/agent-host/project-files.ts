import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectFiles } from '../checks/project-files.js';
import { readConfigurationFile } from '../node/files/configuration-file.js';
import { errorCode } from '../node/files/file-errors.js';
import { realPathOf } from '../node/files/real-path.js';

/** Bytes of a file that is read. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Entries of one folder that are looked at. */
const MAX_ENTRIES = 5_000;

/** The files of a project on the disk. Links lead nowhere out of it. @param folder its absolute path */
export function projectFiles(folder: string): ProjectFiles {
  const reach = { within: async () => [await realPathOf(folder)], mayShow: () => true };
  return {
    list: async (below) => {
      const entries = await entriesIn(join(folder, below));
      return entries
        .slice(0, MAX_ENTRIES)
        .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    read: (path) => readConfigurationFile({ path: join(folder, path), maxBytes: MAX_FILE_BYTES, root: folder, reach }, new AbortController().signal),
  };
}

async function entriesIn(path: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    // No folder, or one that may not be looked into.
    if (errorCode(error) !== undefined) return [];
    throw error;
  }
}
