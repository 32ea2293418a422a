/** Makes the catalog from the facts that are kept by hand and from the lists of the providers. */

/**
 * @typedef {import('./lists.mjs').List} List
 * @typedef {import('./lists.mjs').Entry} Entry
 *
 * @typedef {object} Fact A model that is offered. Each group of facts names the source that it is `from`.
 * @property {string} provider
 * @property {string} id
 * @property {string} label
 * @property {{ window: number, output: number, from: string }} sizes in tokens
 * @property {{ can: string[], from: string }} abilities
 * @property {{ values: string[], from: string }} [efforts] where the provider's API does not say so by the id
 * @property {{ input?: number, output?: number, cacheRead?: number, cacheWrite?: number, varies?: string, from: string }} price
 *   in US dollars per million tokens; `varies` where there is more than one, so that one number would be wrong
 *
 * @typedef {object} Facts What is kept by hand: pages with their addresses and the day or month of reading, and the models in the order of the menu.
 * @property {Record<string, { url: string, date: string }>} sources
 * @property {Fact[]} models
 *
 * @typedef {object} CatalogModel
 * @property {string} provider
 * @property {string} id
 * @property {string} label
 * @property {number} window
 * @property {number} output
 * @property {string[]} can
 * @property {string[]} [efforts]
 * @property {{ input: number, output: number, cacheRead?: number, cacheWrite?: number, date: string }} [price]
 *
 * @typedef {object} Catalog
 * @property {string} about
 * @property {string} made
 * @property {Record<string, { date: string, count: number }>} lists those that it was made from
 * @property {CatalogModel[]} models sorted by provider, within one as the facts have them
 */

/** The list that has prices, of other providers' models too. */
const MARKET = 'openrouter';

/**
 * @param {Facts} facts
 * @param {readonly List[]} lists
 * @param {string} made today, as YYYY-MM-DD
 * @returns {Catalog}
 */
export function mergeCatalog(facts, lists, made) {
  const models = facts.models.map((fact) => modelOf(fact, facts, lists));
  const dates = Object.values(facts.sources)
    .map(({ date }) => date)
    .sort();
  const from = lists.length === 0 ? 'no list of a provider, only from' : `${lists.map(({ name }) => name).join(', ')} and`;
  return {
    about: `Made by "npm run catalog" from ${from} scripts/catalog/facts.json, whose facts are of ${dates[0] ?? 'no date'} to ${dates.at(-1) ?? 'no date'}. Change those and run it again.`,
    made,
    lists: Object.fromEntries(lists.map(({ name, date, count }) => [name, { date, count }])),
    models: [...models].sort((a, b) => (a.provider < b.provider ? -1 : a.provider > b.provider ? 1 : 0)),
  };
}

/**
 * The provider's own list knows sizes and efforts better than a page that was read once. A price is the newer one of that
 * page and OpenRouter's.
 * @param {Fact} fact
 * @param {Facts} facts
 * @param {readonly List[]} lists
 * @returns {CatalogModel}
 */
function modelOf({ provider, id, label, sizes, abilities, efforts, price }, { sources }, lists) {
  const own = entryIn(lists, provider, provider, id);
  const values = own?.efforts ?? efforts?.values;
  const known = priceIn(price, dateOf(sources, price.from));
  const market = lists.find(({ name }) => name === MARKET);
  const newer =
    price.varies === undefined && market !== undefined && market.date > dateOf(sources, price.from) ? entryIn(lists, MARKET, provider, id)?.price : undefined;
  const best = newer === undefined || market === undefined ? known : { ...known, ...newer, date: market.date };
  return {
    provider,
    id,
    label,
    window: own?.window ?? sizes.window,
    output: own?.output ?? sizes.output,
    can: abilities.can,
    ...(values === undefined ? {} : { efforts: values }),
    ...(best === undefined ? {} : { price: best }),
  };
}

/** @param {readonly List[]} lists @param {string} name @param {string} provider @param {string} id */
function entryIn(lists, name, provider, id) {
  return lists.find((list) => list.name === name)?.entries.find((entry) => entry.provider === provider && entry.id === id);
}

/** @param {Fact['price']} price @param {string} date */
function priceIn({ input, output, cacheRead, cacheWrite }, date) {
  if (input === undefined || output === undefined) return undefined;
  return { input, output, ...(cacheRead === undefined ? {} : { cacheRead }), ...(cacheWrite === undefined ? {} : { cacheWrite }), date };
}

/** @param {Facts['sources']} sources @param {string} from */
function dateOf(sources, from) {
  const source = sources[from];
  if (source === undefined) throw new Error(`facts.json: the source "${from}" is not described.`);
  return source.date;
}

/**
 * What the lists have of providers in the catalog, and it has not: for whoever keeps the facts.
 * @param {Catalog} catalog
 * @param {readonly List[]} lists
 * @returns {string[]}
 */
export function missingModels({ models }, lists) {
  const known = new Set(models.map(({ provider, id }) => `${provider}/${id}`));
  const listed = lists.flatMap(({ entries }) => entries.map(({ provider, id }) => `${provider}/${id}`));
  return [...new Set(listed)].filter((name) => !known.has(name)).sort();
}
