/**
 * Copies of the sample workspace, so that a test may change what it likes.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The original, which is never opened. */
export const SAMPLE_WORKSPACE = fileURLToPath(new URL('../fixtures/sample-workspace', import.meta.url));

/**
 * Makes a copy in a temporary folder.
 * @returns {Promise<{ folder: string, remove: () => Promise<void> }>} `remove` throws the copy away
 */
export async function copySampleWorkspace() {
  const parent = await mkdtemp(join(tmpdir(), 'gnomon-workspace-'));
  const folder = join(parent, 'sample-workspace');
  await cp(SAMPLE_WORKSPACE, folder, { recursive: true });
  return { folder, remove: () => rm(parent, { recursive: true, force: true, maxRetries: 3 }) };
}
