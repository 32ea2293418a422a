import { git, partsOf } from '../edits/git/git-command.js';

/** No program that a repository names takes part in a comparison. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];
/** Which changes: since the last commit, those that are staged, those that are not. */
const COMPARED = { all: ['HEAD'], staged: ['--cached'], unstaged: [] } as const;

/** What is compared. */
export type DiffScope = keyof typeof COMPARED;

/** Names of the files below a folder that have changed, relative to it. @throws Error when git cannot tell. */
export async function changedNames(folder: string, scope: DiffScope): Promise<readonly string[]> {
  return partsOf(await git(folder, ['diff', ...COMPARED[scope], '--name-only', '-z', '--relative', ...PLAIN, '--', '.']));
}

/** Names of the files below a folder that git does not know yet, relative to it. @throws Error when git cannot tell. */
export async function newNames(folder: string): Promise<readonly string[]> {
  return partsOf(await git(folder, ['ls-files', '--others', '--exclude-standard', '-z', '--', '.']));
}

/** The changes of some files below a folder as a comparison. @throws Error when git cannot tell. */
export async function diffOf(folder: string, scope: DiffScope, names: readonly string[]): Promise<string> {
  if (names.length === 0) return '';
  const files = names.map((name) => `:(literal)${name}`);
  return (await git(folder, ['diff', ...COMPARED[scope], '--relative', ...PLAIN, '--', ...files])).toString('utf8');
}
