import { ToolInputError } from '../../domain/errors.js';
import { mayShowFile } from '../../domain/workspace/search.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { inSlices } from '../../concurrency/steps.js';
import { showName } from '../../text/show.js';
import { isNotebookPath } from '../../text/notebook/notebook.js';
import type { Draft, Unsettled } from '../calls/define.js';
import { checkPlaces, fileAccess, named, presenceAccess, removalAccess } from '../calls/places.js';
import type { RunContext } from '../calls/sealed.js';
import { editSummary, editText } from '../edit.js';
import type { RequestedEdit } from './apply-edits.js';
import { type WriteDeps, type WriteState, draftChange, moveSubject, occupiedProblem } from './change-file.js';
import { checkKnown, readRemovable } from './removable-file.js';

/** A file that is to be somewhere else, with edits of its text; none where only its place changes. */
export interface Moving {
  readonly from: FileLocation;
  readonly to: FileLocation;
  readonly edits: readonly RequestedEdit[];
}

/**
 * Plans that a file is moved to where nothing is. Both ends are judged: that it is gone from one, and that it is in the other.
 * @throws ToolInputError for a file outside the workspace that the model has not read, and for ends that cannot be those of a move.
 */
export function planMove(deps: WriteDeps, moving: Moving): Unsettled<WriteState> {
  const { from, to } = moving;
  checkKnown(deps, from);
  checkEnds(from, to);
  const reading = fileAccess('read', from);
  const known = deps.versions.lastSeen(from.real) !== undefined;
  return {
    subject: moveSubject(from, to),
    reads: known ? [] : reading,
    accesses: [...(known ? reading : []), ...removalAccess(from, 'moved'), ...presenceAccess(to), ...fileAccess('write', to)],
    open: (context) => settleMove(deps, moving, context),
  };
}

function checkEnds(from: FileLocation, to: FileLocation): void {
  const [source, target] = [showName(from.display), showName(to.display)];
  if (from.real === to.real)
    throw new ToolInputError(`${source} and ${target} are the same file; nothing was moved. To change only the case of its name, use bash: mv`);
  // The text of a notebook is that of its cells, which is no other kind of file.
  if (isNotebookPath(from.real) !== isNotebookPath(to.real))
    throw new ToolInputError(`${source} cannot become ${target}, as only one of them is a notebook; nothing was moved. Keep the ending, or use bash: mv`);
}

async function settleMove(deps: WriteDeps, { from, to, edits }: Moving, context: RunContext): Promise<Draft<WriteState>> {
  const before = await readRemovable(deps, from, { what: 'moved', command: 'mv' }, context);
  await checkFree(deps, from, to, context);
  const intended = { location: to, from, before, whole: false, presence: presenceAccess(to) };
  const moved = `Moved ${showName(from.display)} to ${showName(to.display)}.`;
  if (edits.length === 0) return draftChange({ ...intended, after: before.text }, moved, context.signal);
  const { edited, shown } = await editText(deps, { location: from, edits }, before.text, context);
  const done = await inSlices(editSummary(showName(to.display), edited), context.signal);
  const draft = await draftChange({ ...intended, after: edited.text }, `${moved} ${done}`, context.signal);
  return { ...draft, state: { ...draft.state, shown } };
}

/** Tells early that something is in the new place; where that may not be shown, it is found out when the call is allowed. */
async function checkFree(deps: WriteDeps, from: FileLocation, to: FileLocation, context: RunContext): Promise<void> {
  if (!to.inside || !mayShowFile(to, await deps.readGuard())) return;
  await checkPlaces(deps.workspace, [to]);
  if ((await named(to, deps.documents.for(context).stat(to.real, context.signal))) !== undefined) throw occupiedProblem(from, to);
}
