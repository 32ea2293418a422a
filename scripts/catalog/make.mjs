/**
 * Makes `src/provider/catalog/models.json`: `npm run catalog`. Asks for the providers' own lists; with `--from <folder> --date
 * <YYYY-MM-DD>` reads saved ones, and with `--facts` uses none.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { changesIn, problemsOf } from './check.mjs';
import { fetchLists, savedLists } from './lists.mjs';
import { mergeCatalog, missingModels } from './merge.mjs';

const FACTS = fileURLToPath(new URL('facts.json', import.meta.url));
const CATALOG = fileURLToPath(new URL('../../src/provider/catalog/models.json', import.meta.url));

/**
 * @typedef {object} Work
 * @property {import('./lists.mjs').List[]} lists
 * @property {string} made today, as YYYY-MM-DD
 * @property {string} [facts] the file of the facts
 * @property {string} [catalog] the file to write
 * @property {(line: string) => void} [say] takes what is told
 */

/**
 * Writes the catalog and says what changed.
 * @param {Work} work
 * @returns {Promise<boolean>} whether it was written; it is not when something in it cannot be
 */
export async function makeCatalog({ lists, made, facts = FACTS, catalog: file = CATALOG, say = console.log }) {
  const [text, old] = await Promise.all([readFile(facts, 'utf8'), readFile(file, 'utf8').catch(() => undefined)]);
  const before = old === undefined ? undefined : JSON.parse(old);
  const catalog = mergeCatalog(JSON.parse(text), lists, made);
  const problems = problemsOf(catalog, before);
  for (const problem of problems) say(`Refused: ${problem}`);
  if (problems.length > 0) return false;
  for (const change of changesIn(before, catalog)) say(change);
  const missing = missingModels(catalog, lists);
  if (missing.length > 0) say(`Listed, but not in facts.json: ${missing.join(', ')}`);
  const models = catalog.models.map((model) => `    ${JSON.stringify(model)}`);
  await writeFile(file, `${JSON.stringify({ ...catalog, models: [] }, undefined, 2).replace(/\[\]\n\}$/, `[\n${models.join(',\n')}\n  ]\n}`)}\n`);
  say(
    `${catalog.models.length} models, ${lists.length === 0 ? 'from facts.json alone' : `from facts.json and ${lists.map(({ name, count }) => `${name} (${count})`).join(', ')}`}.`,
  );
  return true;
}

async function main() {
  const { values } = parseArgs({ options: { from: { type: 'string' }, date: { type: 'string' }, facts: { type: 'boolean' } } });
  const today = new Date().toISOString().slice(0, 10);
  const { from, date } = values;
  if (from !== undefined && !/^20\d\d-\d\d-\d\d$/.test(date ?? '')) throw new Error('Say with --date YYYY-MM-DD on which day the lists were saved.');
  const lists = values.facts === true ? [] : from === undefined ? await fetchLists(today, process.env) : await savedLists(from, date ?? today);
  process.exitCode = (await makeCatalog({ lists, made: today })) ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main().catch((/** @type {unknown} */ error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
