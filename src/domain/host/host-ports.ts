import type { Dialogs } from './dialogs.js';
import type { Folders, WorkspaceTrust } from './folders.js';
import type { ListedMemory } from './memory.js';
import type { SecretStorage } from './secret-storage.js';
import type { Settings } from './settings.js';
import type { StartConfiguration } from './start-configuration.js';

/** Files to watch: single ones by absolute path, and in folders all files whose names match a pattern. */
export interface WatchedFiles {
  readonly files: readonly string[];
  readonly folders?: readonly WatchedFolder[];
}

/** A folder, by its absolute path, and a pattern for names in it. */
export interface WatchedFolder {
  readonly folder: string;
  readonly pattern: string;
}

/** Watches all files of the open folders whose paths match a pattern, and calls back when one is created, changed, or deleted. */
export type WatchEverywhere = (pattern: string, changed: () => void) => { dispose(): void };

/**
 * Keeps watching what there is to be watched in the folders that are open now, and calls back for each change, also of the folders.
 * @param watched says what that is, by the folders that are open
 * @param others subscribes to what may make it something else, beside the folders, or what is in the files mean something else
 */
export type KeepWatching = (watched: () => WatchedFiles, changed: () => void, others?: (listener: () => void) => () => void) => { dispose(): void };

/** Ports of the host program: a window of VS Code, or a process without one. */
export interface HostPorts {
  readonly folders: Folders;
  readonly trust: WorkspaceTrust;
  readonly keepWatching: KeepWatching;
  readonly watchEverywhere: WatchEverywhere;
  readonly settings: Settings;
  readonly dialogs: Dialogs;
  readonly secrets: SecretStorage;
  readonly memory: {
    /** Of the user, for all workspaces. */
    readonly global: ListedMemory;
    /** Of the user, for this workspace: nothing is written here any more, but that what is in it was taken over. */
    readonly workspace: ListedMemory;
  };
  /** What the user has said about configuration in starting the program; absent: nothing. */
  readonly startedWith?: StartConfiguration;
}
