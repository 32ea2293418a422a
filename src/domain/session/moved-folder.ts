/** A workspace folder that was renamed or moved, or that is reached by another path now. Both are absolute. */
export interface MovedFolder {
  readonly from: string;
  readonly to: string;
}

/** Where a file of a workspace folder lies now. A file of another folder lies where it did. */
export function movedPath(path: string, folders: readonly MovedFolder[]): string {
  const folder = folders.find(({ from }) => path === from || (path.startsWith(from) && /[\\/]/.test(path.charAt(from.length))));
  return folder === undefined ? path : `${folder.to}${path.slice(folder.from.length)}`;
}
