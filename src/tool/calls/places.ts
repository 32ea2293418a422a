import { ToolInputError } from '../../domain/errors.js';
import type { Documents } from '../../domain/workspace/documents.js';
import type { MayShow } from '../../domain/workspace/search.js';
import type { FileLocation, Workspace } from '../../domain/workspace/workspace.js';
import { showName } from '../../text/show.js';
import type { Access } from '../../domain/tool/tool.js';
import type { Sealed } from './sealed.js';

/** What tools look at files through. */
export interface FileDeps {
  readonly documents: Sealed<Documents>;
  readonly workspace: Workspace;
  /** Makes what says which files may be shown where a call did not name them. */
  readonly readGuard: () => Promise<MayShow>;
}

/** How editors name documents that are not files on disk, such as `untitled:Untitled-1`. */
const EDITOR_SCHEME = /^(untitled|git|gitfs|output|search-editor|walkThrough|vscode-[\w-]+):/i;

/**
 * Where a path that a model gave leads.
 * @throws ToolInputError for a document that has no file, which no tool could change without harm.
 */
export async function locateFile(workspace: Workspace, path: string): Promise<FileLocation> {
  const scheme = EDITOR_SCHEME.exec(path)?.[1];
  if (scheme === undefined) return workspace.locate(path);
  // The wording of the workspace where it has one; a name that only looks like such a document is written with "./".
  throw new ToolInputError(`${path} is not a file on this machine (${scheme}:), which is all that tools work on. Ask the user to save it as a file.`);
}

/**
 * Checks, right before execution, the places that were judged again: a link may have been put in the place of one, or
 * redirected, while the user read the prompt.
 * @throws ToolInputError when one leads elsewhere now, by its name or by where it led.
 */
export async function checkPlaces(workspace: Workspace, places: readonly FileLocation[]): Promise<void> {
  for (const { path, real, display } of places) {
    const now = await Promise.all([workspace.locate(path), workspace.locate(real)]);
    if (now.every((place) => place.real === real)) continue;
    throw new ToolInputError(`${showName(display)} leads elsewhere than when the call was planned; nothing was done. Plan it again.`);
  }
}

/**
 * Waits for work on a place; its errors, which know the absolute path alone, name the place as the model knows it.
 * @throws what the work throws.
 */
export async function named<T>({ path, real, display }: FileLocation, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error;
    throw error.renamed(real, showName(display)).renamed(path, showName(display));
  }
}

/**
 * The accesses to a file: its path as named and, where a link leads elsewhere, the real one that will be touched.
 * With only the first, a link that is changed between planning and judging could have another file judged.
 */
export function fileAccess(kind: 'read' | 'write', location: FileLocation): readonly Access[] {
  const named: Access = { kind, target: location.path };
  return location.real === location.path ? [named] : [named, { kind, target: location.real }];
}

/** The accesses of a call after which a file is not where it was. */
export function removalAccess(location: FileLocation, removal: NonNullable<Access['removal']>): readonly Access[] {
  return fileAccess('write', location).map((access) => ({ ...access, removal }));
}

/** The accesses of a call that finds out no more than whether a file is there. */
export function presenceAccess(location: FileLocation): readonly Access[] {
  return fileAccess('read', location).map((access) => ({ ...access, only: 'presence' }));
}
