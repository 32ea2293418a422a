/**
 * Packs the program without a window and its library as npm installs them. Run as a program, it makes `dist/*.tgz`.
 */
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildForRelease, copyGrammar } from './headless-build.mjs';
import { collectNotices } from './notices.mjs';
import { npmCli, npmEnvironment } from './npm.mjs';
import { SAMPLE_WORKSPACE } from '../test/vscode/sample-workspace.mjs';
import { run } from './run.mjs';

/** Name of the package. `gnomon` itself belongs to another project. */
export const AGENT_PACKAGE = '@gnomon/agent';

/** The pages of `docs` that are about the package, by where they are in it. */
const PAGES = new Map([
  ['headless.md', 'README.md'],
  ...['agents-and-skills', 'commands', 'configuration', 'hooks', 'library', 'mcp', 'permissions'].map(
    (name) => /** @type {const} */ ([`${name}.md`, `docs/${name}.md`]),
  ),
]);

/**
 * Makes the package.
 * @param {string} folder where its files are put, anew
 * @param {string} destination folder for the archive
 * @returns {Promise<string>} absolute path of the archive
 * @throws {Error} when something of it cannot be built or packed
 */
export async function packAgent(folder, destination) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(destination, { recursive: true });
  const [metafile] = await Promise.all([buildForRelease(folder), copyGrammar(folder, true), makeTypes(folder)]);
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), await collectNotices([metafile], ['node_modules/@vscode/tree-sitter-wasm']));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifestOf(), undefined, 2)}\n`);
  await Promise.all([copyFile('LICENSE', join(folder, 'LICENSE')), writePages(folder), cp(SAMPLE_WORKSPACE, join(folder, 'sample'), { recursive: true })]);
  const args = [npmCli(), 'pack', resolve(folder), '--json', '--pack-destination', resolve(destination)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: npmEnvironment() });
  const [{ filename }] = /** @type {[{ filename: string }]} */ (JSON.parse(stdout));
  return resolve(destination, filename);
}

/** @param {string} folder of the package. @returns {Promise<void>} */
async function makeTypes(folder) {
  await run('node', ['node_modules/typescript-7/bin/tsc', '-p', 'src/headless/library/tsconfig.json', '--outDir', join(folder, 'types')]);
}

/**
 * Writes the pages about the package, with links to one another alone: other pages, and what is beside them, are not in it.
 * @param {string} folder of the package
 * @returns {Promise<void>}
 */
async function writePages(folder) {
  await mkdir(join(folder, 'docs'), { recursive: true });
  for (const [name, place] of PAGES) {
    const page = await readFile(join('docs', name), 'utf8');
    const linked = page.replaceAll(/(!?)\[([^\]\n]*)\]\((?!https?:|#)([^)#\n]+)(#[^)\n]*)?\)/g, (_, image, text, target, part = '') => {
      const to = image === '' && target === basename(target) ? PAGES.get(target) : undefined;
      if (to !== undefined) return `[${text}](${posix.relative(posix.dirname(place), to)}${part})`;
      return image === '' ? text : '';
    });
    await writeFile(join(folder, place), linked);
  }
}

/** @returns {Promise<object>} the `package.json` of the package; npm installs of the programs that search files the one for the system */
async function manifestOf() {
  const { version, license } = JSON.parse(await readFile('package.json', 'utf8'));
  const ripgrep = JSON.parse(await readFile('node_modules/@vscode/ripgrep/package.json', 'utf8'));
  return {
    name: AGENT_PACKAGE,
    version,
    description: 'Gnomon without a window: a coding agent for the terminal, for CI, for editors, and for programs',
    license,
    type: 'module',
    engines: { node: '>=20.19' },
    bin: { gnomon: './headless/gnomon.js' },
    exports: { '.': { types: './types/headless/library/index.d.ts', default: './headless/library.js' } },
    optionalDependencies: ripgrep.optionalDependencies,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await packAgent('dist/agent', 'dist'));
