import { readdir } from 'node:fs/promises';
import { errorCode } from './file-errors.js';

/** The names in a folder, in no particular order; none where there is no such folder. @throws what the system says of one that cannot be read */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
