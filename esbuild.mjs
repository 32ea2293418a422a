// Builds the extension and its chat panel into dist/, and with --tests the suites for the extension host into dist-test/.
// Options: --production (minified, no source maps, notices), --watch, --tests.
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { build, context } from 'esbuild';
import esbuildSvelte from 'esbuild-svelte';
import { collectNotices } from './scripts/notices.mjs';
import { reportSizes } from './scripts/sizes.mjs';
import { measured } from './test/support/coverage/plugins.mjs';

const options = new Set(process.argv.slice(2));
const production = options.has('--production');
const watch = options.has('--watch');

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  format: 'esm',
  splitting: true,
  minify: production,
  sourcemap: !production,
  legalComments: 'none',
  metafile: true,
  logLevel: 'info',
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};

/** @type {import('esbuild').BuildOptions} */
const extension = {
  ...common,
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  target: 'node22',
  external: ['vscode'],
  // What it offers to Node loads its parts in a way that cannot be followed.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: measured([
    {
      // It finds its place by `__filename`, which a module does not have; so it stays the file of its own that it is.
      name: 'keep-tree-sitter',
      setup: (bundler) => bundler.onResolve({ filter: /^@vscode\/tree-sitter-wasm$/ }, () => ({ path: '../wasm/tree-sitter.cjs', external: true })),
    },
  ]),
};

const svelte = esbuildSvelte({ compilerOptions: { css: 'external', dev: !production } });

/**
 * Coverage is measured of the panel as it is shipped: nobody reads the counters of the one in a window of VS Code.
 * @type {import('esbuild').BuildOptions}
 */
const webview = {
  ...common,
  entryPoints: { main: 'webview/main.ts' },
  outdir: 'dist/webview',
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'browser',
  target: 'chrome138',
  conditions: production ? ['svelte', 'browser', 'production'] : ['svelte', 'browser', 'development'],
  mainFields: ['svelte', 'browser', 'module', 'main'],
  plugins: production ? measured([svelte]) : [svelte],
};

/** @type {import('esbuild').BuildOptions} */
const integration = {
  ...common,
  minify: false,
  sourcemap: 'inline',
  entryPoints: { index: 'test/integration/index.ts', 'index-multi-root': 'test/integration/index-multi-root.ts', bench: 'test/bench/host/index.ts' },
  outdir: 'dist-test/integration',
  platform: 'node',
  target: 'node22',
  packages: 'external',
  external: ['vscode'],
  plugins: measured([]),
};

/** The grammar of the shell and what runs it, as they come. */
const GRAMMAR = { 'tree-sitter.js': 'tree-sitter.cjs', 'tree-sitter.wasm': 'tree-sitter.wasm', 'tree-sitter-bash.wasm': 'tree-sitter-bash.wasm' };

async function copyGrammar() {
  await mkdir('dist/wasm', { recursive: true });
  await Promise.all(Object.entries(GRAMMAR).map(([from, to]) => copyFile(`node_modules/@vscode/tree-sitter-wasm/wasm/${from}`, `dist/wasm/${to}`)));
}

/** The API for other extensions: a file of types that stands alone. */
async function copyApi() {
  await mkdir('dist/api', { recursive: true });
  await copyFile('src/vscode/api/gnomon-api.ts', 'dist/api/gnomon-api.d.ts');
}

const targets = options.has('--tests') ? [extension, webview, integration] : [extension, webview];

await copyGrammar();
await copyApi();
if (watch) {
  const contexts = await Promise.all(targets.map((target) => context(target)));
  await Promise.all(contexts.map((each) => each.watch()));
} else {
  await Promise.all(['dist/chunks', 'dist/webview'].map((folder) => rm(folder, { recursive: true, force: true })));
  const results = await Promise.all(targets.map((target) => build(target)));
  const metafiles = results.flatMap(({ metafile }) => (metafile ? [metafile] : []));
  await mkdir('dist', { recursive: true });
  if (production) await writeFile('dist/THIRD-PARTY-NOTICES.txt', await collectNotices(metafiles, ['node_modules/@vscode/tree-sitter-wasm']));
  reportSizes(metafiles);
}
