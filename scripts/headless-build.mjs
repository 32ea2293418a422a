/**
 * How the program without a window is built: a bundle for Node, with the grammars beside it; and beside that, the library that starts it for other
 * programs.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { mergeChunks } from './merge-chunks.mjs';

const MANIFEST = fileURLToPath(new URL('../package.json', import.meta.url));

/** What is loaded behind a prompt, and waited for. */
const NEXT = [
  'src/headless/ndjson/protocol-run.ts',
  'src/provider/anthropic/message-parts.ts',
  ...['chat-parts', 'responses/response-parts'].map((name) => `src/provider/openai/${name}.ts`),
];

/** The grammar of the shell, and what runs it. */
const GRAMMAR = fileURLToPath(new URL('../node_modules/@vscode/tree-sitter-wasm/wasm', import.meta.url));

/** What they offer to Node loads its parts in a way that cannot be followed. */
export const ALIASES = {
  'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
  yaml: fileURLToPath(new URL('browser/dist/index.js', import.meta.resolve('yaml/package.json'))),
};

/** What libraries load for uses of theirs that Gnomon does not have: tools of agents that run on servers of Anthropic, and keys for signing tokens. */
const LEFT_OUT = /^jose$|\/tools\/agent-toolset\/node\.mjs$/;

/** The same, loaded at once: classes that follow an answer to its end, with events or calls of functions. Gnomon reads the pieces itself. */
const FOLLOWERS = /openai[\\/]lib[\\/].*\b(\w+Stream|\w+Runner)\.mjs$/;

/** @type {import('esbuild').Plugin[]} */
export const WITHOUT_UNUSED = [
  {
    name: 'leave-out-followers',
    setup: (bundler) =>
      bundler.onLoad({ filter: FOLLOWERS }, ({ path }) => {
        const name = FOLLOWERS.exec(path)?.[1] ?? '';
        return { contents: `export class ${name} { constructor() { throw new Error('${name} is not in this bundle.'); } }` };
      }),
  },
  {
    name: 'leave-out-later',
    setup: (bundler) => {
      bundler.onResolve({ filter: LEFT_OUT }, ({ path, kind }) => (kind === 'dynamic-import' ? { path, namespace: 'left-out' } : undefined));
      bundler.onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({
        contents: `throw new Error(${JSON.stringify(`${path} is not in this bundle.`)});`,
      }));
    },
  },
  {
    // The client and the server of MCP each bring a copy of the same large validator.
    name: 'share-validator',
    setup: (bundler) =>
      bundler.onLoad({ filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
        contents: `export { AjvJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
          export { default as process } from 'node:process';`,
        resolveDir: dirname(MANIFEST),
      })),
  },
  {
    // Nothing of it is used. It declares that it can be left out then, but a package.json further in hides that from the bundler.
    name: 'leave-out-unused',
    setup: (bundler) => bundler.onResolve({ filter: /^domutils$/ }, ({ path }) => ({ path: fileURLToPath(import.meta.resolve(path)), sideEffects: false })),
  },
  {
    // Of the manifest of the extension, the program uses the version and the settings.
    name: 'leave-out-contributions',
    setup: (bundler) =>
      bundler.onLoad({ filter: /package\.json$/ }, async ({ path }) => {
        if (path !== MANIFEST) return undefined;
        const { version, contributes } = JSON.parse(await readFile(path, 'utf8'));
        return { contents: JSON.stringify({ version, contributes: { configuration: contributes.configuration } }), loader: 'json' };
      }),
  },
  {
    // It finds its place by `__filename`, which a module does not have; so it stays the file of its own that it is.
    name: 'keep-tree-sitter',
    setup: (bundler) => bundler.onResolve({ filter: /^@vscode\/tree-sitter-wasm$/ }, () => ({ path: '../wasm/tree-sitter.cjs', external: true })),
  },
];

/**
 * What the program is built with.
 * @param {string} folder that gets a folder `headless`; the grammars have to be in `wasm` beside that
 * @returns {import('esbuild').BuildOptions}
 */
export const headlessOptions = (folder) => ({
  entryPoints: { gnomon: 'src/headless/main.ts', library: 'src/headless/library/index.ts', 'pdf-process': 'src/node/pdf/pdf-process.ts' },
  outdir: join(folder, 'headless'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  // Node 20 is the oldest that it runs in.
  target: 'node20',
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  alias: ALIASES,
  plugins: [...WITHOUT_UNUSED],
  logLevel: 'error',
});

/**
 * Builds the program as it is shipped: minified, and in few files.
 * @param {string} folder as of {@link headlessOptions}
 * @returns {Promise<import('esbuild').Metafile>} with everything that is in it
 */
export async function buildForRelease(folder) {
  const { metafile } = await build({ ...headlessOptions(folder), minify: true, metafile: true });
  const output = (/** @type {string} */ name) => relative('.', join(folder, 'headless', name)).replaceAll(sep, '/');
  const { first, next } = programRoots(metafile, output('gnomon.js'));
  await mergeChunks(metafile, { first: [...first, output('library.js')], next }, output('gnomon.js'));
  return metafile;
}

/**
 * @param {import('esbuild').Metafile} metafile of a build with the program
 * @param {string} program its output path
 * @returns {import('./merge-chunks.mjs').Roots} the program and what answers a prompt, which it imports as soon as it knows that there is one; and what
 *   that imports for the protocol, and for its first request to a model
 */
export function programRoots({ outputs }, program) {
  const paths = (/** @type {readonly string[]} */ sources) => Object.keys(outputs).filter((path) => sources.includes(outputs[path]?.entryPoint ?? ''));
  return { first: [program, ...paths(['src/headless/run.ts'])], next: paths(NEXT) };
}

/**
 * Puts the grammars where the program finds them.
 * @param {string} folder that gets a folder `wasm`
 * @param {boolean} minify
 * @returns {Promise<void>}
 */
export async function copyGrammar(folder, minify) {
  const wasm = join(folder, 'wasm');
  await mkdir(wasm, { recursive: true });
  const { code } = await transform(await readFile(`${GRAMMAR}/tree-sitter.js`, 'utf8'), { minify, legalComments: 'none' });
  await writeFile(join(wasm, 'tree-sitter.cjs'), code);
  await Promise.all(['tree-sitter.wasm', 'tree-sitter-bash.wasm'].map((name) => copyFile(join(GRAMMAR, name), join(wasm, name))));
}
