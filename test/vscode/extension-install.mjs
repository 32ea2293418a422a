/**
 * Installing an extension into the data folder of a server that is not running. Needs no network.
 */
import { lstat, mkdir, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './command.mjs';
import { serverEnvironment } from './environment.mjs';
import { parseJson } from './json.mjs';

/**
 * Whose extensions: the data and extensions folders of a server that need not have been started yet.
 * @typedef {{ vscode: import('./install.mjs').VsCode, dataDir: string, extensionsDir: string }} Target
 */

/**
 * Installs an extension of the kinds `vsix` and `folder`; one of kind `development` needs no installing.
 * @param {import('./extension.mjs').Extension} extension
 * @param {Target} target
 * @returns {Promise<void>}
 * @throws {import('./command.mjs').CommandError} when VS Code refuses the package
 */
export async function installExtension(extension, target) {
  if (extension.kind === 'vsix') await installVsix(extension.path, target);
  if (extension.kind === 'folder') await linkFolder(extension.path, target.extensionsDir);
}

/**
 * @param {string} vsix
 * @param {Target} target
 */
async function installVsix(vsix, { vscode, dataDir, extensionsDir }) {
  await mkdir(dataDir, { recursive: true });
  const folders = ['--server-data-dir', dataDir, '--extensions-dir', extensionsDir];
  await run([vscode.node, vscode.serverMain, ...folders, '--install-extension', vsix, '--force'], {
    logFile: join(dataDir, 'server.log'),
    env: serverEnvironment(dataDir),
  });
}

/**
 * @param {string} folder
 * @param {string} extensionsDir
 */
async function linkFolder(folder, extensionsDir) {
  const manifest = await readFile(join(folder, 'package.json'), 'utf8');
  const { publisher, name, version } = /** @type {Record<string, string>} */ (parseJson(manifest));
  const id = `${publisher}.${name}`;
  await mkdir(extensionsDir, { recursive: true });
  for (const entry of await readdir(extensionsDir)) {
    const path = join(extensionsDir, entry);
    if (entry.startsWith(`${id}-`) && (await lstat(path)).isSymbolicLink()) await rm(path);
  }
  await symlink(folder, join(extensionsDir, `${id}-${version}`));
  // Without its list VS Code looks through the folder again, and finds the link.
  await rm(join(extensionsDir, 'extensions.json'), { force: true });
}
