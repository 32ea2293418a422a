/**
 * The extensions that VS Code brings along, without those that no test uses: every window reads all of them, and starts a dozen.
 */
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** None of these adds a language, a theme, Git, or a kind of document. */
const UNUSED = new Set([
  'copilot',
  'css-language-features',
  'debug-auto-launch',
  'debug-server-ready',
  'emmet',
  'extension-editing',
  'github',
  'github-authentication',
  'grunt',
  'gulp',
  'html-language-features',
  'jake',
  'merge-conflict',
  'mermaid-markdown-features',
  'microsoft-authentication',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
  'npm',
  'php-language-features',
  'references-view',
  'simple-browser',
  'terminal-suggest',
  'tunnel-forwarding',
]);

/**
 * Makes a folder with links to the others, and to the packages that they share.
 * @param {import('./install.mjs').VsCode} vscode
 * @param {string} dataDir the data folder of a server
 * @returns {Promise<string>} for `--builtin-extensions-dir`
 */
export async function linkBuiltinExtensions({ serverMain }, dataDir) {
  const all = join(dirname(dirname(serverMain)), 'extensions');
  const folder = join(dataDir, 'builtin-extensions');
  await mkdir(folder, { recursive: true });
  const [wanted, present] = await Promise.all([readdir(all), readdir(folder)]);
  const missing = wanted.filter((name) => !UNUSED.has(name) && !present.includes(name));
  await Promise.all(missing.map((name) => symlink(join(all, name), join(folder, name))));
  return folder;
}
