import { CONFIG_LAYERS, type ConfigLayer, type ConfigOrigin } from '../domain/config/origin.js';

/** What a file defines under a name. */
interface Named {
  readonly name: string;
  readonly origin: ConfigOrigin;
}

/** A definition that is reached by another name than its own. */
export interface Qualified<T> {
  readonly definition: T;
  readonly qualifiedName: string;
}

/** The definition of a layer that counts, and those of the same name and layer that do not. */
export interface LayerChoice<T> {
  readonly first: T;
  /** Those of folders below the workspace folder, each of which is reached by the path of its folder: `web:name`. */
  readonly below: readonly Qualified<T>[];
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
 * as `layer:name`. In one layer, that of the workspace folder itself counts, then the nearest one above, then the nearest one below,
 * then the first in the order of paths; those of folders below are reached as `folder:name` (code.claude.com/docs/en/skills), and the others do not count.
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
    const isTaken = (name: string): boolean => byName.has(keyOf(name));
    const [strongest, ...weaker] = CONFIG_LAYERS.flatMap((layer) => layerChoice(rivals.filter(({ origin }) => origin.layer === layer), layer, isTaken));
    return strongest === undefined ? [] : [{ key, layers: [strongest, ...weaker] }];
  });
}

/** By code units, so that the order is the same on every machine. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** @param isTaken whether something has a name, so that it means that */
function layerChoice<T extends Named>(rivals: readonly T[], layer: ConfigLayer, isTaken: (name: string) => boolean): readonly LayerChoice<T>[] {
  const [first, ...rest] = [...rivals].sort(byPath);
  if (first === undefined) return [];
  const below = new Map<string, T>();
  const others = rest.filter((each) => {
    const folder = folderOf(each.origin);
    const name = `${folder}:${each.name}`;
    if (folder === '' || below.has(name) || isTaken(name)) return true;
    below.set(name, each);
    return false;
  });
  return [{ first, below: [...below].map(([qualifiedName, definition]) => ({ definition, qualifiedName })), others, qualifiedName: `${layer}:${first.name}` }];
}

/** The folder below the workspace folder that a definition is from, with colons; empty for others, and where that would mean something else. */
function folderOf({ display, distance }: ConfigOrigin): string {
  const names = distance === undefined ? [] : display.split('/');
  const above = names.slice(0, names.findIndex((name) => name.startsWith('.')));
  const isLayer = CONFIG_LAYERS.some((layer) => layer === above[0]?.toLowerCase());
  return isLayer || above.some((name) => !/^[\p{L}\p{N}_.-]+$/u.test(name)) ? '' : above.join(':');
}

/** Folders above are there for all of the workspace folder, those below for a part of it. */
function sideOf({ distance, display }: ConfigOrigin): number {
  return distance === undefined ? 0 : display.startsWith('../') ? 1 : 2;
}

function byPath({ origin: a }: Named, { origin: b }: Named): number {
  return sideOf(a) - sideOf(b) || (a.distance ?? 0) - (b.distance ?? 0) || compareNames(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0);
}
