/**
 * Merges chunks that are loaded together. Where bundles share modules, esbuild makes a chunk for each set of entries that reach the same modules, and
 * counts what is imported later as an entry, so that a program gets dozens of small files, and Node takes half a millisecond for each. Own code, as
 * esbuild cannot be told what is loaded already when something is imported later.
 */
import { rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { allFiles, eagerFiles } from './sizes.mjs';

/** @typedef {import('esbuild').Metafile} Metafile */

/** Characters of a line at most, as nearly as can be: Node shows the line at which an error was thrown that nobody caught. */
const LINE_LIMIT = 500;

/** The file that a chunk goes into, and the names that its exports have there, by their names. @typedef {{ file: string, names: ReadonlyMap<string, string> }} Place */

/**
 * What is loaded when: output paths of entries.
 * @typedef {object} Roots
 * @property {readonly string[]} first whatever is the first that is loaded in a process
 * @property {readonly string[]} next what is loaded behind one of those and is waited for, as by the first request to a model
 */

/**
 * Puts chunks that the same roots load at once into one file, and writes all files anew. Chunks that no root loads at once stay as they are.
 * @param {Metafile} metafile of a minified build with splitting, without source maps and into one folder
 * @param {Roots} roots
 * @param {string} program the one of them that has to load without VS Code; what it can load is not merged with what it cannot
 * @returns {Promise<Metafile>} of the files as they are then
 * @throws {Error} when there is no such root
 */
export async function mergeChunks(metafile, roots, program) {
  const groups = groupsOf(metafile, roots, program);
  const places = new Map(groups.flatMap((paths, n) => placesIn(`shared-${n}.js`, paths, metafile)));
  const kept = Object.keys(metafile.outputs).filter((path) => !places.has(resolve(path)));
  const { outputFiles, metafile: merged } = await build({
    entryPoints: [
      ...kept.map((path) => ({ in: resolve(path), out: basename(path, '.js') })),
      ...groups.map((_, n) => ({ in: `shared:${n}`, out: `shared-${n}` })),
    ],
    outdir: dirname(program),
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode'],
    minify: true,
    lineLimit: LINE_LIMIT,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'error',
    plugins: [mergePlugin(groups, places)],
  });
  await Promise.all([...places.keys()].map((path) => rm(path)));
  await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, contents)));
  return merged;
}

/**
 * @param {Metafile} metafile
 * @param {Roots} roots
 * @param {string} program
 * @returns {string[][]} output paths of chunks that go into one file. What one of them imports is loaded by the same roots or by more, or by earlier
 *   ones, so that no two files import each other.
 */
function groupsOf(metafile, { first, next }, program) {
  for (const root of [...first, ...next]) if (metafile.outputs[root] === undefined) throw new Error(`There is no ${root}.`);
  const [early, late] = [first, next].map((roots) => roots.map((root) => new Set(eagerFiles(metafile, root))));
  const ofProgram = new Set(allFiles(metafile, program));
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    const loads = [early, late].map((closures) => (closures ?? []).map((paths) => paths.has(path)));
    // What is there already does not depend on what is loaded behind it.
    const time = loads.findIndex((each) => each.includes(true));
    const key = `${time}: ${[...(loads[time] ?? []), ofProgram.has(path)].join()}`;
    if (entryPoint === undefined && time !== -1) groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/**
 * @param {string} file
 * @param {readonly string[]} paths of the chunks in it
 * @param {Metafile} metafile
 * @returns {(readonly [string, Place])[]} the places of these chunks by their absolute paths
 */
function placesIn(file, paths, { outputs }) {
  let count = 0;
  const named = (/** @type {string} */ name) => /** @type {const} */ ([name, `$${(count++).toString(36)}`]);
  return paths.map((path) => [resolve(path), { file, names: new Map(outputs[path]?.exports.map(named)) }]);
}

/**
 * @param {readonly (readonly string[])[]} groups
 * @param {ReadonlyMap<string, Place>} places
 * @returns {import('esbuild').Plugin}
 */
const mergePlugin = (groups, places) => ({
  name: 'merge-chunks',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^shared:/ }, ({ path }) => ({ path: path.slice('shared:'.length), namespace: 'shared' }));
    bundler.onLoad({ filter: /./, namespace: 'shared' }, ({ path }) => {
      const lines = (groups[Number(path)] ?? []).map((chunk) => {
        const names = [...(places.get(resolve(chunk))?.names ?? [])].map(([name, there]) => `${name} as ${there}`);
        return `export{${names.join()}}from${JSON.stringify(resolve(chunk))};`;
      });
      return { contents: lines.join('\n'), resolveDir: process.cwd() };
    });
    bundler.onResolve({ filter: /^\.\.?\// }, ({ path, kind, importer, namespace, resolveDir }) => {
      const target = join(resolveDir, path);
      const place = namespace === 'file' && kind === 'import-statement' ? places.get(target) : undefined;
      if (place === undefined) return { path, external: true };
      return { path: target, namespace: places.get(importer)?.file === place.file ? 'file' : 'elsewhere' };
    });
    // Stands in for a chunk where it is imported from another file.
    bundler.onLoad({ filter: /./, namespace: 'elsewhere' }, ({ path }) => {
      const { file = '', names = new Map() } = places.get(path) ?? {};
      const exported = [...names].map(([name, there]) => `${there} as ${name}`);
      return { contents: `import"./${file}";export{${exported.join()}}from"./${file}";` };
    });
  },
});
