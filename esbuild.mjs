// Builds the extension and its chat panel into dist/, and with --tests the suites for the extension host into dist-test/.
// Options: --production (minified, no source maps, notices), --watch, --tests.
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { build, context } from 'esbuild';
import esbuildSvelte from 'esbuild-svelte';
import { ALIASES, copyGrammar, headlessOptions, WITHOUT_UNUSED } from './scripts/headless-build.mjs';
import { collectNotices } from './scripts/notices.mjs';
import { eagerFiles, reportSizes } from './scripts/sizes.mjs';
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

/** What the entry imports when it is used first: paths of modules by their names in dist/chunks. @type {Record<string, string | undefined>} */
const later = {};

/** @type {import('esbuild').BuildOptions} */
const inHost = { ...common, platform: 'node', target: 'node22', external: ['vscode'], inject: ['src/vscode/language/window-texts.ts'] };

/**
 * What VS Code loads and activates at its start: one file, as a module of CommonJS, which it loads without asking its
 * hooks about each import. What that imports when it is used first is not in it.
 * @param {readonly string[]} panelImports names of the files that the script of the panel imports
 * @returns {import('esbuild').BuildOptions}
 */
const entry = (panelImports) => ({
  ...inHost,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.cjs',
  format: 'cjs',
  splitting: false,
  define: { ...common.define, PANEL_IMPORTS: JSON.stringify(panelImports) },
  plugins: measured([
    {
      name: 'load-later',
      setup: (bundler) =>
        bundler.onResolve({ filter: /^\./ }, async ({ kind, path, importer, resolveDir }) => {
          if (kind !== 'dynamic-import') return undefined;
          const found = await bundler.resolve(path, { kind: 'import-statement', importer, resolveDir });
          const name = basename(path, '.js');
          if (later[name] !== undefined && later[name] !== found.path) throw new Error(`Two modules that are loaded later are called ${name}.`);
          later[name] = found.path;
          return { path: `./chunks/${name}.js`, external: true };
        }),
    },
  ]),
});

/** What the entry loads later. @returns {import('esbuild').BuildOptions} */
const rest = () => ({
  ...inHost,
  entryPoints: /** @type {Record<string, string>} */ (later),
  outdir: 'dist/chunks',
  chunkNames: '[name]-[hash]',
  define: { ...common.define, PANEL_IMPORTS: '[]' },
  alias: ALIASES,
  plugins: measured(WITHOUT_UNUSED),
});

/**
 * What runs in a process of its own, where there is no VS Code.
 * @param {string} outdir where the modules are that start it
 * @returns {import('esbuild').BuildOptions}
 */
const programs = (outdir) => ({
  ...inHost,
  inject: [],
  external: [],
  entryPoints: { 'pdf-process': 'src/node/pdf/pdf-process.ts' },
  outdir,
  chunkNames: '[name]-[hash]',
  plugins: measured([]),
});

/** The program without a window. @type {import('esbuild').BuildOptions} */
const headless = {
  ...headlessOptions('dist'),
  minify: production,
  sourcemap: !production,
  metafile: true,
  logLevel: 'info',
  define: { ...common.define },
  plugins: measured([...WITHOUT_UNUSED]),
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

/** The API for other extensions: a file of types that stands alone. */
async function copyApi() {
  await mkdir('dist/api', { recursive: true });
  await copyFile('src/api/gnomon-api.ts', 'dist/api/gnomon-api.d.ts');
}

await copyGrammar('dist', production);
await copyApi();
await Promise.all(['dist/chunks', 'dist/webview', 'dist/headless'].map((folder) => rm(folder, { recursive: true, force: true })));
if (watch) {
  // Tells what is loaded later, too.
  await build(entry([]));
  const contexts = await Promise.all([entry([]), rest(), programs('dist/chunks'), headless, webview].map((target) => context(target)));
  await Promise.all(contexts.map((each) => each.watch()));
} else {
  const page = await build(webview);
  const first = await build(entry(importsOf(page.metafile)));
  const others = await Promise.all(
    [rest(), programs('dist/chunks'), headless, ...(options.has('--tests') ? [integration, programs('dist-test/integration')] : [])].map((target) =>
      build(target),
    ),
  );
  const metafiles = [page, first, ...others].flatMap(({ metafile }) => (metafile ? [metafile] : []));
  await mkdir('dist', { recursive: true });
  if (production) await writeFile('dist/THIRD-PARTY-NOTICES.txt', await collectNotices(metafiles, ['node_modules/@vscode/tree-sitter-wasm']));
  reportSizes(metafiles);
}

/**
 * @param {import('esbuild').Metafile | undefined} metafile of the panel
 * @returns {string[]} names of the files that its script imports, below its folder
 */
function importsOf(metafile) {
  const files = metafile === undefined ? [] : eagerFiles(metafile, 'dist/webview/main.js');
  return files.slice(1).map((path) => relative('dist/webview', path));
}
