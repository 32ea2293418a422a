/**
 * A copy of the sample workspace that may be broken at will.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { SAMPLE_WORKSPACE } from '../test/vscode/sample-workspace.mjs';

/**
 * Makes a repository of a folder, as agents need one to work in worktrees. Without Git, it stays a folder.
 * @param {string} folder
 */
async function commitAll(folder) {
  const as = ['-c', 'user.name=Gnomon', '-c', 'user.email=gnomon@localhost', '-c', 'commit.gpgSign=false', '-c', 'core.hooksPath='];
  try {
    await execute('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
    await execute('git', ['add', '--all'], { cwd: folder });
    await execute('git', [...as, 'commit', '--quiet', '--message', 'Sample workspace'], { cwd: folder });
  } catch (error) {
    console.log(`The sample workspace is no Git repository: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const execute = promisify(execFile);

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
  await commitAll(partial);
  await rename(partial, folder);
  return folder;
}
