import { relative } from 'node:path';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { isWithin } from './within.js';

/** Whether what a link leads to may be read without a question, by its absolute path without links. */
export type LinkGuard = (real: string) => boolean | Promise<boolean>;

/** What the links of files may lead to. Both are resolved only when a link is found: most files are not links, and every message looks at all of them. */
export interface LinkReach {
  /** Folders, absolute and without links, in one of which everything has to lie; absent for files of the user, whose links lead where the user put them. */
  readonly within?: () => Promise<readonly string[]>;
  readonly mayShow: LinkGuard;
}

/** Folders in which version control keeps what it needs: addresses with passwords are there, and nothing that a link to it could be meant for. */
const OF_VERSION_CONTROL: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj']);

/**
 * Why what a link leads to is not read, as a sentence for the user; `undefined` where it is.
 * @param real absolute, without links
 */
export async function linkRefusal(real: string, { within, mayShow }: LinkReach): Promise<string | undefined> {
  const folder = (await within?.())?.find((each) => isWithin(each, real));
  if (within !== undefined && folder === undefined) return t('It is a link to {0}, outside the workspace.', escapeHidden(real));
  // What a workspace itself lies in says nothing of its files.
  const names = (folder === undefined ? real : relative(folder, real)).split(/[\\/]/);
  if ((await mayShow(real)) && !names.some((name) => OF_VERSION_CONTROL.has(name.toLowerCase()))) return undefined;
  return t('It is a link to {0}, which may contain passwords or keys, or which a permission rule excludes.', escapeHidden(real));
}
