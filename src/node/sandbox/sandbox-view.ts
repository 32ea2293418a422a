/** What a command in a sandbox sees of the machine. All paths are absolute with every link resolved. */
export interface SandboxView {
  /** The folder that it starts in. */
  readonly cwd: string;
  /** What it may read. What is not there any more is left out. */
  readonly readable: readonly string[];
  /** What it may not read of that. */
  readonly hidden: readonly HiddenPlace[];
  /** Other names of readable folders, as the person or a program knows them, with where they lead. */
  readonly names: readonly { readonly path: string; readonly real: string }[];
}

/** A file or folder in a readable place that commands may not read. */
export interface HiddenPlace {
  readonly path: string;
  readonly folder: boolean;
}
