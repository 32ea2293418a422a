/** Something in a folder of a project. */
export interface ProjectEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** The files of a project, as far as they decide about its checks. Paths are relative to its folder, with slashes. */
export interface ProjectFiles {
  /** What is in a folder, sorted by name; nothing where there is none. @param folder empty for that of the project */
  list(folder: string): Promise<readonly ProjectEntry[]>;
  /** The text of a file; `undefined` where there is none. Links are followed within the project alone, and files have a size limit. */
  read(path: string): Promise<{ readonly text: string } | { readonly problem: string } | undefined>;
}

/** A path in a folder; empty for the folder of the project itself. */
export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** A folder and those above it, up to that of the project, the deepest first. @param folder relative to that of the project */
export function withFoldersAbove(folder: string): readonly string[] {
  const names = folder === '' ? [] : folder.split('/');
  return [...names.map((_, index) => names.slice(0, names.length - index).join('/')), ''];
}
