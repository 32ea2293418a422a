import { type ModelWish, type WantedModel, modelWish } from '../config/agents/model-wish.js';
import { type ModelInfo, priceOf } from '../domain/model/provider.js';
import { modelKey } from '../domain/model/model-key.js';
import type { CatalogEntry } from './catalog.js';

/** Result of resolving a model name as files of other programs write it: by an agent, a settings file, or for the turn of a command. */
export type WantedModelAnswer =
  /** None in particular: that of the chat. */
  | { readonly type: 'inherit' }
  /** One that is chosen for each task. */
  | { readonly type: 'auto' }
  /** This one, as `provider/model`. */
  | { readonly type: 'model'; readonly key: string }
  /** One that there is not. */
  | { readonly type: 'missing'; readonly wanted: string };

/**
 * Finds the model that an agent or a settings file asks for among those there are. Of several that fit, that of the provider of the chat's
 * model counts, so that an agent does not move a chat to another provider without need.
 * @param current the model of the chat; `undefined` where there is no chat yet
 */
export function wantedModel(written: string | undefined, current: ModelInfo | undefined, entries: readonly CatalogEntry[]): WantedModelAnswer {
  const wish = modelWish(written);
  if (wish.type === 'inherit' || wish.type === 'auto') return { type: wish.type };
  const all = entries.flatMap(({ source, models }) => models.map((model) => ({ source, model })));
  const ordered = [...all.filter(({ model }) => model.provider === current?.provider), ...all.filter(({ model }) => model.provider !== current?.provider)];
  const found = search(wish, current, ordered);
  return found === undefined ? { type: 'missing', wanted: written ?? '' } : { type: 'model', key: modelKey(found) };
}

type Listed = { readonly source: CatalogEntry['source']; readonly model: ModelInfo };

function search(wish: Exclude<ModelWish, { type: 'inherit' | 'auto' }>, current: ModelInfo | undefined, all: readonly Listed[]): ModelInfo | undefined {
  switch (wish.type) {
    case 'family':
      return newest(all, ({ id }) => new RegExp(`\\bclaude\\b.*\\b${wish.family}\\b`).test(id));
    case 'fast':
      return cheapest(current === undefined ? all : all.filter(({ model }) => isBeside(model, current)));
    case 'models':
      return wish.models.map((wanted) => all.find((listed) => isNamed(wanted, listed))?.model).find((model) => model !== undefined);
  }
}

/** Of the first provider that has one, that with the highest version in its name. */
function newest(all: readonly Listed[], fits: (model: ModelInfo) => boolean): ModelInfo | undefined {
  const fitting = all.map(({ model }) => model).filter(fits);
  const own = fitting.filter(({ provider }) => provider === fitting[0]?.provider);
  return own.sort((a, b) => b.id.localeCompare(a.id, 'en', { numeric: true }))[0];
}

/** Tokens of a window in which some files have room, with what was found in them. */
const ROOM = 100_000;

/**
 * Whether the provider of a model has another one that the same company makes: what a gateway sends elsewhere, others would read. One that costs nothing but
 * for a server on this machine is paid for in another way.
 */
function isBeside(model: ModelInfo, current: ModelInfo): boolean {
  const makerOf = ({ id }: ModelInfo): string => (id.includes('/') ? id.slice(0, id.indexOf('/')) : '');
  const price = priceOf(model);
  const isPaid = model.onThisMachine === true || price === undefined || price.input + price.output > 0 || model.id === current.id;
  return model.provider === current.provider && makerOf(model) === makerOf(current) && isPaid && (model.contextWindow === 0 || model.contextWindow >= ROOM);
}

function cheapest(all: readonly Listed[]): ModelInfo | undefined {
  const priced = all.flatMap(({ model }) => {
    // What works for a chat reads files: without tools it could not.
    const price = model.supportsTools ? priceOf(model) : undefined;
    return price === undefined ? [] : [{ model, price: price.input + price.output }];
  });
  return priced.sort((a, b) => a.price - b.price)[0]?.model;
}

function isNamed({ name, vendor }: WantedModel, { source, model }: Listed): boolean {
  if (
    vendor !== undefined &&
    ![source.id, source.label, model.provider].some((each) => same(each, vendor)) &&
    !model.id.toLowerCase().startsWith(`${vendor.toLowerCase()}/`)
  )
    return false;
  return [model.id, modelKey(model), model.label, model.id.slice(model.id.indexOf('/') + 1)].some((each) => same(each, name));
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
