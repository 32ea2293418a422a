import { relative, sep } from 'node:path';
import { ToolInputError } from '../domain/errors.js';
import type { FileLocation, Workspace } from '../domain/workspace.js';
import { showName } from './show.js';

/**
 * Where a search looks: the path given, else every workspace folder.
 * @throws ToolInputError without a path while no folder is open, rather than searching the whole home directory.
 */
export async function searchRoots(workspace: Workspace, path: string | undefined): Promise<readonly FileLocation[]> {
  if (path !== undefined) return [await workspace.locate(path)];
  const folders = workspace.folders();
  if (folders.length === 0) throw new ToolInputError('No folder is open. Say in path where to search.');
  return Promise.all(folders.map((folder) => workspace.locate(folder.path)));
}

/** The short form of a path that was found below a root, for people and models. */
export function displayBelow(root: FileLocation, path: string): string {
  const rest = relative(root.real, path).split(sep).join('/');
  if (rest === '') return showName(root.display);
  return showName(root.display === '.' ? rest : `${root.display.replace(/\/$/, '')}/${rest}`);
}

/** The title of a search. */
export function searchSubject(pattern: string, path: string | undefined): string {
  return showName(path === undefined ? pattern : `${pattern} in ${path}`);
}
