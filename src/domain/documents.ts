import type { ImageMimeType } from './content.js';

/** A text file or editor buffer as the agent sees it. */
export interface TextFile {
  readonly kind: 'text';
  readonly path: string;
  /** The whole text with its own line endings, without the byte-order mark. */
  readonly text: string;
  /** SHA-256 in hex of what was read: the bytes on disk, or the buffer's text when it has unsaved changes. */
  readonly hash: string;
  /** Canonical name of the encoding: `utf8`, `utf8bom`, `utf16le`, `utf16be` or `windows1252`. */
  readonly encoding: string;
  /** Whether an editor holds changes that are not saved; then `text` is the editor's. */
  readonly unsaved: boolean;
}

/** What is behind a path. */
export type FileContent =
  | TextFile
  | { readonly kind: 'image'; readonly path: string; readonly data: Uint8Array; readonly mimeType: ImageMimeType }
  | { readonly kind: 'binary'; readonly path: string; readonly size: number };

/** What sort of thing a path names. */
export interface FileStat {
  readonly type: 'file' | 'directory' | 'other';
  /** Size in bytes. */
  readonly size: number;
}

/** A whole new content for a file, tied to the version it was made from. */
export interface FileChange {
  readonly path: string;
  /** Hash of the version that was changed; `undefined` when the file must not exist yet. */
  readonly baseHash: string | undefined;
  /** The whole new text with the line endings it will have on disk. */
  readonly text: string;
}

/** What became of a {@link FileChange}. */
export interface AppliedChange {
  /** Hash of the content as it is now; what a later change must name as its base. */
  readonly hash: string;
  /** `editor` when the change waits in an editor with unsaved changes of the person. */
  readonly where: 'disk' | 'editor';
}

/**
 * The files of the workspace, through open editors where there are any.
 *
 * A file open in an editor is read from and changed in its buffer, never behind it; any other file keeps its encoding,
 * byte-order mark, line endings, mode and links byte for byte outside the changed lines. All paths are absolute.
 */
export interface Documents {
  /** `undefined` when nothing is there. Links are followed. */
  stat(path: string, signal: AbortSignal): Promise<FileStat | undefined>;
  /** @throws ToolInputError for directories, devices, missing or too large files, with advice for the model. */
  read(path: string, signal: AbortSignal): Promise<FileContent>;
  /** @throws ToolInputError when the file is no longer the version that the change was made from; nothing is written. */
  apply(change: FileChange, signal: AbortSignal): Promise<AppliedChange>;
}
