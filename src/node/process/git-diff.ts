import { git, partsOf } from './git-command.js';
import { count, headOf, showName } from '../../text/show.js';

/** No program that a repository names takes part in a comparison. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];
/** Which changes: since the last commit, those that are staged, those that are not. */
const COMPARED = { all: ['HEAD'], staged: ['--cached'], unstaged: [] } as const;

/** What is compared. */
export type DiffScope = keyof typeof COMPARED;

/** Names of the files below a folder that have changed, relative to it. @throws Error when git fails. */
export async function changedNames(folder: string, scope: DiffScope): Promise<readonly string[]> {
  return partsOf(await git(folder, ['diff', ...COMPARED[scope], '--name-only', '-z', '--relative', ...PLAIN, '--', '.']));
}

/** Names of the files below a folder that git does not track yet, relative to it. @throws Error when git fails. */
export async function newNames(folder: string): Promise<readonly string[]> {
  return partsOf(await git(folder, ['ls-files', '--others', '--exclude-standard', '-z', '--', '.']));
}

/** The changes of some files below a folder as a unified diff. @throws Error when git fails. */
export async function diffOf(folder: string, scope: DiffScope, names: readonly string[]): Promise<string> {
  if (names.length === 0) return '';
  const files = names.map((name) => `:(literal)${name}`);
  return (await git(folder, ['diff', ...COMPARED[scope], '--relative', ...PLAIN, '--', ...files])).toString('utf8');
}

/** Characters of a comparison. */
const MAX_DIFF = 60_000;
/** Maximum number of new files that are named. */
const MAX_NEW = 100;

/** What a model is notified of changes. */
export interface ReportedChanges {
  readonly diff: string;
  /** Names of files that git does not know yet. */
  readonly added: readonly string[];
  /** How many changed files are not compared, since they may not be shown. */
  readonly hidden: number;
}

/** Formats changes for a model; empty when there are none. */
export function diffReport({ diff, added, hidden }: ReportedChanges): string {
  const cut =
    diff.length > MAX_DIFF ? `${headOf(diff, MAX_DIFF)}\n[PARTIAL: the first ${MAX_DIFF} of ${diff.length} characters. See more with git diff.]` : diff;
  const fresh = added.slice(0, MAX_NEW).map((name) => `  ${showName(name)}`);
  const parts = [
    ...(cut === '' ? [] : [cut]),
    ...(hidden === 0 ? [] : [`[${count(hidden, 'changed file')} not shown here.]`]),
    ...(fresh.length === 0
      ? []
      : [`New files that git does not know yet${added.length > MAX_NEW ? ` (the first ${MAX_NEW} of ${added.length})` : ''}:\n${fresh.join('\n')}`]),
  ];
  return parts.join('\n');
}
