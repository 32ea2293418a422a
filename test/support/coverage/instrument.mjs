/**
 * Puts counters into code.
 *
 * They go into the code as it is written, before a builder changes it: so a line or a branch is the same one whether
 * Vitest or esbuild made it run, and what the suites count fits together. Only what the Svelte compiler makes can be
 * counted no sooner than behind it, and is traced back by its source map.
 *
 * What there is to count in a file is written to `files/` in the folder of `GNOMON_COVERAGE` when the file is built: so
 * all that is in a bundle is known, even if no test loads it. How often it ran is saved by `counts.mjs`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInstrumenter } from 'istanbul-lib-instrument';
import tsBlankSpace from 'ts-blank-space';

const INLINE_MAP = /\n\/\/# sourceMappingURL=data:application\/json;[^,]*base64,(\S+)/;

const instrumenter = createInstrumenter({
  esModules: true,
  compact: false,
  // What tells a bundler that a call may be left out, or an import must be left alone, stands in comments.
  preserveComments: true,
  coverageGlobalScope: 'globalThis',
  // The other way to the global scope is a function made of text, which the page of the panel forbids.
  coverageGlobalScopeFunc: false,
  parserPlugins: ['typescript'],
});

/**
 * Puts counters into code and writes down what they count.
 * @param {string} code
 * @param {string} path of its file
 * @param {Parameters<typeof instrumenter.instrumentSync>[2]} [map] from the code to the file, where they differ
 * @returns {string}
 */
export function instrument(code, path, map) {
  const result = instrumenter.instrumentSync(code, path, map);
  // Counts have it too: it tells that they are of this very code.
  const hash = /var hash = "(\w+)"/.exec(result)?.[1];
  const folder = join(process.env['GNOMON_COVERAGE'] ?? '', 'files');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${encodeURIComponent(path)}.json`), JSON.stringify({ ...instrumenter.lastFileCoverage(), hash }));
  return result;
}

/**
 * Like {@link instrument}, for what a compiler made of a file.
 * @param {string} code with its source map in it
 * @param {string} path of the file
 * @returns {string}
 * @throws {Error} when there is no source map
 */
export function instrumentCompiled(code, path) {
  const map = INLINE_MAP.exec(code)?.[1];
  if (map === undefined) throw new Error(`There is no source map in what was made of ${path}.`);
  return instrument(code.replace(INLINE_MAP, ''), path, JSON.parse(Buffer.from(map, 'base64').toString()));
}

/**
 * Takes the types out of TypeScript, as esbuild's `transform` does, but leaves everything else at its place.
 * @param {string} code
 * @returns {Promise<{ code: string }>}
 */
export function withoutTypes(code) {
  return Promise.resolve({ code: tsBlankSpace(code) });
}
