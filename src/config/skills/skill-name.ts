import { t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';

/** Characters of a name. */
const MAX_NAME = 64;

/**
 * Why a skill cannot have a name; `undefined` when it can. The rules are those of agentskills.io, "Specification".
 * @param folder the name of its folder, which must be the same
 */
export function skillNameProblem(name: string, folder: string): string | undefined {
  if (name.length > MAX_NAME) return t('The name of the skill has more than {0} characters.', MAX_NAME);
  if (!/^[a-z0-9-]+$/.test(name)) return t('A skill cannot have the name “{0}”. Names consist of a–z, 0–9, and hyphens.', shownName(name));
  if (name.startsWith('-') || name.endsWith('-') || name.includes('--')) return t('A skill cannot have the name “{0}”. Names neither begin nor end with a hyphen, and have no two hyphens in a row.', shownName(name));
  if (name !== folder) return t('The skill has the name “{0}”, and its folder “{1}”. Both must be the same.', shownName(name), shownName(folder));
  return undefined;
}

/** The name of the folder that a file is in. @param file absolute, of any system */
export function folderNameOf(file: string): string {
  return file.split(/[/\\]/).at(-2) ?? '';
}
