import { stat } from 'node:fs/promises';
import { errorCode } from './file-errors.js';

/** Stamp of a file, which changes when the file does: its inode, size, and times. Does not read it. */
export async function changeStamp(path: string): Promise<{ readonly text: string; readonly found: boolean }> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return { text: `${path} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, found: true };
  } catch (error) {
    return { text: `${path} ${errorCode(error) ?? 'unknown'}`, found: false };
  }
}
