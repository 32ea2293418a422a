import { CONFIG_LAYERS, type ConfigLayer, type ConfigOrigin } from '../domain/config/origin.js';

/** What a file defines under a name. */
interface Named {
  readonly name: string;
  readonly origin: ConfigOrigin;
}

/** The definition of a layer that counts, and those of the same name and layer that do not. */
export interface LayerChoice<T> {
  readonly first: T;
  readonly others: readonly T[];
  /** `layer:name`, which means this one whatever others there are. */
  readonly qualifiedName: string;
}

/** Definitions of one name. */
export interface Rivals<T> {
  readonly key: string;
  /** The strongest layer first; at least one. */
  readonly layers: readonly [LayerChoice<T>, ...LayerChoice<T>[]];
}

/**
 * Sorts out definitions of the same name (decision 33): that of the stronger layer goes before those of weaker ones, which are reached
 * as `layer:name`. In one layer, that of the workspace folder itself counts, then the nearest one, then the first in the order of
 * paths, and the others do not.
 * @param keyOf what names are compared by
 */
export function chooseByName<T extends Named>(all: readonly T[], keyOf: (name: string) => string): readonly Rivals<T>[] {
  const byName = new Map<string, T[]>();
  for (const each of all) {
    const rivals = byName.get(keyOf(each.name));
    if (rivals === undefined) byName.set(keyOf(each.name), [each]);
    else rivals.push(each);
  }
  return [...byName].flatMap(([key, rivals]): readonly Rivals<T>[] => {
    const [strongest, ...weaker] = CONFIG_LAYERS.flatMap((layer) => layerChoice(rivals, layer));
    return strongest === undefined ? [] : [{ key, layers: [strongest, ...weaker] }];
  });
}

/** By code units, so that the order is the same on every machine. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function layerChoice<T extends Named>(rivals: readonly T[], layer: ConfigLayer): readonly LayerChoice<T>[] {
  const [first, ...others] = rivals.filter(({ origin }) => origin.layer === layer).sort(byPath);
  return first === undefined ? [] : [{ first, others, qualifiedName: `${layer}:${first.name}` }];
}

function byPath({ origin: a }: Named, { origin: b }: Named): number {
  return (a.distance ?? 0) - (b.distance ?? 0) || compareNames(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0);
}
