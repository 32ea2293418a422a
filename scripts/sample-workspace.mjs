/**
 * A copy of the sample workspace that may be broken at will.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SAMPLE_WORKSPACE } from '../test/vscode/sample-workspace.mjs';

/**
 * Makes sure that the copy is there.
 * @param {string} folder where it belongs
 * @param {{ reset: boolean }} options with `reset` an existing copy is thrown away
 * @returns {Promise<string>} the folder
 * @throws {Error} when the original cannot be read or the copy cannot be written
 */
export async function sampleWorkspace(folder, { reset }) {
  if (reset) await rm(folder, { recursive: true, force: true });
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  await cp(SAMPLE_WORKSPACE, partial, { recursive: true });
  await rename(partial, folder);
  return folder;
}
