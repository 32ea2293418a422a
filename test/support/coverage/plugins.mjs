/**
 * Lets the builds of `npm run coverage` put counters into the code of `src` and `webview`.
 *
 * The environment variable `GNOMON_COVERAGE` names a folder. Without it, nothing is done here, and what would do it is not loaded.
 */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('esbuild').Plugin} Plugin */
/** @typedef {import('esbuild').PluginBuild} PluginBuild */
/** @typedef {typeof import('./instrument.mjs')} Instrument */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The plugins of a build with esbuild, with counters if coverage is measured.
 * @param {Plugin[]} plugins
 * @returns {Plugin[]}
 */
export function measured(plugins) {
  if (!process.env['GNOMON_COVERAGE']) return plugins;
  return [{ name: 'coverage', setup: countTypeScript }, ...plugins.map(countCompiled)];
}

/**
 * What Vitest needs to measure coverage: nothing if it is not measured.
 * @returns {{ plugins: import('vitest/config').Plugin[], setupFiles: string[] }}
 */
export function vitestCoverage() {
  if (!process.env['GNOMON_COVERAGE']) return { plugins: [], setupFiles: [] };
  /** @type {import('vitest/config').Plugin} */
  const plugin = {
    name: 'coverage',
    enforce: 'pre',
    transform: async (code, id) => {
      if (!isOurs(id)) return undefined;
      const { instrument } = await import('./instrument.mjs');
      return { code: instrument(code, id), map: null };
    },
  };
  return { plugins: [plugin], setupFiles: ['test/support/coverage/unit.ts'] };
}

/** @type {Plugin['setup']} */
async function countTypeScript(build) {
  const { instrument } = await import('./instrument.mjs');
  build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
    // These are for the Svelte compiler.
    if (!isOurs(path) || path.endsWith('.svelte.ts')) return undefined;
    return { contents: instrument(await readFile(path, 'utf8'), path), loader: 'ts' };
  });
}

/**
 * @param {Plugin} plugin
 * @returns {Plugin}
 */
function countCompiled({ name, setup }) {
  return { name, setup: async (build) => setup(counting(build, await import('./instrument.mjs'))) };
}

/**
 * The build for a plugin that compiles, such as the one for Svelte: its code gets counters.
 * @param {PluginBuild} build
 * @param {Instrument} instrument
 * @returns {PluginBuild}
 */
function counting(build, { instrumentCompiled, withoutTypes }) {
  return {
    ...build,
    // The plugin takes the types out of a module before it compiles it, and forgets where each line came from: so no line may move.
    esbuild: { ...build.esbuild, transform: /** @type {any} */ (withoutTypes) },
    onLoad: (options, load) =>
      build.onLoad(options, async (args) => {
        const result = await load(args);
        if (typeof result?.contents !== 'string' || !isOurs(args.path)) return result;
        return { ...result, contents: instrumentCompiled(result.contents, args.path) };
      }),
  };
}

/**
 * @param {string} path
 * @returns {boolean} whether the file is one that is measured
 */
function isOurs(path) {
  return /^(src|webview)\/.*\.(ts|svelte)$/.test(relative(ROOT, path));
}
