import { basename, dirname, join } from 'node:path';
import type { TextFile } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import { MAX_KEPT_BYTES } from '../../domain/workspace/changes.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { showName, showSize } from '../../text/show.js';
import { checkPlaces, named } from '../calls/places.js';
import type { RunContext } from '../calls/sealed.js';
import { missingProblem } from '../reading/not-a-file.js';
import { type WriteDeps, checkUnchanged } from './change-file.js';

/** What a file is read for, as errors say it, and the command for what this cannot do. */
export interface Removing {
  readonly what: 'deleted' | 'moved';
  readonly command: 'rm' | 'mv';
}

/** @throws ToolInputError for a file outside the workspace that the model has not read, be it there or not. */
export function checkKnown({ versions }: Pick<WriteDeps, 'versions'>, { real, inside, display }: FileLocation): void {
  if (inside || versions.lastSeen(real) !== undefined) return;
  throw new ToolInputError({ kind: 'not_read', file: showName(display), why: 'outside' });
}

/**
 * Reads a file that is not to be where it is any more. Only what can be put back exactly as it was is taken: text files with a single name,
 * named by it, that no editor has unsaved changes of.
 * @throws ToolInputError for anything else, and when the file is no longer what the model last saw; with what to do.
 */
export async function readRemovable(deps: WriteDeps, location: FileLocation, removing: Removing, context: RunContext): Promise<TextFile> {
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
  checkUnchanged(file, location, deps.versions);
  return file;
}

/** Where the name itself is a link, the file that it leads to would go, and the link would lead nowhere. */
async function checkOwnName({ workspace }: WriteDeps, { path, real }: FileLocation, refused: (why: string, advice: string) => ToolInputError): Promise<void> {
  const folder = await workspace.locate(dirname(path));
  if (join(folder.real, basename(path)) === real) return;
  const { display } = await workspace.locate(real);
  throw refused(`leads to ${showName(display)}`, `Name that file itself, or use bash for the link.`);
}
