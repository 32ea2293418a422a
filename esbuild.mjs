// Builds the extension and its chat panel into dist/, and with --tests the suites for the extension host into dist-test/.
// Options: --production (minified, no source maps, notices), --watch, --tests.
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { build, context } from 'esbuild';
import esbuildSvelte from 'esbuild-svelte';
import { ALIASES, copyGrammar, programRoots, WITHOUT_UNUSED } from './scripts/headless-build.mjs';
import { mergeChunks } from './scripts/merge-chunks.mjs';
import { collectNotices } from './scripts/notices.mjs';
import { allFiles, eagerFiles, reportSizes } from './scripts/sizes.mjs';
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

const WINDOW_TEXTS = 'src/vscode/language/window-texts.ts';
/** The program without a window, as it is built. */
const PROGRAM = 'dist/chunks/gnomon.js';
/** Modules that VS Code may load before the chat has loaded most of the rest, by their names. */
const FIRST_IN_WINDOW = ['compose', 'compose-review', 'completer', 'inline-provider', 'next-edit-switch'];
/** What reads PDF documents in a process of its own. */
const PDF_PROCESS = 'src/node/pdf/pdf-process.ts';

/** What the entry imports when it is used first: paths of modules by their names in dist/chunks. @type {Record<string, string | undefined>} */
const later = {};

/** @type {import('esbuild').BuildOptions} */
const inHost = { ...common, platform: 'node', target: 'node22', external: ['vscode'], inject: [WINDOW_TEXTS] };

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

/** What VS Code loads gets the texts of its language; the program without a window, which shares modules with it, has no VS Code. @type {import('esbuild').Plugin} */
const windowTexts = {
  name: 'window-texts',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^in-window:/ }, ({ path }) => ({ path: path.slice('in-window:'.length), namespace: 'in-window' }));
    bundler.onLoad({ filter: /./, namespace: 'in-window' }, ({ path }) => ({
      contents: `import './${WINDOW_TEXTS}'; export * from ${JSON.stringify(path)};`,
      resolveDir: process.cwd(),
    }));
  },
};

/** What the entry loads later, and the program without a window, which has most of its modules in common with that. */
const rest = () => ({
  ...inHost,
  metafile: /** @type {const} */ (true),
  // Node 20 is the oldest that the program runs in.
  target: 'node20',
  inject: [],
  entryPoints: {
    ...Object.fromEntries(Object.entries(later).map(([name, path]) => [name, `in-window:${path}`])),
    gnomon: 'src/headless/main.ts',
    'pdf-process': PDF_PROCESS,
  },
  outdir: 'dist/chunks',
  chunkNames: '[name]-[hash]',
  alias: ALIASES,
  plugins: [...measured(WITHOUT_UNUSED), windowTexts],
});

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
  entryPoints: {
    index: 'test/integration/index.ts',
    'index-multi-root': 'test/integration/index-multi-root.ts',
    bench: 'test/bench/host/index.ts',
    'pdf-process': PDF_PROCESS,
  },
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
await Promise.all(['dist/chunks', 'dist/webview'].map((folder) => rm(folder, { recursive: true, force: true })));
if (watch) {
  // Tells what is loaded later, too.
  await build(entry([]));
  const contexts = await Promise.all([entry([]), rest(), webview].map((target) => context(target)));
  await Promise.all(contexts.map((each) => each.watch()));
} else {
  const page = await build(webview);
  const first = await build(entry(importsOf(page.metafile)));
  const [behind, ...tests] = await Promise.all([build(rest()), ...(options.has('--tests') ? [build(integration)] : [])]);
  const [{ metafile: built }, ...others] = [behind, page, first, ...tests];
  const metafiles = others.flatMap(({ metafile }) => metafile ?? []);
  if (production) await writeFile('dist/THIRD-PARTY-NOTICES.txt', await collectNotices([built, ...metafiles], ['node_modules/@vscode/tree-sitter-wasm']));
  const shipped = production ? await mergeChunks(built, rootsOf(built), PROGRAM) : built;
  checkProgram(shipped);
  reportSizes([shipped, ...metafiles]);
}

/**
 * @param {import('esbuild').Metafile | undefined} metafile of the panel
 * @returns {string[]} names of the files that its script imports, below its folder
 */
function importsOf(metafile) {
  const files = metafile === undefined ? [] : eagerFiles(metafile, 'dist/webview/main.js');
  return files.slice(1).map((path) => relative('dist/webview', path));
}

/**
 * Makes sure that the program without a window starts where there is no VS Code.
 * @param {import('esbuild').Metafile} metafile of what it shares modules with
 * @returns {void}
 * @throws {Error} when a module that it can load imports VS Code
 */
function checkProgram(metafile) {
  const inWindow = allFiles(metafile, PROGRAM).filter((path) => metafile.outputs[path]?.imports.some((each) => each.path === 'vscode'));
  if (inWindow.length > 0) throw new Error(`The program without a window imports VS Code: ${inWindow.join(', ')}`);
}

/**
 * @param {import('esbuild').Metafile} metafile of what is behind the entry
 * @returns {import('./scripts/merge-chunks.mjs').Roots} what may be loaded first, in a window and in a terminal, and what is loaded behind it
 */
function rootsOf(metafile) {
  const { first, next } = programRoots(metafile, PROGRAM);
  return { first: [...FIRST_IN_WINDOW.map((name) => `dist/chunks/${name}.js`), ...first], next };
}
