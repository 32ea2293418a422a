import { isAbsolute, join, relative, sep } from 'node:path';

/** A folder as an editor names it, and without links, as the tools of the agent do. Both absolute. */
export interface NamedFolder {
  readonly given: string;
  readonly real: string;
}

/** The paths of a session: an editor knows its project by the path that it was opened by, which can have links in it. */
export class EditorPaths {
  /** @param folders those of the session, the current one first */
  constructor(private readonly folders: readonly NamedFolder[]) {}

  /** A path as the editor has it. */
  toEditor(path: string): string {
    return moved(path, this.folders, 'real', 'given');
  }

  /** A path of the editor without the links on the way to its project. */
  fromEditor(path: string): string {
    return moved(path, this.folders, 'given', 'real');
  }

  /** A path for titles: within the current folder it is relative. */
  readonly short = (path: string): string => {
    const [current] = this.folders;
    const rest = current === undefined || !isAbsolute(path) ? undefined : below(path, current.real);
    return rest === undefined || rest === '' ? path : rest;
  };

  /** A path as tools are to take it: the short one where it can mean nothing else, such as a file of another folder. */
  named(path: string): string {
    const short = this.short(path);
    return this.folders.length > 1 || /^[~$%]/.test(short) ? path : short;
  }
}

function moved(path: string, folders: readonly NamedFolder[], from: keyof NamedFolder, to: keyof NamedFolder): string {
  for (const folder of folders) {
    const rest = below(path, folder[from]);
    if (rest !== undefined) return rest === '' ? folder[to] : join(folder[to], rest);
  }
  return path;
}

/** A path as it is within a folder; `undefined` where it is not in it. */
function below(path: string, folder: string): string | undefined {
  const rest = relative(folder, path);
  return rest === '..' || rest.startsWith(`..${sep}`) || isAbsolute(rest) ? undefined : rest;
}
