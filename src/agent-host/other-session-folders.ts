import { dirname, join } from 'node:path';
import type { Folders } from '../domain/host/folders.js';
import type { Log } from '../domain/log.js';
import { createNodeFileLayer } from '../node/files/node-file-layer.js';
import { identifyFolder } from '../session/other-workspaces/folder-identity.js';
import type { OtherFoldersOptions } from '../session/other-workspaces/other-folders.js';
import { type OtherStorage, StorageIndex } from '../session/other-workspaces/storage-index.js';

/** Milliseconds for which it is known which other storages there are: enough for one list, short for who moves between windows. */
const KNOWN_FOR_MS = 2_000;

/** The storage of this window, its folders, and how to copy the other files of a session from another storage folder. */
export interface StoragePlace {
  /** Absolute path of the folder for what is kept of the user, whatever the workspace. */
  readonly globalStorage: string;
  readonly folders: Folders;
  /** The storage folder of this window. */
  readonly storage: string;
  readonly log: Log;
  /** Brings what else another storage keeps of a session that comes from there. */
  readonly bring: (id: string, from: OtherStorage) => Promise<void>;
}

/** Where conversations about the folders of this workspace are beside its own storage, and takes note of that storage for others. */
export function otherSessionFolders({ globalStorage, folders, storage, log, bring }: StoragePlace): OtherFoldersOptions & { readonly stop: () => void } {
  const writer = { files: createNodeFileLayer(), log, pid: process.pid };
  const index = new StorageIndex({ writer, folder: join(globalStorage, 'storages'), identify: identifyFolder });
  let known: { readonly until: number; readonly others: Promise<readonly OtherStorage[]> } | undefined;
  // Before the first conversation is saved: who never asks for the history finds it from another storage all the same.
  const note = (): Promise<void> => index.note(storage, folders.paths());
  void note();
  const look = async (): Promise<readonly OtherStorage[]> => {
    await note();
    return index.otherStorages(storage, folders.paths());
  };
  const others = (): Promise<readonly OtherStorage[]> => {
    if (known === undefined || known.until < performance.now()) known = { until: performance.now() + KNOWN_FOR_MS, others: look() };
    return known.others;
  };
  const stop = folders.onDidChange(() => {
    known = undefined;
    void note();
  });
  return {
    stop,
    folders: async () => (await others()).map(({ path }) => join(path, 'sessions')),
    moving: async (id, from) => {
      const path = dirname(from);
      await bring(id, (await others()).find((other) => other.path === path) ?? { path, moved: [] });
    },
  };
}
