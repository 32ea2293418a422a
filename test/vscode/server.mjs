/**
 * Starts and stops a VS Code server on the loopback interface.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.mjs';
import { withoutBubblewrap } from './bubblewrap.mjs';
import { linkBuiltinExtensions } from './builtin-extensions.mjs';
import { tail } from './command.mjs';
import { serverEnvironment } from './environment.mjs';
import { installExtension } from './extension-install.mjs';
import { ensureVsCode } from './install.mjs';
import { freePort } from './port.mjs';
import { endTree, killTree } from './process-tree.mjs';
import { writeSettings } from './settings.mjs';
import { waitFor } from './wait.mjs';

/**
 * How to start a server. Everything may be left out.
 * @typedef {object} ServerOptions
 * @property {number} [port] on 127.0.0.1; a free one when absent. A test that opens VS Code again passes the first
 *   server's port, because the browser keeps the layout and the extensions' mementos by address
 * @property {string} [dataDir] where the server keeps its data; a new temporary folder, removed at the end of this
 *   process, when absent. The data folder of a stopped server may be passed to continue with it
 * @property {string} [extensionsDir] where extensions are installed; in the data folder when absent. Several servers may
 *   use the same one
 * @property {readonly string[]} [others] absolute paths of the folders of more extensions, linked in before the start
 * @property {import('./extension.mjs').Extension | 'installed'} [extension] is installed before the start unless it is of
 *   kind `development` or in `extensionsDir` already; when absent the server is ready for one under development
 * @property {import('./settings.mjs').Settings} [settings] for the machine and the user
 * @property {import('./settings.mjs').Settings} [userSettings] for the user only
 * @property {boolean} [workspaceTrust] whether VS Code asks if a folder is trusted; false when absent
 * @property {NodeJS.ProcessEnv} [env] added to the server's environment, which is not this process's own
 * @property {boolean} [sandbox] false takes bubblewrap away from it, as on a machine without; true when absent
 * @property {'all' | 'used'} [builtin] extensions that VS Code brings along: those that tests use, or all; all when absent
 * @property {string} [connectionToken] a secret that every request must carry; none when absent
 * @property {number} [graceSeconds] how long an extension host outlives a lost connection, such as at a reload of the
 *   page that did not say goodbye; 1 when absent
 * @property {import('./log.mjs').Log} [log] receives lines of progress of an install
 */

/**
 * A running server.
 * @typedef {object} Server
 * @property {string} url its address without a path or a query
 * @property {number} port
 * @property {string} dataDir
 * @property {string} extensionsDir where extensions are installed
 * @property {string | undefined} connectionToken
 * @property {import('node:child_process').ChildProcess} process
 * @property {string} logFile what the server printed
 * @property {(lines?: number) => string} logTail the last lines of it
 * @property {(folder: string) => Promise<void>} copyLogs copies all logs of the server and its extension hosts
 * @property {() => Promise<void>} stop ends it with all its children in order, and waits for that
 * @property {() => Promise<void>} kill9 ends it with all its children at once, as a power failure would
 */

/** Thrown when the server ends before it answers. */
class ServerStartError extends Error {
  /** @param {string} log what it printed */
  constructor(log) {
    super(`The VS Code server did not start.\n${log}`);
    this.name = 'ServerStartError';
  }
}

const READY_TIMEOUT_MS = 60_000;
const POLITE_MS = 8_000;

/**
 * Starts a server, installing VS Code first where that has not been done.
 * @param {ServerOptions} [options]
 * @returns {Promise<Server>} once it answers
 * @throws {import('./port.mjs').PortInUseError} when the wanted port is taken
 * @throws {ServerStartError} when it ends early
 */
export async function startVsCode(options = {}) {
  const port = await freePort(options.port);
  const vscode = await ensureVsCode(options.log ? { log: options.log } : {});
  const dataDir = options.dataDir ?? temporaryDataDir();
  mkdirSync(join(dataDir, 'home'), { recursive: true });
  await writeSettings(dataDir, options);
  const extensionsDir = options.extensionsDir ?? join(dataDir, 'extensions');
  const given = options.extension === undefined || options.extension === 'installed' ? [] : [options.extension];
  const others = (options.others ?? []).map((path) => /** @type {const} */ ({ kind: 'folder', path }));
  for (const extension of [...given, ...others]) await installExtension(extension, { vscode, dataDir, extensionsDir });
  const logFile = join(dataDir, 'server.log');
  const builtinDir = options.builtin === 'used' ? await linkBuiltinExtensions(vscode, dataDir) : undefined;
  const child = launch(vscode, { ...options, dataDir, extensionsDir, builtinDir, port, logFile });
  const server = describeServer({ child, dataDir, extensionsDir, port, logFile }, options.connectionToken);
  await untilReady(server);
  return server;
}

