/**
 * Desktop VS Code and the default browser, where there is a desktop.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/**
 * Tells whether windows can be opened here.
 * @returns {boolean}
 */
export function hasDesktop() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/**
 * Tells whether the command `code` of desktop VS Code can be run.
 * @returns {boolean}
 */
export function hasDesktopCode() {
  return spawnSync('code', ['--version'], { stdio: 'ignore', shell: isWindows() }).status === 0;
}

/**
 * Opens a new window of desktop VS Code with extensions under development.
 * @param {{ code?: string, extensions: readonly string[], workspace: string }} options `code` is the program, found on the PATH when
 *   absent; the others are absolute paths
 * @returns {Promise<void>} once the window is closed
 * @throws {Error} when VS Code cannot be started
 */
export async function openDesktopCode({ code = 'code', extensions, workspace }) {
  const args = [...extensions.map((path) => `--extensionDevelopmentPath=${path}`), '--new-window', '--wait', workspace];
  const quote = isWindows() ? (/** @type {string} */ text) => `"${text}"` : (/** @type {string} */ text) => text;
  await once(spawn(quote(code), args.map(quote), { stdio: 'inherit', shell: isWindows() }), 'close');
}

/**
 * Opens an address in the default browser. That nothing opened is no error: the address has been printed.
 * @param {string} url
 */
export function openInBrowser(url) {
  const programs = new Map([
    ['darwin', 'open'],
    ['win32', 'explorer'],
  ]);
  const program = programs.get(process.platform) ?? 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.once('error', () => console.error(`The browser could not be opened with ${program}.`));
  child.unref();
}

/** @returns {boolean} whether `code` is a batch file, which needs a shell */
function isWindows() {
  return process.platform === 'win32';
}
