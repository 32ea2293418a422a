import { type ConfigOrigin, isFromRepository } from '../../domain/config/origin.js';
import type { EffectiveValue } from '../../domain/config/effective-value.js';
import { t } from '../../domain/l10n.js';
import { present } from '../../domain/present.js';
import { MODE_SETTING, NO_MODEL_ALLOWED, onlyNarrows, type SettingKey } from './setting-keys.js';

/** A value that a layer has for a setting. */
export interface Candidate {
  readonly origin: ConfigOrigin;
  readonly value: unknown;
  /** Whether the file said so before it became invalid: of that, only what is stricter counts. */
  readonly isFromBefore?: true;
}

/** Effective value of a setting, and all permitted values, the strongest first. */
export interface Choice extends EffectiveValue {
  readonly permitted: readonly Candidate[];
}

/** Context of {@link chooseValue}. */
export interface ChoiceContext {
  /** The default value. */
  readonly usual: unknown;
  /** Whether the workspace is trusted. */
  readonly trusted: boolean;
  /** Display name of the place that disables the mode `bypassPermissions`; absent for none. */
  readonly bypassDisabledBy?: string;
}

/**
 * Merges the values of one setting from two layers. Nothing and `null` leave it to the other layer; objects are merged by
 * their keys, lists are put behind each other without what is in them already; of all else, the stronger value counts. Both have
 * the shape of the setting, so that a list meets no number.
 */
export function mergeValues(stronger: unknown, weaker: unknown): unknown {
  if (stronger === undefined || stronger === null) return weaker ?? undefined;
  if (weaker === undefined || weaker === null) return stronger;
  if (Array.isArray(stronger) && Array.isArray(weaker)) return withoutRepeated([...(stronger as unknown[]), ...(weaker as unknown[])]);
  if (!isRecord(stronger) || !isRecord(weaker)) return stronger;
  const names = [...new Set([...Object.keys(stronger), ...Object.keys(weaker)])];
  // Not by assignment, with which `__proto__` would be no key like others.
  return Object.fromEntries(names.map((name) => [name, mergeValues(own(stronger, name), own(weaker, name))]));
}

/**
 * What is in both lists, which may be nothing, where an item also names all whose first part it is: `a` those that begin with `a/`. An empty list, as the
 * setting has it by default, limits nothing.
 */
export function inAll(stronger: unknown, weaker: unknown): unknown {
  const [some, others] = [listOf(stronger), listOf(weaker)];
  if (some.length === 0 || others.length === 0) return some.length === 0 ? others : some;
  const isIn = (item: unknown, list: readonly unknown[]): boolean => list.some((each) => each === item || String(item).startsWith(`${String(each)}/`));
  const both = withoutRepeated([...some.filter((item) => isIn(item, others)), ...others.filter((item) => isIn(item, some))]);
  return both.length === 0 ? NO_MODEL_ALLOWED : both;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Whether the values of several layers count together. */
function isMerged(value: unknown): boolean {
  return Array.isArray(value) || isRecord(value);
}

function withoutRepeated(items: readonly unknown[]): readonly unknown[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Decides what counts of a setting: the strongest value that is permitted, or the strictest one. What a workspace, or a file of another program, may only make
 * stricter is compared with what the user has without it.
 * @param candidates the strongest first
 */
export function chooseValue(key: SettingKey, candidates: readonly Candidate[], context: ChoiceContext): Choice {
  const { usual, trusted } = context;
  const given = candidates.filter(({ value }) => value !== undefined && value !== null);
  const users = valueOfUser(
    key,
    given.filter((candidate) => disabled(key, candidate, context) === undefined),
    context,
  );
  const judged = given.map((candidate) => ({ ...candidate, refusal: disabled(key, candidate, context) ?? refusalOf(key, candidate, { users, trusted }) }));
  const permitted = inOrder(
    key,
    judged.filter(({ refusal }) => refusal === undefined),
  );
  const [winner] = permitted;
  const merge = key.allHold === true ? inAll : mergeValues;
  const value = permitted.map((each) => each.value).reduceRight<unknown>((weaker, stronger) => merge(stronger, weaker), undefined);
  return {
    key: key.setting,
    value: winner === undefined ? usual : value,
    ...present({ origin: winner?.origin }),
    overridden: judged
      .filter((each) => each !== winner)
      .map(({ origin, value: lost, refusal }) => ({
        origin,
        value: lost,
        why: refusal ?? (key.allHold === true ? t('Holds, too.') : overriddenBy(winner?.origin, lost)),
      })),
    permitted: permitted.map(({ refusal: _none, ...candidate }) => candidate),
  };
}

/** The values in the order in which they count. */
function inOrder<T extends Candidate>({ strictestCounts, isAsStrict }: SettingKey, permitted: readonly T[]): readonly T[] {
  if (strictestCounts !== true || isAsStrict === undefined) return permitted;
  return [...permitted].sort((a, b) => Number(isAsStrict(b.value, a.value)) - Number(isAsStrict(a.value, b.value)));
}

/** Why a mode is unavailable, wherever it was set. */
function disabled({ setting }: SettingKey, { value }: Candidate, { bypassDisabledBy }: ChoiceContext): string | undefined {
  return setting === MODE_SETTING && value === 'bypassPermissions' && bypassDisabledBy !== undefined
    ? t('This mode is disabled in {0}.', bypassDisabledBy)
    : undefined;
}

/** The user's own value, on the command line or else in their files, without those of the workspace and the organization. */
function valueOfUser(key: SettingKey, given: readonly Candidate[], { usual, trusted }: ChoiceContext): unknown {
  const ofUser = given.filter(({ origin }) => origin.layer === 'user' || origin.layer === 'flag');
  const users = ofUser.find(({ origin, isFromBefore }) => !onlyNarrows(origin) && isFromBefore !== true)?.value ?? usual;
  return ofUser.find((candidate) => refusalOf(key, candidate, { users, trusted }) === undefined)?.value ?? users;
}

/** Why a value does not count whatever else there is; `undefined` for one that may. */
function refusalOf(
  key: SettingKey,
  { origin, value, isFromBefore }: Candidate,
  { users, trusted }: { readonly users: unknown; readonly trusted: boolean },
): string | undefined {
  if (isFromBefore === true && key.isAsStrict?.(value, users) !== true)
    return t('The file cannot be read. Until it is fixed, only what it makes stricter counts.');
  if (!onlyNarrows(origin)) return undefined;
  if (key.workspace === 'stricter') return key.isAsStrict?.(value, users) === true ? undefined : widening(key, value, origin);
  if (key.workspace === 'never')
    return isFromRepository(origin)
      ? t('A workspace cannot set this.')
      : t('{0} is of another program. Set this in {1}.', origin.display, '~/.gnomon/settings.json');
  return trusted || !isFromRepository(origin) ? undefined : t('The workspace is not trusted.');
}

function widening({ setting }: SettingKey, value: unknown, origin: ConfigOrigin): string {
  if (!isFromRepository(origin)) return t('What {0} permits is meant for another program. It can only make this stricter for Gnomon.', origin.display);
  return setting === MODE_SETTING && value === 'bypassPermissions'
    ? t('A workspace cannot bypass permissions.')
    : t('A workspace can only make this stricter than you have it.');
}

function overriddenBy(winner: ConfigOrigin | undefined, lost: unknown): string {
  return isMerged(lost) ? t('Added to what stronger places have.') : t('Overridden by {0}.', winner?.display ?? '');
}
