/**
 * K-22: an editor drives Gnomon’s program through another program’s adapter, which speaks the Agent Client Protocol to the editor and that of the Agent SDK
 * to Gnomon.
 */
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { copyGrammar, headlessOptions } from '../../../scripts/headless-build.mjs';
import { ensureVsCode } from '../../vscode/install.mjs';
import { ensureInstalled } from '../install.mjs';

const FOLDER = resolve('.bench/acp-adapter');
const BUNDLE = join(FOLDER, 'main.mjs');

/**
 * Runs the scenarios. The adapter needs a newer Node.js than other tests: that of VS Code.
 * @returns {Promise<readonly import('./main.js').Result[]>}
 */
export async function runAcpAdapter() {
  const scenarios = { entryPoints: ['test/conformance/acp-adapter/main.ts'], outfile: BUNDLE, bundle: true, packages: /** @type {const} */ ('external') };
  const [{ node }, modules] = await Promise.all([
    ensureVsCode(),
    ensureInstalled({ manifest: fileURLToPath(new URL('.', import.meta.url)), name: 'acp-adapter' }),
    build({ ...scenarios, format: 'esm', platform: 'node', target: 'node20', logLevel: 'error' }),
    build(headlessOptions(FOLDER)),
    copyGrammar(FOLDER, false),
  ]);
  /** @type {typeof import('./main.js')} */
  const { runAll } = await import(pathToFileURL(BUNDLE).href);
  const adapter = join(modules, '@agentclientprotocol', 'claude-agent-acp', 'dist', 'index.js');
  return runAll({ node, adapter, gnomon: join(FOLDER, 'headless', 'gnomon.js') });
}
