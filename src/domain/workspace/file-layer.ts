/** One entry of a folder. */
export interface FileEntry {
  readonly name: string;
  /** Links are not followed: a link is `other`. */
  readonly type: 'file' | 'directory' | 'other';
  /** Size in bytes. */
  readonly size: number;
  /** Time of the last change in milliseconds since 1970, with fraction where the file system has it. */
  readonly mtimeMs: number;
}

/** An open file. */
export interface FileHandle {
  /** Writes at the end, or a part of it. @returns how many bytes were written, which may be fewer than given. */
  write(bytes: Uint8Array): Promise<number>;
  /** Cuts the file to a size in bytes. */
  truncate(size: number): Promise<void>;
  /** Returns when content and metadata are on the disk (fsync). */
  sync(): Promise<void>;
  /** Returns when the content is on the disk (fdatasync). */
  syncData(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Files as the parts see them that must not lose data: few operations, so that a test can let each of them fail.
 *
 * All paths are absolute. Files are made with mode 0600, folders with 0700. Failures are errors with the platform's
 * `code`, such as `ENOSPC`.
 */
export interface FileLayer {
  /** Creates a file for writing. Fails with `EEXIST` when anything, a link included, has that name. */
  openExclusive(path: string): Promise<FileHandle>;
  /** Opens a file for writing at its end and creates it when it is missing. Refuses a link. */
  openAppend(path: string): Promise<FileHandle>;
  /** The whole file. */
  readFile(path: string): Promise<Uint8Array>;
  /** Replaces the target when it exists. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. A missing file is no error. */
  remove(path: string): Promise<void>;
  /** `undefined` when nothing is there. Links are not followed. */
  stat(path: string): Promise<FileEntry | undefined>;
  /** Everything in a folder, in no certain order; empty when the folder is missing. */
  list(folder: string): Promise<readonly FileEntry[]>;
  /** Creates a folder with its parents and keeps others out of it. */
  makeFolder(path: string): Promise<void>;
  /** Sets the time of the last change to now. */
  touch(path: string): Promise<void>;
  /** Returns when names created, renamed or removed in a folder are on the disk, as far as the platform can. */
  syncFolder(path: string): Promise<void>;
}

/** The platform's code of a failed file operation, such as `ENOENT`. */
export function fileErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
