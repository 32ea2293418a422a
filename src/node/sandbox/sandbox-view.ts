/** What a command in a sandbox sees of the machine. All paths are absolute with every link resolved. */
export interface SandboxView {
  /** The folder that it starts in. */
  readonly cwd: string;
  /** What it may read. What is not there any more is left out. */
  readonly readable: readonly string[];
  /** What it may not read of that. */
  readonly hidden: readonly HiddenPlace[];
  /** What it may change; nothing for one that only reads. */
  readonly writable: readonly string[];
  /** What it may not change of that. */
  readonly fixed: readonly string[];
  readonly network: Network;
  /** Other names of readable folders, as the user or a program knows them, with where they lead. */
  readonly names: readonly { readonly path: string; readonly real: string }[];
}

/** What a command reaches: nothing, all, or what a proxy lets through that listens at a socket or at a port of 127.0.0.1. */
export type Network = { readonly kind: 'none' } | { readonly kind: 'all' } | { readonly kind: 'proxy'; readonly at: string | number };

/** A file or folder in a readable place that commands may not read. */
export interface HiddenPlace {
  readonly path: string;
  readonly folder: boolean;
}
