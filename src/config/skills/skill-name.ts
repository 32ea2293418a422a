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
  if (name.startsWith('-') || name.endsWith('-') || name.includes('--'))
    return t('A skill cannot have the name “{0}”. Names neither begin nor end with a hyphen, and have no two hyphens in a row.', shownName(name));
  if (name !== folder) return t('The skill has the name “{0}”, and its folder “{1}”. Both must be the same.', shownName(name), shownName(folder));
  return undefined;
}

/**
 * The name of a skill whose own name is invalid, or differs from that of its folder: that of the folder, which Claude Code runs it by
 * (code.claude.com/docs/en/skills), in the letters of the standard; where it has none of these, in the same way its own. `undefined` where
 * neither has any. Programs are asked to warn, and to load it (agentskills.io, "Adding skills support", "Lenient validation").
 */
export function usableSkillName(names: readonly string[]): string | undefined {
  return names.map(slugOf).find((slug) => slug !== '');
}

/** Capitals and accents are taken off; a name in another alphabet has no slug, so that no two names look the same. */
function slugOf(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  if (/[\p{L}\p{N}]/u.test(letters.replace(/[a-z0-9]/g, ''))) return '';
  return letters
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MAX_NAME)
    .replace(/-$/, '');
}

/** The name of the folder that a file is in. @param file absolute, of any system */
export function folderNameOf(file: string): string {
  return file.split(/[/\\]/).at(-2) ?? '';
}
