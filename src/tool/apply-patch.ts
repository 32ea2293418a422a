import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { inSlices } from '../concurrency/steps.js';
import { assertNever } from '../domain/assert-never.js';
import { ToolInputError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import type { Tool, ToolContext } from '../domain/tool/tool.js';
import { MAX_KEPT_BYTES } from '../domain/workspace/changes.js';
import type { Deletion, TextFile } from '../domain/workspace/documents.js';
import { mayShowFile } from '../domain/workspace/search.js';
import type { FileLocation } from '../domain/workspace/workspace.js';
import { isNotebookPath } from '../text/notebook/notebook.js';
import { showName, showSize } from '../text/show.js';
import { unifiedDiff } from '../text/unified-diff.js';
import { OTHER_FORMS } from './calls/forms.js';
import { defineTool, type Draft, filled, textResult, type Unsettled } from './calls/define.js';
import { checkPlaces, fileAccess, locateFile, named, presenceAccess, removalAccess } from './calls/places.js';
import type { RunContext } from './calls/sealed.js';
import { editSummary, editText, planEdit } from './edit.js';
import type { RequestedEdit } from './editing/apply-edits.js';
import { applyChange, checkUnchanged, draftChange, moveSubject, occupiedProblem, type WriteDeps, type WriteState } from './editing/change-file.js';
import { type FilePatch, readPatch } from './editing/patch.js';
import { rewriteChange } from './editing/rewrite.js';
import { missingProblem } from './reading/not-a-file.js';
import { planWrite } from './write.js';

const schema = z.strictObject({ patch: filled });

const spec = {
  name: 'apply_patch',
  description: 'Change, create, move or delete one file; for several send several calls in one answer.',
  parameters: {
    type: 'object',
    properties: {
      patch: {
        type: 'string',
        description: '*** Begin Patch, *** Update/Add/Delete File: PATH, *** Move to: PATH to move, hunks of @@ and lines after " ", "-" or "+", *** End Patch',
      },
    },
    required: ['patch'],
    additionalProperties: false,
  },
};

/** What running a call that deletes a file needs. */
interface DeletionState {
  readonly location: FileLocation;
  readonly deletion: Deletion;
}

/** What a file is read for, as errors say it, and the command for what this cannot do. */
interface Removing {
  readonly what: 'deleted' | 'moved';
  readonly command: 'rm' | 'mv';
}

/** @throws ToolInputError for a file outside the workspace that the model has not read, be it there or not. */
function checkKnown({ versions }: Pick<WriteDeps, 'versions'>, { real, inside, display }: FileLocation): void {
  if (inside || versions.lastSeen(real) !== undefined) return;
  throw new ToolInputError({ kind: 'not_read', file: showName(display), why: 'outside' });
}

/**
 * Reads a file that is not to be where it is any more. Only what can be put back exactly as it was is taken: text files with a single name,
 * named by it, that no editor has unsaved changes of.
 * @throws ToolInputError for anything else, and when the file is no longer what the model last saw; with what to do.
 */
async function readRemovable(deps: WriteDeps, location: FileLocation, removing: Removing, context: RunContext): Promise<TextFile> {
  const { what, command } = removing;
  const name = showName(location.display);
  const refused = (why: string, advice: string): ToolInputError => new ToolInputError(`${name} ${why}; nothing was ${what}. ${advice}`);
  await checkPlaces(deps.workspace, [location]);
  await checkOwnName(deps, location, refused);
  const documents = deps.documents.for(context);
  const stat = await named(location, documents.stat(location.real, context.signal));
  if (stat === undefined) throw await missingProblem({ documents, location, mayShow: await deps.readGuard() }, context.signal);
  if (stat.type === 'directory') throw refused('is a folder', `Use bash for folders.`);
  if (stat.size > MAX_KEPT_BYTES) throw refused(`is too large to be kept for undo (${showSize(MAX_KEPT_BYTES)})`, `Use bash: ${command}`);
  if (stat.shared === true) throw refused('has other names (hard links)', `Use bash: ${command}`);
  const file = await named(location, documents.read(location.real, context.signal));
  if (file.kind !== 'text') throw refused(file.kind === 'large' ? 'is too large' : 'is not a text file', `Use bash: ${command}`);
  if (file.unsaved) throw refused('has unsaved changes of the user in an editor', 'Ask the user to save or discard them.');
  checkUnchanged(deps, file, location);
  return file;
}

/** Where the name itself is a link, the file that it leads to would go, and the link would lead nowhere. */
async function checkOwnName({ workspace }: WriteDeps, { path, real }: FileLocation, refused: (why: string, advice: string) => ToolInputError): Promise<void> {
  const folder = await workspace.locate(dirname(path));
  if (join(folder.real, basename(path)) === real) return;
  const { display } = await workspace.locate(real);
  throw refused(`leads to ${showName(display)}`, `Name that file itself, or use bash for the link.`);
}

/**
 * Plans that a file is deleted: the version of now, which has to be the one that the model has read, if it has read it.
 * @throws ToolInputError for a file outside the workspace that it has not read.
 */
function planDeletion(deps: WriteDeps, location: FileLocation): Unsettled<DeletionState> {
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
async function deletePlanned(deps: WriteDeps, { location, deletion }: DeletionState, context: RunContext): Promise<string> {
  await checkPlaces(deps.workspace, [location]);
  await named(location, deps.documents.for(context).delete(deletion, context.signal));
  deps.versions.deleted(location.real);
  return `Deleted ${showName(location.display)}.`;
}

/** A planned patch: a file that is written, where it was or somewhere else, or one that is deleted. */
type PatchState = WriteState | DeletionState;

/** The tool that changes a file as `edit` does, in the form that some models are trained on; offered to them in its place. It also moves and deletes files. */
export function createApplyPatchTool(deps: WriteDeps): Tool {
  const tool = defineTool<z.infer<typeof schema>, PatchState>({
    spec,
    schema,
    forms: OTHER_FORMS.apply_patch,
    plan: ({ patch }, context) => planPatch(deps, readPatch(patch), context),
    rewrite: async (shown, amendment, context) => {
      if ('deletion' in shown) throw new ToolInputError(t('Only the text that this call writes can be edited.'));
      return rewriteChange(deps, { shown, amendment }, context);
    },
    async execute(state, _plan, context) {
      return textResult('deletion' in state ? await deletePlanned(deps, state, context) : await applyChange(deps, state, context));
    },
  });
  return { ...tool, editing: 'patches' };
}

/** A file that is to be somewhere else, with edits of its text; none where only its place changes. */
interface Moving {
  readonly from: FileLocation;
  readonly to: FileLocation;
  readonly edits: readonly RequestedEdit[];
}

/**
 * Plans that a file is moved to where nothing is. Both ends are judged: that it is gone from one, and that it is in the other.
 * @throws ToolInputError for a file outside the workspace that the model has not read, and for ends that cannot be those of a move.
 */
function planMove(deps: WriteDeps, moving: Moving): Unsettled<WriteState> {
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

async function planPatch(deps: WriteDeps, asked: FilePatch, context: ToolContext): Promise<Unsettled<PatchState>> {
  const location = await locateFile(deps.workspace, asked.path);
  switch (asked.kind) {
    case 'add':
      return planWrite(deps, { location, content: asked.content }, context);
    case 'update':
      return planEdit(deps, { location, edits: asked.edits });
    case 'move':
      return planMove(deps, { from: location, to: await locateFile(deps.workspace, asked.to), edits: asked.edits });
    case 'delete':
      return planDeletion(deps, location);
    default:
      return assertNever(asked);
  }
}
