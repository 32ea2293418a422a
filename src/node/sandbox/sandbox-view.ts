import type { GuardedPlaces } from './guarded-places.js';
import type { Overlay } from './overlays.js';

/** What a command in a sandbox sees of the machine. All paths are absolute with every link resolved. */
export interface SandboxView {
  /** The folder that it starts in. */
  readonly cwd: string;
  /** What it may read. What is not there any more is left out. */
  readonly readable: readonly string[];
  /** What it may not read of that. */
  readonly hidden: readonly HiddenPlace[];
  /** Files in whose place it sees a harmless copy; what has one is not hidden. */
  readonly replaced: readonly ReplacedFile[];
  /** What it may change; nothing for one that only reads. */
  readonly writable: readonly string[];
  /** What it may not change of that. */
  readonly guarded: GuardedPlaces;
  /** What makes places for what is missing and cannot come into being; none where the system needs no places. */
  readonly overlays: readonly Overlay[];
  readonly network: Network;
  /** Other names of readable folders, as the user or a program knows them, with where they lead. */
  readonly names: readonly { readonly path: string; readonly real: string }[];
}

/** What a command reaches: nothing, all, or what a proxy lets through that listens at a socket or at a port of 127.0.0.1. */
export type Network = { readonly kind: 'none' } | { readonly kind: 'all' } | { readonly kind: 'proxy'; readonly at: string | number };

/** A file of a readable place, and the absolute path of what a command sees in its place. */
export interface ReplacedFile {
  readonly path: string;
  readonly by: string;
  /** Whether the copy says all that the file says, so that nothing is lost where there can be no copies. */
  readonly whole?: true;
}

/** A file or folder in a readable place that commands may not read. */
export interface HiddenPlace {
  readonly path: string;
  readonly folder: boolean;
}
