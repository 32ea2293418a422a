/**
 * The providers' own lists of models: where they are, and how each is read. Sources of the formats, November 2026:
 * openrouter.ai/docs, "List available models"; the types of `@anthropic-ai/sdk`, "resources/models"; developers.openai.com,
 * "List models"; ai.google.dev, "Models".
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @typedef {object} Entry What a list says of one model; what it does not say is absent.
 * @property {string} provider name of the provider in Gnomon
 * @property {string} id the provider's own id
 * @property {number} [window] tokens of the context window
 * @property {number} [output] tokens of an answer at most
 * @property {string[]} [efforts] how much it can be told to think, ascending
 * @property {{ input: number, output: number, cacheRead?: number, cacheWrite?: number }} [price] US dollars per million tokens
 *
 * @typedef {object} List A list that was read.
 * @property {string} name
 * @property {string} date the day it is of, as YYYY-MM-DD
 * @property {Entry[]} entries
 * @property {number} count how many models it has, those of other providers among them
 *
 * @typedef {object} Place Where a list is had.
 * @property {string} name
 * @property {string} url
 * @property {string} [keyVariable] the environment variable of the key that it takes; absent where it takes none
 * @property {(key: string) => Record<string, string>} [headers] that carry the key
 * @property {(page: any) => string | undefined} [next] what is added to the address for the next page
 * @property {(page: any) => any[] | undefined} models the models of a page
 * @property {(model: any) => Entry | undefined} read
 */

/** How long one page may take, in milliseconds. */
const PAGE_MS = 30_000;
/** Most pages of one list: more are an error of the server. */
const MOST_PAGES = 50;

/** @type {readonly Place[]} */
export const PLACES = [
  { name: 'openrouter', url: 'https://openrouter.ai/api/v1/models', models: ({ data }) => data, read: openRouterEntry },
  {
    name: 'anthropic',
    url: 'https://api.anthropic.com/v1/models?limit=1000',
    keyVariable: 'ANTHROPIC_API_KEY',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    next: ({ has_more: more, last_id: last }) => (more === true ? `&after_id=${encodeURIComponent(last)}` : undefined),
    models: ({ data }) => data,
    read: anthropicEntry,
  },
  {
    name: 'openai',
    url: 'https://api.openai.com/v1/models',
    keyVariable: 'OPENAI_API_KEY',
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    models: ({ data }) => data,
    read: ({ id }) => (isText(id) ? { provider: 'openai', id } : undefined),
  },
  {
    name: 'gemini',
    url: 'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000',
    keyVariable: 'GEMINI_API_KEY',
    headers: (key) => ({ 'x-goog-api-key': key }),
    next: ({ nextPageToken: token }) => (isText(token) ? `&pageToken=${encodeURIComponent(token)}` : undefined),
    models: ({ models }) => models,
    read: geminiEntry,
  },
];

/**
 * Asks for every list that can be had: those without a key, and those whose key is in the environment.
 * @param {string} date today, as YYYY-MM-DD
 * @param {NodeJS.ProcessEnv} environment
 * @param {readonly Place[]} places
 * @returns {Promise<List[]>}
 * @throws {Error} when a list cannot be had: a catalog without it would lose what it said
 */
export async function fetchLists(date, environment, places = PLACES) {
  const open = places.filter(({ keyVariable }) => keyVariable === undefined || isText(environment[keyVariable]));
  return Promise.all(open.map(async (place) => listOf(place, date, await pagesOf(place, environment[place.keyVariable ?? ''] ?? ''))));
}

/**
 * Reads the lists that were saved as `openrouter.json`, `anthropic.json` and so on, each one page as it came.
 * @param {string} folder
 * @param {string} date the day on which they were saved, as YYYY-MM-DD
 * @returns {Promise<List[]>}
 */
export async function savedLists(folder, date) {
  const saved = await readdir(folder);
  const lists = await Promise.all(
    PLACES.map(async (place) => {
      const file = `${place.name}.json`;
      return saved.includes(file) ? [listOf(place, date, [JSON.parse(await readFile(join(folder, file), 'utf8'))])] : [];
    }),
  );
  return lists.flat();
}

/**
 * @param {Place} place
 * @param {string} key
 */
