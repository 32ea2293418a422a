import { join } from 'node:path';
import { attachedBlock } from '../../domain/session/attached.js';
import type { UserContent } from '../../domain/model/content.js';
import { errorMessage } from '../../domain/errors.js';
import { count } from '../../text/show.js';
import type { ReportedChanges } from '../scm/diff-report.js';
import { diffReport } from '../scm/diff-report.js';
import { changedNames, diffOf, newNames } from '../scm/git-diff.js';
import { keptBack } from './attach-file.js';
import type { Lookup } from './ports.js';

/** Files whose changes are compared; the others are named. */
const MAX_FILES = 300;

/** Attaches what the working tree changed since the last commit, as git sees it, of each folder of the workspace. */
export async function attachChanges(lookup: Lookup): Promise<readonly UserContent[]> {
  if (!lookup.trusted()) return [attachedBlock({ name: 'changes (not in an untrusted workspace)', text: 'Git is not run in a workspace that is not trusted.' })];
  const folders = lookup.workspace.folders();
  if (folders.length === 0) return [attachedBlock({ name: 'no changes', text: 'No folder is open.' })];
  return (await Promise.all(folders.map(({ path }) => changesIn(path, lookup)))).flat();
}

async function changesIn(folder: string, lookup: Lookup): Promise<readonly UserContent[]> {
  try {
    const changed = await changedNames(folder, 'all');
    const added = await newNames(folder);
    const shown = await onlyVisible(changed.slice(0, MAX_FILES), folder, lookup);
    const diff = await diffOf(folder, 'all', shown);
    const total = changed.length + added.length;
    return [attachedBlock({ name: total === 0 ? 'no changes' : `changes in ${count(total, 'file')}`, text: report({ diff, added, hidden: changed.length - shown.length }) })];
  } catch (error) {
    return [attachedBlock({ name: 'changes (not known)', text: `Git could not tell what was changed: ${errorMessage(error)}` })];
  }
}

async function onlyVisible(names: readonly string[], folder: string, lookup: Lookup): Promise<readonly string[]> {
  const checked = await Promise.all(names.map(async (name) => (keptBack(await lookup.workspace.locate(join(folder, name)), lookup) === undefined ? [name] : [])));
  return checked.flat();
}

function report(changes: ReportedChanges): string {
  const told = diffReport(changes);
  return told === '' ? 'Nothing was changed since the last commit.' : told;
}
