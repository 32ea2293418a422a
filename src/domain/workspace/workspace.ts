/** A folder that the user opened. */
export interface WorkspaceFolder {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** Where a path leads, links resolved. */
export interface FileLocation {
  /** Absolute and normalized, links not resolved. */
  readonly path: string;
  /** Absolute with every link resolved; for a path that does not exist, its nearest existing parent is resolved. */
  readonly real: string;
  /** Short form for display: relative to its workspace folder, or absolute. */
  readonly display: string;
  /** Whether `real` lies in a workspace folder. */
  readonly inside: boolean;
  /** Whether a link on the way changes where the path leads. */
  readonly throughLink: boolean;
}

/** A folder whose files stand for those of another one, as a worktree does for the checkout that it was made of. */
export interface StandIn {
  /** Absolute path, links resolved. */
  readonly folder: string;
  /** Absolute path of the other one, as it is named or as it leads. */
  readonly for: string;
}

/** The open folders and what paths mean in them. */
export interface Workspace {
  /** Rules about files of the other folders are about theirs, too. Left out: none. */
  readonly standIns?: readonly StandIn[];
  folders(): readonly WorkspaceFolder[];
  /** The folder that commands run in: the first one, or the home directory without a folder. */
  cwd(): string;
  /**
   * Resolves an absolute path, or one relative to a workspace folder (with several folders its name may come first).
   * @throws ToolInputError for an empty path or one with a NUL.
   */
  locate(path: string): Promise<FileLocation>;
  /**
   * Looks which files are settings of a repository though their names do not say so, such as those of a bare one. Left out: none.
   * @returns a check for absolute paths with every link resolved.
   */
  repositorySettings?(): (path: string) => boolean;
}
