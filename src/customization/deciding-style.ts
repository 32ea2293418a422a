import type { OutputStyle } from '../domain/config/skill.js';
import type { NamedBySetting } from './settings.js';

/** Names that mean no style; the second one is Claude Code's. */
const NONE: readonly string[] = ['', 'default'];

/** The setting that decides about the output style, and the style; `undefined`: none. */
export interface DecidingStyle {
  readonly by: NamedBySetting;
  readonly style: OutputStyle | undefined;
}

/**
 * The first setting that names a style that there is, or that wants none; `undefined` where no setting does.
 * @param wanted the strongest first
 */
export function decidingStyle(wanted: readonly NamedBySetting[], styles: readonly OutputStyle[]): DecidingStyle | undefined {
  return wanted
    .map((by) => ({ by, style: styles.find(({ name }) => name.toLowerCase() === nameOf(by)) }))
    .find(({ by, style }) => style !== undefined || NONE.includes(nameOf(by)));
}

/** Whether the settings name no output style or turn styles off, so that no file has to be read. */
export function wantsNone([strongest]: readonly NamedBySetting[]): boolean {
  return strongest === undefined || nameOf(strongest) === '';
}

function nameOf({ name }: NamedBySetting): string {
  return name.trim().toLowerCase();
}