/**
 * @returns {string} a new folder that disappears with this process
 */
function temporaryDataDir() {
  const folder = mkdtempSync(join(tmpdir(), 'gnomon-vscode-'));
  atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/**
 * @param {import('./install.mjs').VsCode} vscode
 * @param {ServerOptions & { dataDir: string, extensionsDir: string, builtinDir: string | undefined, port: number, logFile: string }} options
 * @returns {import('node:child_process').ChildProcess} the leader of a process group of its own
 */
function launch({ node, serverMain }, options) {
  const output = openSync(options.logFile, 'a');
  const [program = node, ...args] = [...(options.sandbox === false ? withoutBubblewrap() : []), node, serverMain, ...serverArguments(options)];
  try {
    return spawn(program, args, { detached: true, env: serverEnvironment(options.dataDir, options.env), stdio: ['ignore', output, output] });
  } finally {
    closeSync(output);
  }
}

/**
 * @param {ServerOptions & { dataDir: string, extensionsDir: string, builtinDir: string | undefined, port: number }} options
 * @returns {string[]} the server's command line
 */
function serverArguments({ dataDir, extensionsDir, builtinDir, port, extension, connectionToken, workspaceTrust = false, graceSeconds = 1 }) {
  const isDevelopment = extension === undefined || (extension !== 'installed' && extension.kind === 'development');
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--accept-server-license-terms'],
    ...(connectionToken ? ['--connection-token', connectionToken] : ['--without-connection-token']),
    ...['--server-data-dir', dataDir, '--extensions-dir', extensionsDir],
    ...(builtinDir === undefined ? [] : ['--builtin-extensions-dir', builtinDir]),
    // Without this VS Code ignores the part of the address that names an extension under development; with it, it
    // shows no notification toasts.
    ...(isDevelopment ? ['--enable-smoke-test-driver'] : []),
    // Otherwise a login shell is run to add its environment to the extension host's.
    '--force-disable-user-env',
    ...['--telemetry-level', 'off', '--reconnection-grace-time', String(graceSeconds)],
    ...(workspaceTrust ? [] : ['--disable-workspace-trust']),
  ];
}

/**
 * @param {{ child: import('node:child_process').ChildProcess, dataDir: string, extensionsDir: string, port: number, logFile: string }} parts
 * @param {string | undefined} connectionToken
 * @returns {Server}
 */
function describeServer({ child, logFile, ...parts }, connectionToken) {
  const pid = child.pid ?? 0;
  const forget = atExit(() => killTree(pid));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  /** @param {() => void | Promise<void>} end */
  const finish = async (end) => {
    if (isRunning(child)) await Promise.all([end(), ended]);
    forget();
  };
  return {
    ...parts,
    ...{ url: `http://127.0.0.1:${parts.port}`, connectionToken, process: child, logFile },
    logTail: (lines) => tail(logFile, lines),
    copyLogs: (folder) => copyLogs(parts.dataDir, folder),
    stop: () => finish(() => endTree(pid, { politeMs: POLITE_MS })),
    kill9: () => finish(() => killTree(pid)),
  };
}

/**
 * @param {string} dataDir
 * @param {string} folder receives `server.log` and the folder `logs`
 */
async function copyLogs(dataDir, folder) {
  await cp(join(dataDir, 'server.log'), join(folder, 'server.log'));
  await cp(join(dataDir, 'data', 'logs'), join(folder, 'logs'), { recursive: true });
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {boolean}
 */
function isRunning(child) {
  return child.exitCode === null && child.signalCode === null;
}

/**
 * @param {Server} server
 * @returns {Promise<void>} once it answers
 */
async function untilReady(server) {
  const answers = async () => {
    if (!isRunning(server.process)) throw new ServerStartError(server.logTail());
    return fetch(`${server.url}/version`).then(
      ({ status }) => status < 500,
      () => false,
    );
  };
  try {
    await waitFor(answers, { what: 'an answer of the VS Code server', timeoutMs: READY_TIMEOUT_MS });
  } catch (error) {
    await server.kill9();
    throw error;
  }
}
