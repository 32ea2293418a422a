import { sep } from 'node:path';

/** Where a command runs and what it may change there. Paths are absolute and real. */
export interface CommandPlace {
  readonly sessionId: string;
  /** Who runs it for the session, by the id of its author; empty for the session itself. */
  readonly author: string;
  /** The folders that its session works on, and the one that it runs in. */
  readonly folders: readonly string[];
  /** The folders in which changes are found while it runs. */
  readonly area: readonly string[];
}

/** Whether commands are of different sessions, or of different agents that work for one. */
export function isOther(a: Pick<CommandPlace, 'sessionId' | 'author'>, b: Pick<CommandPlace, 'sessionId' | 'author'>): boolean {
  return a.sessionId !== b.sessionId || a.author !== b.author;
}

/** Whether what one command changes can be found as a change of the other. */
export function overlap(a: CommandPlace, b: CommandPlace): boolean {
  return a.area.some((folder) => isIn(b.area, folder)) || b.area.some((folder) => isIn(a.area, folder));
}

/** Whether a command in `rival` could have changed all that one in `place` could have. */
export function covers(rival: CommandPlace, place: CommandPlace): boolean {
  return place.area.every((folder) => isIn(rival.folders, folder));
}

/**
 * Whether a change can only be that of a command in `place`, while others ran. A command is taken to stay within the folders of its session
 * where another one works: what lies in no session's folders may be that of each.
 */
export function isAlone(place: CommandPlace, rivals: readonly CommandPlace[], path: string): boolean {
  const inOwn = isIn(place.folders, path);
  return rivals.every((rival) => !isIn(rival.area, path) || (inOwn && !isIn(rival.folders, path)));
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`));
}
