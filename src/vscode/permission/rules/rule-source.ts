import type { RuleEffect } from '../../../domain/tool/permission.js';

/**
 * Whose settings a list of rules is in. `machine` is what a remote machine has for all its users; `container` is the same
 * where the workspace itself can have written it, as a dev container's description does. `file` is a settings file of a workspace
 * folder that is not VS Code's, such as `.claude/settings.json`, and `userFile` one of the user or the organization.
 */
export type RulePlace = 'user' | 'machine' | 'container' | 'workspace' | 'folder' | 'file' | 'userFile';

/** The rules of one settings file as they are written, not yet checked. */
export interface RuleSource {
  readonly place: RulePlace;
  /** Address of the workspace file or folder; what consent is bound to. */
  readonly id: string;
  /** Display name, such as “the settings of this workspace”. */
  readonly label: string;
  readonly lists: Readonly<Record<RuleEffect, unknown>>;
}

/** The settings with rules. */
export interface RuleSettings {
  /** All sources, the user's own first; one without any rule too, so that a rule can be added to it. */
  sources(): readonly RuleSource[];
  /**
   * Replaces a list of a source.
   * @throws Error when the settings cannot be written.
   */
  write(source: RuleSource, effect: RuleEffect, list: readonly unknown[]): Promise<void>;
}

/** Full name of the setting with the rules of an effect. */
export function settingOf({ place }: Pick<RuleSource, 'place'>, effect: RuleEffect): string {
  return place === 'file' || place === 'userFile' ? `permissions.${effect}` : `gnomon.permissions.${effect}`;
}

/** Whether a source may have been written by another than the user: what it allows needs consent. */
export function isForeign({ place }: RuleSource): boolean {
  return place !== 'user' && place !== 'machine' && place !== 'userFile';
}
