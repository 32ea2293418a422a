import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';

/**
 * Packs the extension, for modules that work with the package. What that prints goes to standard error.
 * @throws {Error} when the package cannot be made
 */
export function packExtension() {
  const packed = spawnSync(process.execPath, ['scripts/package.mjs'], { stdio: ['ignore', 2, 2] });
  if (packed.status !== 0) throw new Error('The package could not be made.');
}

/**
 * Runs the `main` of a TypeScript module of the tests in plain Node.
 * @param {string} entry path of the module, from the root of the repository
 * @param {string} name of the bundle in the folder `.bench`
 * @returns {Promise<number>} what `main(args)` returned
 */
export async function runBundled(entry, name) {
  const outfile = `.bench/${name}.mjs`;
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [keepModules],
  });
  /** @type {{ main: (args: readonly string[]) => Promise<number> }} */
  const { main } = await import(new URL(`../../${outfile}`, import.meta.url).href);
  return main(process.argv.slice(2));
}

/**
 * The harness finds its own files by its address, so it must not be moved into the bundle.
 * @type {import('esbuild').Plugin}
 */
const keepModules = {
  name: 'keep-modules',
  setup: (context) => {
    context.onResolve({ filter: /\.mjs$/ }, ({ path, resolveDir }) => ({ path: new URL(path, `file://${resolveDir}/`).href, external: true }));
  },
};
