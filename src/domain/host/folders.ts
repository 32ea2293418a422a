import type { WorkspaceFolder } from '../workspace/workspace.js';

/** A folder that is open. */
export interface Folder {
  readonly name: string;
  /** Absolute path; absent for one that is not on this machine. */
  readonly path?: string;
  readonly uri: string;
}

/** The folders that are open. */
export interface Folders {
  readonly all: () => readonly Folder[];
  /** Those that are on this machine. Of others nothing is known but their names: commands cannot run in them, nor are their files changed byte by byte. */
  readonly local: () => readonly WorkspaceFolder[];
  /** Absolute paths of those that are on this machine. */
  readonly paths: () => readonly string[];
  /** Calls back when there are others. Returns how to stop that. */
  readonly onDidChange: (listener: () => void) => () => void;
}

/** Whether the user trusts what is in the workspace. Trust that is taken back ends the process. */
export interface WorkspaceTrust {
  readonly trusted: () => boolean;
  /**
   * Present where agents work in a workspace that is not trusted, too: a user who starts a program in a folder wants it to work there. Of what the
   * workspace brings, only what the user has approved as it is now is used. Absent: they only read there.
   */
  readonly worksUntrusted?: true;
  /** Present where the user has said in starting the program that what the workspace brings needs no approval, for as long as it runs. */
  readonly needsNoApproval?: true;
  /** Calls back when the user has come to trust the workspace. Returns how to stop that. */
  readonly onDidGrant: (listener: () => void) => () => void;
}

/**
 * Whether something that was set up can be approved now: what a workspace brings only once it is trusted, what the user has set up wherever agents work.
 * @param ofWorkspace whether others may have written it
 */
export function canBeApproved({ trusted, worksUntrusted }: Pick<WorkspaceTrust, 'trusted' | 'worksUntrusted'>, ofWorkspace: boolean): boolean {
  return trusted() || (worksUntrusted === true && !ofWorkspace);
}

/** Whether agents do more than read here. */
export function mayWork({ trusted, worksUntrusted }: Pick<WorkspaceTrust, 'trusted' | 'worksUntrusted'>): boolean {
  return trusted() || worksUntrusted === true;
}
