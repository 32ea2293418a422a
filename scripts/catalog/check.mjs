/** What a catalog must not say, and what is different in it from the one before. */

/**
 * @typedef {import('./merge.mjs').Catalog} Catalog
 * @typedef {import('./merge.mjs').CatalogModel} CatalogModel
 */

/** No model that works on code has a smaller window, and none has a larger one, in tokens. */
const [LEAST_WINDOW, MOST_WINDOW] = [1_000, 100_000_000];
/** The highest price that is believed, in US dollars per million tokens. */
const MOST_PRICE = 1_000;
const ABILITIES = ['thinking', 'images', 'tools'];
const EFFORTS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const DATE = /^20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/;

/**
 * Why a catalog must not replace another: it lost more than half of its models or of a list, or has values that cannot be.
 * @param {Catalog} catalog
 * @param {Catalog | undefined} before
 * @returns {string[]} empty when there is nothing against it
 */
export function problemsOf(catalog, before) {
  const names = catalog.models.map(nameOf);
  const twice = names.filter((name, place) => names.indexOf(name) !== place);
  return [
    ...(catalog.models.length === 0 ? ['The catalog is empty.'] : []),
    ...(before === undefined ? [] : shrunk(catalog, before)),
    ...twice.map((name) => `${name}: it is there twice.`),
    ...catalog.models.flatMap((model) => wrongIn(model, catalog.made).map((what) => `${nameOf(model)}: ${what}`)),
  ];
}

/** @param {Catalog} catalog @param {Catalog} before */
function shrunk(catalog, before) {
  /** @param {Catalog} of @param {string} provider */
  const count = ({ models }, provider) => models.filter((model) => model.provider === provider).length;
  const providers = [...new Set(before.models.map(({ provider }) => provider))];
  const counts = [
    ...providers.map((provider) => ({ what: `The models of ${provider}`, now: count(catalog, provider), then: count(before, provider) })),
    ...Object.entries(catalog.lists).map(([name, list]) => ({ what: `The list of ${name}`, now: list.count, then: before.lists[name]?.count ?? 0 })),
  ];
  return counts.filter(({ now, then }) => now * 2 < then).map(({ what, now, then }) => `${what} went from ${then} to ${now}.`);
}

/** @param {CatalogModel} model @param {string} today */
function wrongIn({ id, label, window, output, can, efforts = [], price }, today) {
  return [
    ...(id.trim() === '' || label.trim() === '' ? ['it has no name.'] : []),
    ...(isIn(window, LEAST_WINDOW, MOST_WINDOW) ? [] : [`a window of ${window} tokens cannot be.`]),
    ...(isIn(output, 1, window - 1) ? [] : [`answers of ${output} tokens cannot be.`]),
    ...can.filter((ability) => !ABILITIES.includes(ability)).map((ability) => `“${ability}” is no ability.`),
    ...efforts
      .filter((effort, place) => !EFFORTS.includes(effort) || EFFORTS.indexOf(effort) < EFFORTS.indexOf(efforts[place - 1] ?? 'off'))
      .map((effort) => `the effort “${effort}” is unknown or out of order.`),
    ...(price === undefined ? [] : wrongPrice(price, today)),
  ];
}

/**
 * Each model of the catalog costs something: 0 is a mistake, and what is not known is left out.
 * @param {NonNullable<CatalogModel['price']>} price
 * @param {string} today
 */
function wrongPrice({ input, output, cacheRead, cacheWrite, date }, today) {
  const dollars = { input, output, ...(cacheRead === undefined ? {} : { cacheRead }), ...(cacheWrite === undefined ? {} : { cacheWrite }) };
  const wrong = Object.entries(dollars).filter(([, amount]) => !(amount > 0 && amount <= MOST_PRICE));
  return [
    ...wrong.map(([what, amount]) => `a price of ${amount} for ${what} cannot be.`),
    ...((cacheRead ?? 0) > input ? ['reading from the cache costs more than the input.'] : []),
    ...(DATE.test(date) && date <= today ? [] : [`“${date}” is not the date of a price.`]),
  ];
}

/**
 * What changed, a line for each model and property.
 * @param {Catalog | undefined} before
 * @param {Catalog} after
 * @returns {string[]}
 */
export function changesIn(before, after) {
  const old = byName(before?.models ?? []);
  const now = byName(after.models);
  const gone = [...old.keys()].filter((name) => !now.has(name)).map((name) => `- ${name}`);
  const rest = [...now].flatMap(([name, model]) => {
    const known = old.get(name);
    return known === undefined ? [`+ ${name}`] : differences(known, model).map((change) => `  ${name}: ${change}`);
  });
  return [...gone, ...rest];
}

/** @param {CatalogModel} before @param {CatalogModel} after */
function differences(before, after) {
  const keys = /** @type {const} */ (['label', 'window', 'output', 'can', 'efforts', 'price']);
  /** @param {unknown} value */
  const shown = (value) => (value === undefined ? 'unknown' : JSON.stringify(value));
  return keys.flatMap((key) => (shown(before[key]) === shown(after[key]) ? [] : [`${key} ${shown(before[key])} → ${shown(after[key])}`]));
}

/** @param {readonly CatalogModel[]} models */
function byName(models) {
  return new Map(models.map((model) => [nameOf(model), model]));
}

/** @param {CatalogModel} model */
function nameOf({ provider, id }) {
  return `${provider}/${id}`;
}

/** @param {number} value @param {number} least @param {number} most */
function isIn(value, least, most) {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}
