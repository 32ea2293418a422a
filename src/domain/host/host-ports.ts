import type { Dialogs } from './dialogs.js';
import type { Folders, WorkspaceTrust } from './folders.js';
import type { ListedMemory } from './memory.js';
import type { SecretStorage } from './secret-storage.js';
import type { Settings } from './settings.js';
import type { KeepWatching, WatchEverywhere } from './watching.js';

/** What the program gives that Gnomon runs in: a window of VS Code, or a process without one. */
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
}
