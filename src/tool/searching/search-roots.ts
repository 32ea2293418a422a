import { relative, sep } from 'node:path';
import { ToolInputError } from '../../domain/errors.js';
import { type MayShow, mayShowFile } from '../../domain/workspace/search.js';
import type { FileLocation, Workspace } from '../../domain/workspace/workspace.js';
import { showName } from '../../text/show.js';

/**
 * Where a search looks: the path given, else every workspace folder once.
 * @throws ToolInputError without a path while no folder is open, rather than searching the whole home directory.
 */
export async function searchRoots(workspace: Workspace, path: string | undefined): Promise<readonly FileLocation[]> {
  if (path !== undefined && path !== '') return [await workspace.locate(path)];
  const folders = workspace.folders();
  if (folders.length === 0) throw new ToolInputError('No folder is open. Say in path where to search.');
  const roots = await Promise.all(folders.map((folder) => workspace.locate(folder.path)));
  return roots.filter((root, index) => roots.findIndex((other) => other.real === root.real) === index);
}

/**
 * Checks that the places that were planned, and judged, are still the same ones: a folder that has become a link since
 * would have a search follow it anywhere.
 * @throws ToolInputError when one leads elsewhere now.
 */
export async function checkRoots(workspace: Workspace, roots: readonly FileLocation[]): Promise<void> {
  for (const { display, real } of roots) {
    if ((await workspace.locate(real)).real !== real) {
      throw new ToolInputError(`${showName(display)} leads elsewhere than when the call was planned; nothing was searched. Plan it again.`);
    }
  }
}

/**
 * A pattern for paths as it is seen from where the search begins. One that names a folder that is searched, as an
 * absolute path, is taken as relative to that.
 * @throws ToolInputError for one that would lead elsewhere: where to look is said in `path`, which permission judges.
 */
export function patternBelow(roots: readonly FileLocation[], pattern: string): string {
  const [only] = roots;
  const inner = only === undefined || roots.length > 1 ? pattern : withoutStart(pattern, [only.path, only.real]);
  if (/^([/\\~]|[A-Za-z]:)/.test(inner)) {
    throw new ToolInputError('The pattern is relative to path. Give the folder in path and only the rest in the pattern.');
  }
  if (/(^|[/\\{,])\.\.($|[/\\},])/.test(inner)) {
    throw new ToolInputError('The pattern cannot hold "..". Give the folder to search in path.');
  }
  return inner;
}

/**
 * Which names are shown of what is below a folder: not those of files that may not be read without a question, so that the answer is
 * the same whether there are such or not. Where the folder is of that kind itself, the call was asked about, and all are.
 */
export function namesShown(root: FileLocation, mayShow: MayShow): MayShow {
  return mayShowFile(root, mayShow) ? mayShow : () => true;
}

/** The display form of a path that was found below a root. */
export function displayBelow(root: FileLocation, path: string): string {
  const rest = relative(root.real, path).split(sep).join('/');
  if (rest === '') return showName(root.display);
  return showName(root.display === '.' ? rest : `${root.display.replace(/\/$/, '')}/${rest}`);
}

/** The title of a search. */
export function searchSubject(pattern: string, path: string | undefined): string {
  return showName(path === undefined ? pattern : `${pattern} in ${path}`);
}

function withoutStart(pattern: string, folders: readonly string[]): string {
  const plain = pattern.replaceAll('\\', '/');
  for (const folder of folders) {
    const start = `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/`;
    if (plain.startsWith(start) && plain.length > start.length && !/[*?[{]/.test(start)) return pattern.slice(start.length);
  }
  return pattern;
}
