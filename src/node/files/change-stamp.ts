import { stat } from 'node:fs/promises';
import { errorCode } from './file-errors.js';

/** What tells whether a file is another one than when this had another value: where it is kept, its size, and its times. Does not read it. */
export async function changeStamp(path: string): Promise<{ readonly text: string; readonly found: boolean }> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return { text: `${path} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, found: true };
  } catch (error) {
    return { text: `${path} ${errorCode(error) ?? 'unknown'}`, found: false };
  }
}
