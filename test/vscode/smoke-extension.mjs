/**
 * A tiny extension with a view, a command and a suite, for trying the harness without the project's own extension.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const MANIFEST = {
  name: 'tiny',
  publisher: 'gnomon-smoke',
  version: '0.0.1',
  type: 'module',
  main: './main.js',
  engines: { vscode: '^1.106.0' },
  contributes: {
    viewsContainers: { activitybar: [{ id: 'tiny', title: 'Tiny', icon: 'icon.svg' }] },
    views: { tiny: [{ id: 'tiny.view', name: 'Tiny', type: 'webview' }] },
    commands: [{ command: 'tiny.hello', title: 'Say Hello', category: 'Tiny' }],
  },
};

const MAIN = `
import * as vscode from 'vscode';

/** Counts clicks in the extension's global state, and tells what it sees of the environment. */
export function activate(context) {
  const view = {
    resolveWebviewView({ webview }) {
      webview.options = { enableScripts: true };
      webview.onDidReceiveMessage(async () => {
        const count = context.globalState.get('count', 0) + 1;
        await context.globalState.update('count', count);
        await webview.postMessage(count);
      });
      webview.html = html(context.globalState.get('count', 0));
    },
  };
  const hello = () => vscode.window.showInformationMessage(
    'Hello from ' + vscode.version + ', key ' + (process.env.ANTHROPIC_API_KEY ?? 'none'), 'Fine');
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('tiny.view', view),
    vscode.commands.registerCommand('tiny.hello', hello),
  );
}

const html = (count) => \`<!DOCTYPE html><html lang="en"><body>
  <button>Count</button> <p role="status">\${count}</p>
  <script>
    const vscode = acquireVsCodeApi();
    document.querySelector('button').onclick = () => vscode.postMessage('count');
    addEventListener('message', ({ data }) => { document.querySelector('p').textContent = data; });
  </script></body></html>\`;
`;

const SUITE = `
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('The tiny extension', () => {
  it('contributes its command', async () => {
    await vscode.extensions.getExtension('gnomon-smoke.tiny').activate();
    assert.ok((await vscode.commands.getCommands(true)).includes('tiny.hello'));
  });
  it('sees the workspace', async () => {
    assert.equal((await vscode.workspace.findFiles('**/note.txt')).length, 1);
  });
  if (process.env.SMOKE_FAIL) it('fails on demand', () => assert.equal(1, 2));
  if (process.env.SMOKE_CRASH) it('dies on demand', () => process.kill(process.pid, 'SIGKILL'));
  it.skip('is skipped', () => {});
});
`;

const ENTRY = `
import { runSuites } from 'mocha-run';
export const run = () => runSuites(async () => { await import('./suite.test.js'); });
`;

const ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>';

/**
 * Writes the extension, its bundled suite and a workspace.
 * @param {string} folder below which everything is written; it must lie below a folder that holds `node_modules` with
 *   Mocha, because the bundle leaves that out
 * @returns {Promise<{ extension: string, tests: string, workspace: string }>} absolute paths
 */
export async function writeSmokeExtension(folder) {
  const [extension, suites, workspace] = ['extension', 'suites', 'work space'].map((name) => join(folder, name));
  if (!extension || !suites || !workspace) throw new Error('unreachable');
  await writeFiles(extension, { 'package.json': JSON.stringify(MANIFEST), 'main.js': MAIN, 'icon.svg': ICON });
  await writeFiles(suites, { 'package.json': '{"type":"module"}', 'index.js': ENTRY, 'suite.test.js': SUITE });
  await writeFiles(workspace, { 'note.txt': 'first\nsecond\n', 'src/greet.ts': 'export const greeting = "hello";\n' });
  const tests = join(folder, 'dist-test', 'index.js');
  await build({
    entryPoints: [join(suites, 'index.js')],
    outfile: tests,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode', 'mocha'],
    alias: { 'mocha-run': fileURLToPath(new URL('mocha-run.ts', import.meta.url)) },
  });
  await writeFiles(dirname(tests), { 'package.json': '{"type":"module"}' });
  return { extension, tests, workspace };
}

/**
 * @param {string} folder
 * @param {Record<string, string>} files contents by path
 */
async function writeFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
