import { t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';

/** Names of the commands that are always there, without their slashes: no file can take them. */
export const BUILT_IN_NAMES: readonly string[] = ['compact', 'clear', 'model', 'mode', 'agent', 'config', 'export', 'help'];

/** Characters of a name, with the folders in it. */
const MAX_NAME = 100;
/** A part of a name: between two colons. */
const PART = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;
/** Qualifiers of commands, which folders of the same name cannot be mistaken for. */
export const QUALIFIERS: readonly string[] = ['managed', 'local', 'project', 'user'];

/**
 * The name of a command by its file: `git/commit.md` is `git:commit`. Spaces become hyphens.
 * @param path relative to the folder of commands, with slashes
 */
export function nameOfCommand(path: string): string {
  return path
    .replace(/(?:\.prompt)?\.md$/i, '')
    .split('/')
    .map((part) => part.trim().replace(/\s+/g, '-'))
    .join(':');
}

/** Why a command cannot have a name; `undefined` when it can. */
export function commandNameProblem(name: string): string | undefined {
  if (name.length > MAX_NAME) return t('The name of the command has more than {0} characters.', MAX_NAME);
  const parts = name.split(':');
  if (!parts.every((part) => PART.test(part)))
    return t('A command cannot have the name “{0}”. Names consist of letters, digits, dots, hyphens, and underscores.', shownName(name));
  const [first = ''] = parts;
  if (parts.length > 1 && QUALIFIERS.includes(first.toLowerCase()))
    return t('Commands in a folder “{0}” cannot be used, because /{0}:name means something else. Rename the folder.', shownName(first));
  return undefined;
}

/** Comparison key of names. */
export function commandKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
