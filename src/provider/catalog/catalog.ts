import type { ThinkingEffort } from '../../domain/model/effort.js';
import type { Pricing } from '../../domain/model/usage.js';
import catalog from './models.json';

/** What a model can do beside talking. */
export type Ability = 'thinking' | 'images' | 'tools';

/** A model of the catalog, which `npm run catalog` makes and checks: `models.json` beside this file. */
export interface CatalogModel {
  readonly provider: string;
  readonly id: string;
  readonly label: string;
  /** Tokens of input and output together. */
  readonly window: number;
  /** Tokens of an answer at most. */
  readonly output: number;
  readonly can: readonly Ability[];
  /** Its thinking efforts, where the catalog lists them. */
  readonly efforts?: readonly ThinkingEffort[];
  /** In US dollars per million tokens; absent where it is not known or there is more than one. */
  readonly price?: Price;
}

interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** The day or month when it was published, such as `2026-11-20`. */
  readonly date: string;
}

/** The models of a provider in the order of the menu, its default first. */
export function catalogModels(provider: string): readonly CatalogModel[] {
  return (catalog.models as readonly CatalogModel[]).filter((model) => model.provider === provider);
}

/** The price of a model. Where nothing is said of the cache, reading and writing it costs what any other input does. */
export function pricingOf({ price }: Pick<CatalogModel, 'price'>): { readonly pricing?: Pricing } {
  if (price === undefined) return {};
  const { input, output, cacheRead = input, cacheWrite = input, date } = price;
  return { pricing: { input, output, cacheRead, cacheWrite, asOf: date } };
}
