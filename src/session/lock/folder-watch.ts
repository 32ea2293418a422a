import { watch } from 'node:fs';
import { join } from 'node:path';

/** A watch on the files of a folder. */
export interface FolderWatch {
  close(): void;
}

/** Who is notified of changes in a folder. */
export interface FolderWatcher {
  /**
   * @param file absolute path; `undefined` where the system does not say which file it was.
   * @param kind `rename` also for a file that came or went; some systems say so of any change.
   */
  onChange(file: string | undefined, kind: 'change' | 'rename'): void;
  /** The watch failed, as when the folder was removed; it is to be closed. */
  onEnd(): void;
}

/** Watches a folder, without the folders in it, and keeps no process alive. @returns `undefined` where it cannot be watched. */
export type WatchFolder = (folder: string, watcher: FolderWatcher) => FolderWatch | undefined;

/** {@link WatchFolder} by the operating system. It may tell nothing at all of a folder on a network. */
export const watchFolder: WatchFolder = (folder, watcher) => {
  try {
    const watching = watch(folder, { persistent: false }, (kind, name) => watcher.onChange(name === null ? undefined : join(folder, name), kind));
    watching.on('error', () => watcher.onEnd());
    return watching;
  } catch {
    // Too many watches, or a file system without them: the caller looks on its own.
    return undefined;
  }
};
