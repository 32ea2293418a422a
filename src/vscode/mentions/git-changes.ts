import { join } from 'node:path';
import { attachedBlock } from '../../domain/attached.js';
import type { UserContent } from '../../domain/content.js';
import { errorMessage } from '../../domain/errors.js';
import { headOf, count, showName } from '../../tool/show.js';
import { git, partsOf } from '../review/git-command.js';
import { keptBack } from './attach-file.js';
import type { Lookup } from './ports.js';

/** Characters of a comparison. */
const MAX_DIFF = 60_000;
/** Files whose changes are compared; the others are named. */
const MAX_FILES = 300;
/** Names of new files that are told. */
const MAX_NEW = 100;
/** No program that a repository names takes part in the comparison. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];

/** Attaches what the working tree changed since the last commit, as git sees it, of each folder of the workspace. */
export async function attachChanges(lookup: Lookup): Promise<readonly UserContent[]> {
  if (!lookup.trusted()) return [attachedBlock({ name: 'changes (not in an untrusted workspace)', text: 'Git is not run in a workspace that is not trusted.' })];
  const folders = lookup.workspace.folders();
  if (folders.length === 0) return [attachedBlock({ name: 'no changes', text: 'No folder is open.' })];
  return (await Promise.all(folders.map(({ path }) => changesIn(path, lookup)))).flat();
}

async function changesIn(folder: string, lookup: Lookup): Promise<readonly UserContent[]> {
  try {
    const changed = partsOf(await git(folder, ['diff', 'HEAD', '--name-only', '-z', '--relative', ...PLAIN, '--', '.']));
    const added = partsOf(await git(folder, ['ls-files', '--others', '--exclude-standard', '-z', '--', '.']));
    const shown = await onlyVisible(changed.slice(0, MAX_FILES), folder, lookup);
    const diff = shown.length === 0 ? '' : (await git(folder, ['diff', 'HEAD', '--relative', ...PLAIN, '--', ...shown.map((name) => `:(literal)${name}`)])).toString('utf8');
    const total = changed.length + added.length;
    return [attachedBlock({ name: total === 0 ? 'no changes' : `changes in ${count(total, 'file')}`, text: report({ diff, changed, added, hidden: changed.length - shown.length }) })];
  } catch (error) {
    return [attachedBlock({ name: 'changes (not known)', text: `Git could not tell what was changed: ${errorMessage(error)}` })];
  }
}

async function onlyVisible(names: readonly string[], folder: string, lookup: Lookup): Promise<readonly string[]> {
  const checked = await Promise.all(names.map(async (name) => (keptBack(await lookup.workspace.locate(join(folder, name)), lookup) === undefined ? [name] : [])));
  return checked.flat();
}

interface Changes {
  readonly diff: string;
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly hidden: number;
}

function report({ diff, changed, added, hidden }: Changes): string {
  const cut = diff.length > MAX_DIFF ? `${headOf(diff, MAX_DIFF)}\n[PARTIAL: the first ${MAX_DIFF} of ${diff.length} characters. See more with git diff.]` : diff;
  const fresh = added.slice(0, MAX_NEW).map((name) => `  ${showName(name)}`);
  const parts = [
    ...(cut === '' ? [] : [cut]),
    ...(hidden === 0 ? [] : [`[${count(hidden, 'changed file')} not shown here.]`]),
    ...(fresh.length === 0 ? [] : [`New files that git does not know yet${added.length > MAX_NEW ? ` (the first ${MAX_NEW} of ${added.length})` : ''}:\n${fresh.join('\n')}`]),
  ];
  return parts.length === 0 && changed.length === 0 ? 'Nothing was changed since the last commit.' : parts.join('\n');
}
