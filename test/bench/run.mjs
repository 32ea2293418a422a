// Measures the figures of the product and prints them: a table, or with --json one object
// {name: {value, unit, goal, holds}}. Names given as arguments limit it to those groups (see main.ts).
import { build } from 'esbuild';

await build({
  entryPoints: ['test/bench/main.ts'],
  outfile: '.bench/main.mjs',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  external: ['../vscode/*', '../../scripts/*'],
  logLevel: 'error',
  plugins: [
    {
      // The harness finds its own files by its address, so it must not be moved into the bundle.
      name: 'keep-harness',
      setup: (context) => {
        context.onResolve({ filter: /\.mjs$/ }, ({ path, resolveDir }) => ({ path: new URL(path, `file://${resolveDir}/`).href, external: true }));
      },
    },
  ],
});
/** @type {{ main: (args: readonly string[]) => Promise<number> }} */
const { main } = await import(new URL('../../.bench/main.mjs', import.meta.url).href);
process.exitCode = await main(process.argv.slice(2));
