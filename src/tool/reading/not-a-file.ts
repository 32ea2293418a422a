import type { Documents, FolderNames } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { showName } from '../../text/show.js';
import { similarNames } from './similar-names.js';

/** Names of a folder that an error shows. */
const SHOWN_NAMES = 20;
/** Names of a folder among which similar ones are looked for. */
const COMPARED_NAMES = 5_000;

/** A place to read from. */
interface Place {
  readonly documents: Documents;
  readonly location: FileLocation;
}

/** Says that a folder cannot be read, and what is in it. */
export async function folderProblem({ documents, location }: Place, signal: AbortSignal): Promise<ToolInputError> {
  const { names, more } = await documents.list(location.real, SHOWN_NAMES, signal);
  const shown = names.length === 0 ? 'It is empty.' : `It holds: ${names.map(showName).join(', ')}${more ? ', …' : '.'}`;
  return new ToolInputError(`${showName(location.display)} is a folder. ${shown} Use glob to list more.`);
}

/** Says that there is no such file and, inside the workspace, which names in its folder come near. */
export async function missingProblem({ documents, location }: Place, signal: AbortSignal): Promise<ToolInputError> {
  const missing = `${showName(location.display)} does not exist.`;
  const { folder, name } = splitPath(location.real);
  const { names } = location.inside ? await namesIn(documents, folder.slice(0, -1) || folder, signal) : NO_NAMES;
  const similar = similarNames(name, names).map((near) => showName(splitPath(location.display).folder + near));
  return new ToolInputError(similar.length === 0 ? `${missing} Use glob to find files.` : `${missing} Did you mean ${similar.join(' or ')}?`);
}

const NO_NAMES: FolderNames = { names: [], more: false };

async function namesIn(documents: Documents, folder: string, signal: AbortSignal): Promise<FolderNames> {
  try {
    return await documents.list(folder, COMPARED_NAMES, signal);
  } catch (error) {
    // The folder is missing too, or closed to us: then there is nothing to offer.
    if (error instanceof ToolInputError) return NO_NAMES;
    throw error;
  }
}

function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return { folder: path.slice(0, end), name: path.slice(end) };
}
