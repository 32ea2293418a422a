import { lstat } from 'node:fs/promises';
import { errorCode } from './file-errors.js';

/** Whether there is something under a name, be it a link that leads nowhere. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}
