import type { Deletion } from '../../domain/workspace/documents.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { showName } from '../../text/show.js';
import { unifiedDiff } from '../../text/unified-diff.js';
import type { Draft, Unsettled } from '../calls/define.js';
import { checkPlaces, fileAccess, named, removalAccess } from '../calls/places.js';
import type { RunContext } from '../calls/sealed.js';
import type { WriteDeps } from './change-file.js';
import { checkKnown, readRemovable } from './removable-file.js';

/** What running a call that deletes a file needs. */
export interface DeletionState {
  readonly location: FileLocation;
  readonly deletion: Deletion;
}

/**
 * Plans that a file is deleted: the version of now, which has to be the one that the model has read, if it has read it.
 * @throws ToolInputError for a file outside the workspace that it has not read.
 */
export function planDeletion(deps: WriteDeps, location: FileLocation): Unsettled<DeletionState> {
  checkKnown(deps, location);
  const reading = fileAccess('read', location);
  const known = deps.versions.lastSeen(location.real) !== undefined;
  return {
    subject: showName(location.display),
    reads: known ? [] : reading,
    accesses: [...(known ? reading : []), ...removalAccess(location, 'deleted')],
    open: (context) => settleDeletion(deps, location, context),
  };
}

async function settleDeletion(deps: WriteDeps, location: FileLocation, context: RunContext): Promise<Draft<DeletionState>> {
  const before = await readRemovable(deps, location, { what: 'deleted', command: 'rm' }, context);
  const name = showName(location.display);
  const deletion: Deletion = { action: 'delete', path: location.real, baseHash: before.hash };
  const diff = before.text === '' ? '' : await unifiedDiff(name, { before: before.text, after: undefined }, context.signal);
  return {
    subject: name,
    accesses: removalAccess(location, 'deleted'),
    preview: { kind: 'diff', path: location.path, diff, created: false, deleted: true },
    changes: [deletion],
    state: { location, deletion },
  };
}

/** Deletes the file of a plan. @returns what to tell the model. @throws ToolInputError when it is another version by now. */
export async function deletePlanned(deps: WriteDeps, { location, deletion }: DeletionState, context: RunContext): Promise<string> {
  await checkPlaces(deps.workspace, [location]);
  await named(location, deps.documents.for(context).delete(deletion, context.signal));
  deps.versions.deleted(location.real);
  return `Deleted ${showName(location.display)}.`;
}