async function pagesOf({ name, url, headers, next }, key) {
  const pages = [];
  for (let rest = ''; pages.length < MOST_PAGES;) {
    const response = await fetch(url + rest, { headers: headers?.(key) ?? {}, redirect: 'error', signal: AbortSignal.timeout(PAGE_MS) }).catch(
      (/** @type {unknown} */ cause) => {
        throw new Error(`${name}: ${new URL(url).host} cannot be reached.`, { cause });
      },
    );
    if (!response.ok) throw new Error(`${name}: ${new URL(url).host} answered with status ${response.status}.`);
    const page = await response.json();
    pages.push(page);
    const more = next?.(page);
    if (more === undefined) return pages;
    rest = more;
  }
  throw new Error(`${name}: the list does not end.`);
}

/**
 * @param {Place} place
 * @param {string} date
 * @param {any[]} pages
 * @returns {List}
 */
function listOf({ name, models, read }, date, pages) {
  const all = pages.flatMap((page) => {
    const found = models(page ?? {});
    if (!Array.isArray(found)) throw new Error(`${name}: this is no list of models.`);
    return found;
  });
  return { name, date, entries: all.flatMap((model) => read(model ?? {}) ?? []), count: all.length };
}

/** Providers in Gnomon by OpenRouter's, for those whose models have the provider's own price there: nobody else serves them. */
const OF_OPENROUTER = new Map([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['google', 'gemini'],
]);

/** @param {any} model @returns {Entry | undefined} */
function openRouterEntry({ id, context_length: window, top_provider: top, pricing }) {
  const [vendor = '', name = ''] = isText(id) ? id.split('/') : [];
  const provider = OF_OPENROUTER.get(vendor);
  // What follows a colon is a variant with a price of its own, such as `:free`.
  if (provider === undefined || name === '' || name.includes(':')) return undefined;
  const price = priceOf(pricing ?? {});
  return {
    provider,
    // Anthropic writes versions with a dash, OpenRouter with a dot.
    id: provider === 'anthropic' ? name.replaceAll('.', '-') : name,
    ...sizes(window, top?.max_completion_tokens),
    ...(price === undefined ? {} : { price }),
  };
}

/**
 * OpenRouter's prices are text in US dollars per token; negative where they depend on something.
 * @param {any} pricing
 */
function priceOf(pricing) {
  /** @param {string} field */
  const dollars = (field) => (isText(pricing[field]) && Number(pricing[field]) >= 0 ? Number((Number(pricing[field]) * 1_000_000).toFixed(6)) : undefined);
  const [input, output] = [dollars('prompt'), dollars('completion')];
  if (input === undefined || output === undefined) return undefined;
  const [cacheRead, cacheWrite] = [dollars('input_cache_read'), dollars('input_cache_write')];
  return { input, output, ...(cacheRead === undefined ? {} : { cacheRead }), ...(cacheWrite === undefined ? {} : { cacheWrite }) };
}

/** @param {any} model @returns {Entry | undefined} */
function anthropicEntry({ id, lifecycle, max_input_tokens: window, max_tokens: output, capabilities }) {
  if (!isText(id) || lifecycle === 'retired') return undefined;
  const efforts = ['low', 'medium', 'high', 'xhigh', 'max'].filter((effort) => capabilities?.effort?.[effort]?.supported === true);
  return {
    provider: 'anthropic',
    id: id.replace(/-20\d{6}$/, ''),
    ...sizes(window, output),
    ...(efforts.length === 0 ? {} : { efforts: ['off', ...efforts] }),
  };
}

/** @param {any} model @returns {Entry | undefined} */
function geminiEntry({ name, inputTokenLimit: window, outputTokenLimit: output, supportedGenerationMethods: methods }) {
  if (!isText(name) || !Array.isArray(methods) || !methods.includes('generateContent')) return undefined;
  return { provider: 'gemini', id: name.replace(/^models\//, ''), ...sizes(window, output) };
}

/** @param {unknown} window @param {unknown} output */
function sizes(window, output) {
  return { ...(typeof window === 'number' ? { window } : {}), ...(typeof output === 'number' ? { output } : {}) };
}

/** @param {unknown} value @returns {value is string} */
function isText(value) {
  return typeof value === 'string' && value !== '';
}
