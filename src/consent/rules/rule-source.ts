import type { RuleEffect } from '../../domain/tool/permission.js';

/**
 * Place of a list of rules. `machine` is what a remote machine has for all its users; `container` is the same
 * where the workspace itself can have written it, as a dev container's description does. The others are settings files that are not VS Code's:
 * `file` is one of a workspace folder, such as `.claude/settings.json`, `local` the one of them for what only the user has there, `userFile`
 * one of the user, `flag` the settings of the command line, and `managed` the file of the organization.
 */
export type RulePlace = 'user' | 'machine' | 'container' | 'workspace' | 'folder' | 'file' | 'local' | 'userFile' | 'flag' | 'managed';

/** The rules of one settings file as they are written, not yet checked. */
export interface RuleSource {
  readonly place: RulePlace;
  /** Address of the workspace file or folder, or of the settings file; what consent is bound to. */
  readonly id: string;
  /** Display name, such as “the settings of this workspace”. */
  readonly label: string;
  readonly lists: Readonly<Record<RuleEffect, unknown>>;
}

/** Change of a list of rules: some are added at its end, or every entry that is written like this one is removed. */
export type ListChange = { readonly add: readonly string[] } | { readonly remove: unknown };

/** The settings with rules. */
export interface RuleSettings {
  /** All sources, the user's own first; one without any rule too, so that a rule can be added to it. */
  sources(): readonly RuleSource[];
  /**
   * Changes a list of a source, as it is by now.
   * @throws Error when the settings cannot be written.
   */
  change(source: RuleSource, effect: RuleEffect, change: ListChange): Promise<void>;
}

/** Places of settings files that are not VS Code's. */
const FILES: ReadonlySet<RulePlace> = new Set(['file', 'local', 'userFile', 'flag', 'managed']);
/** Places that only the user or an administrator can write. */
const OWN: ReadonlySet<RulePlace> = new Set(['user', 'machine', 'userFile', 'flag', 'managed']);
/** Places whose rules are not Gnomon's to change: extensions cannot, the organization decides, or it stands on the command line. */
const FIXED: ReadonlySet<RulePlace> = new Set(['machine', 'container', 'flag', 'managed']);

/** A list after a change. */
export function changedList(list: readonly unknown[], change: ListChange): readonly unknown[] {
  if ('add' in change) return [...list, ...change.add];
  const removed = JSON.stringify(change.remove);
  return list.filter((entry) => JSON.stringify(entry) !== removed);
}

/** Whether a source is a settings file that is not VS Code's. */
export function isFile({ place }: Pick<RuleSource, 'place'>): boolean {
  return FILES.has(place);
}

/** Whether an entry can be removed. What files have instead of a text is only known by its type. */
export function canBeChanged(source: Pick<RuleSource, 'place'>, written: unknown): boolean {
  return !FIXED.has(source.place) && (!isFile(source) || typeof written === 'string');
}

/** Full name of the setting with the rules of an effect. */
export function settingOf(source: Pick<RuleSource, 'place'>, effect: RuleEffect): string {
  return isFile(source) ? `permissions.${effect}` : `gnomon.permissions.${effect}`;
}

/** Whether a source may have been written by another than the user: what it allows needs consent. */
export function isForeign({ place }: RuleSource): boolean {
  return !OWN.has(place);
}
