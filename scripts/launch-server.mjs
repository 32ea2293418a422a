/**
 * Gnomon in a VS Code server for the browser, until somebody stops it.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { workbenchUrl } from '../test/vscode/extension.mjs';
import { withLock } from '../test/vscode/lock.mjs';
import { PortInUseError, freePort } from '../test/vscode/port.mjs';
import { startVsCode } from '../test/vscode/server.mjs';
import { hasDesktop, openInBrowser } from './desktop.mjs';
import { npmEnvironment } from './npm.mjs';

/** Always the same when it is free: the browser keeps the workbench's layout by address. */
const USUAL_PORT = 7486;
/** A page may be gone for this long, as a sleeping computer's is, before its extension host is ended. */
const GRACE_SECONDS = 60;

/**
 * @typedef {object} ServeOptions
 * @property {string} extension the folder of the built extension
 * @property {readonly string[]} others folders of more extensions
 * @property {string} workspace the folder to open
 * @property {boolean} trusted whether VS Code need not ask if the folder is trusted
 * @property {string} folder where the server's data is kept from one start to the next
 * @property {number | undefined} port
 */

/**
 * Serves until SIGINT or SIGTERM.
 * @param {ServeOptions} options
 * @returns {Promise<void>} once everything has ended
 * @throws {import('../test/vscode/port.mjs').PortInUseError} when the wanted port is taken
 * @throws {Error} when another one serves from the same folder, or the server ends by itself
 */
export async function serve(options) {
  /** @param {import('../test/vscode/lock.mjs').Owner | undefined} owner */
  const onWait = (owner) => {
    throw new Error(`Gnomon is running already (process ${owner?.pid ?? 'unknown'}). Stop that one first.`);
  };
  await withLock({ path: `${options.folder}.lock`, timeoutMs: 5_000, onWait }, () => serveAlone(options));
}

/** @param {ServeOptions} options */
async function serveAlone({ extension: path, others, workspace, trusted, folder, port }) {
  const stop = stopSignal();
  const extension = /** @type {const} */ ({ kind: 'folder', path });
  const server = await startVsCode({
    ...{ extension, others, workspaceTrust: !trusted, graceSeconds: GRACE_SECONDS },
    dataDir: join(folder, 'data'),
    port: port ?? (await usualPort()),
    connectionToken: randomBytes(16).toString('hex'),
    env: npmEnvironment(),
  });
  try {
    const url = workbenchUrl({ server, workspace, extension });
    console.log(`\nOpen this address in a browser:\n\n  ${url}\n\nIt works on this machine only. Stop with Ctrl+C.`);
    if (hasDesktop()) openInBrowser(url);
    const ended = once(server.process, 'exit').then(() => 'ended');
    if ((await Promise.race([stop, ended])) === 'ended') throw new Error(`VS Code ended by itself.\n${server.logTail()}`);
    console.log('Stopping …');
  } finally {
    await server.stop();
  }
}

/**
 * @returns {Promise<string>} fulfilled by the first SIGINT or SIGTERM
 */
function stopSignal() {
  return Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal).then(() => 'stopped')));
}

/**
 * @returns {Promise<number>}
 */
async function usualPort() {
  try {
    return await freePort(USUAL_PORT);
  } catch (error) {
    if (error instanceof PortInUseError) return freePort();
    throw error;
  }
}
