import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileErrorCode } from '../../domain/workspace/file-layer.js';

/** Moves the checkpoints of a session to another storage, beside the session that moves there. None is no error. */
export async function moveCheckpoints(id: string, from: string, to: string): Promise<void> {
  const [source, target] = [join(from, id), join(to, id)];
  try {
    await mkdir(to, { recursive: true, mode: 0o700 });
    await rename(source, target);
  } catch (error) {
    const code = fileErrorCode(error);
    // Nothing there, or an earlier move was cut off after this step.
    if (code === 'ENOENT' || code === 'ENOTEMPTY' || code === 'EEXIST') return;
    if (code !== 'EXDEV') throw error;
    await cp(source, target, { recursive: true, force: false });
    await rm(source, { recursive: true, force: true });
  }
}
