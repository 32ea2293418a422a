import { CONFIG_LAYERS, type ConfigLayer, type ConfigOrigin, type Overridden } from '../domain/config/origin.js';
import type { ConfigProblem } from '../domain/config/problem.js';
import { t } from '../domain/l10n.js';

/** A named definition of a file. */
interface Named {
  readonly name: string;
  readonly origin: ConfigOrigin;
  /** The mode of another program that it is for: it counts less than what is for all work. */
  readonly mode?: string;
}

/** A definition that is reached by another name than its own. */
export interface Qualified<T> {
  readonly definition: T;
  readonly qualifiedName: string;
}

/** The definition of a layer that counts, and those of the same name and layer that do not. */
export interface LayerChoice<T> {
  readonly first: T;
  /** Those of folders below the workspace folder, and those for a mode, each of which is reached by its folder or mode: `web:name`. */
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
 * Resolves definitions of the same name, so that each can still be used by some name: that of the stronger layer goes before those of weaker ones, which
 * are reached as `layer:name`. In one layer, what is for all work counts more than what is for a mode; then that of the workspace folder itself counts,
 * then the nearest one above, then the nearest one below, then the first in the order of paths. Those of folders below are reached as `folder:name`
 * (code.claude.com/docs/en/skills), those for a mode as `mode:name`, and the others do not count.
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
    const [strongest, ...weaker] = CONFIG_LAYERS.flatMap((layer) =>
      layerChoice(
        rivals.filter(({ origin }) => origin.layer === layer),
        layer,
        isTaken,
      ),
    );
    return strongest === undefined ? [] : [{ key, layers: [strongest, ...weaker] }];
  });
}

/** Name by which a usable definition is reached. */
export interface Reached {
  /** Its name, or the qualified one where another definition has that name and counts more. */
  readonly name: string;
  /** `layer:name`, or `folder:name`, which means this one whatever others there are. */
  readonly qualifiedName: string;
  /** Those of the same name that lost against it, and why; none for those that lost themselves. */
  readonly overridden: readonly Overridden[];
}

/** Texts for users about definitions of one name. */
export interface RivalWords<T> {
  /** Display name of its place. */
  readonly placeOf: (definition: T) => string;
  /** Sentence about a definition that is overridden by a stronger one, with its qualified name. */
  readonly reachedAs: (stronger: string, qualifiedName: string) => string;
  /** Why one is not used at all. */
  readonly clash: (used: T, unused: T) => ConfigProblem;
}

/**
 * All definitions that can be used: those that have their name first, then those that are reached by their qualified names; each in the order of
 * names. The problems list the others.
 */
export function reachedByName<T extends Named>(
  all: readonly T[],
  keyOf: (name: string) => string,
  { placeOf, reachedAs, clash }: RivalWords<T>,
): { readonly reached: readonly (Reached & { readonly definition: T })[]; readonly problems: readonly ConfigProblem[] } {
  const rivals = chooseByName(all, keyOf);
  const reached = rivals.flatMap(({ layers }) => {
    const [{ first, others, qualifiedName }, ...weaker] = layers;
    const below = [...layers.flatMap((layer) => layer.below), ...weaker.map((layer) => ({ definition: layer.first, qualifiedName: layer.qualifiedName }))];
    const place = placeOf(first);
    const overridden = [
      ...others.map(({ origin }) => ({ origin, why: t('{0} has the same name and comes first.', place) })),
      ...below.map((loser) => ({ origin: loser.definition.origin, why: reachedAs(place, loser.qualifiedName) })),
    ];
    return [
      { definition: first, name: first.name, qualifiedName, overridden },
      ...below.map((loser) => ({ ...loser, name: loser.qualifiedName, overridden: [] })),
    ];
  });
  const isQualified = ({ name, definition }: (typeof reached)[number]): number => Number(name !== definition.name);
  return {
    reached: reached.sort((a, b) => isQualified(a) - isQualified(b) || compareNames(a.name, b.name)),
    problems: rivals.flatMap(({ layers }) => layers.flatMap(({ first, others }) => others.map((loser) => clash(first, loser)))),
  };
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
    const part = partOf(each);
    const name = `${part}:${each.name}`;
    if (part === '' || below.has(name) || isTaken(name)) return true;
    below.set(name, each);
    return false;
  });
  return [{ first, below: [...below].map(([qualifiedName, definition]) => ({ definition, qualifiedName })), others, qualifiedName: `${layer}:${first.name}` }];
}

/**
 * The mode that a definition is for, or the folder below the workspace folder that it is from, with colons; empty for others, and where that would
 * mean something else.
 */
function partOf({ mode, origin: { display, distance } }: Named): string {
  const names = distance === undefined ? [] : display.split('/');
  const above = [
    ...names.slice(
      0,
      names.findIndex((name) => name.startsWith('.')),
    ),
    ...(mode === undefined ? [] : [mode]),
  ];
  // No definitions come from the command line, so that a folder can be called like that.
  const isLayer = CONFIG_LAYERS.some((layer) => layer !== 'flag' && layer === above[0]?.toLowerCase());
  return isLayer || above.some((name) => !/^[\p{L}\p{N}_.-]+$/u.test(name)) ? '' : above.join(':');
}

/** Folders above are there for all of the workspace folder, those below for a part of it. */
function sideOf({ distance, display }: ConfigOrigin): number {
  return distance === undefined ? 0 : display.startsWith('../') ? 1 : 2;
}

function byPath({ origin: a, mode: modeOfA }: Named, { origin: b, mode: modeOfB }: Named): number {
  const byMode = Number(modeOfA !== undefined) - Number(modeOfB !== undefined);
  return byMode || sideOf(a) - sideOf(b) || (a.distance ?? 0) - (b.distance ?? 0) || compareNames(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0);
}
