import type { ImageBytes } from './image.js';

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
  /** Whether an editor has unsaved changes; then `text` is the editor's. */
  readonly unsaved: boolean;
  /** Present for a notebook: then `text` is that of its cells, each after a line that names it. */
  readonly notebook?: NotebookFacts;
}

/** Facts about a notebook beside the text of its cells. */
export interface NotebookFacts {
  readonly cells: number;
  /** By line, rising. They are no part of the text. */
  readonly outputs: readonly CellOutput[];
}

/** Outputs of one cell, as they are shown. */
export interface CellOutput {
  /** Number of the last line of the cell, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Content of a file. */
export type FileContent = TextFile | ImageFile | PdfFile | BinaryFile | LargeFile;

/** An image as models take it. */
export interface ImageFile extends ImageBytes {
  readonly kind: 'image';
  readonly path: string;
  /** The size in pixels of the image that this one was made of; absent when it is the file's own. */
  readonly scaledFrom?: { readonly width: number; readonly height: number };
}

/** A PDF document; its text is read by a `PdfReader`. */
export interface PdfFile {
  readonly kind: 'pdf';
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A file that is not text. */
export interface BinaryFile {
  readonly kind: 'binary';
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  /** Type by its first bytes, such as `ZIP archive`; absent when not recognized. */
  readonly type?: string;
}

/** A text file too large to be held as a whole: its lines can be read in parts, and it cannot be changed. */
export interface LargeFile {
  readonly kind: 'large';
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  /** The size up to which files are held as a whole, in bytes. */
  readonly limit: number;
}

/** A stretch of lines, and how much of it may come back. */
export interface LineWindow {
  /** Number of the first line, from 1. */
  readonly first: number;
  /** The most lines. */
  readonly lines: number;
  /** The most characters of one line. */
  readonly lineCharacters: number;
  /** After this many characters no further line is begun. */
  readonly characters: number;
}

/** One line of a {@link LineStretch}, without its ending. */
export interface CutLine {
  readonly text: string;
  /** Length of the part that is left out: characters, or bytes where the encoding has some of several bytes. */
  readonly omitted: number;
}

/** The lines of a stretch. */
export interface LineStretch {
  readonly lines: readonly CutLine[];
  /** Line count of the file; `undefined` when its end was not reached. */
  readonly total: number | undefined;
}

/** Names in a folder. */
export interface FolderNames {
  /** In alphabetical order; folders end with a slash. */
  readonly names: readonly string[];
  /** Whether there are more names than were asked for. */
  readonly more: boolean;
}

/** Type of the file at a path. */
export interface FileStat {
  readonly type: 'file' | 'directory' | 'other';
  /** Size in bytes. */
  readonly size: number;
  /** Whether the file has other names: hard links, which can lie anywhere. Left out where that is not known. */
  readonly shared?: boolean;
}

/** Change of one file by a call, tied to the version that it was planned on. All paths are absolute. */
export type FileChange = TextChange | Deletion;

/** A whole new content for a file. */
export type TextChange = Creation | Modification;

/** A new file; nothing may be at its path. */
export interface Creation {
  readonly action: 'create';
  readonly path: string;
  /** The whole text with the line endings it will have on disk, without a byte-order mark; of a notebook the text of its cells. */
  readonly text: string;
  /** As {@link TextFile} has it. Default: `utf8`. */
  readonly encoding?: 'utf8' | 'utf8bom' | 'utf16le' | 'utf16be' | 'windows1252';
}

/** Another text for a file that is there, another place for it, or both. */
export interface Modification {
  readonly action: 'modify';
  /** Where the file is afterwards. */
  readonly path: string;
  /** Where it is before, when it is moved; then nothing may be at `path`. */
  readonly from?: string;
  /** Hash of the version that is changed. */
  readonly baseHash: string;
  /** As {@link Creation} has it. */
  readonly text: string;
}

/** A file that is deleted, with no way back through the trash of the system: the caller keeps its content. */
export interface Deletion {
  readonly action: 'delete';
  readonly path: string;
  /** Hash of the version that may be deleted. */
  readonly baseHash: string;
}

/** The paths at which something else is after a change: one, or both ends of a move. */
export function pathsOfChange(change: FileChange): readonly string[] {
  return change.action === 'modify' && change.from !== undefined ? [change.from, change.path] : [change.path];
}

/** Result of a {@link TextChange}. */
export interface AppliedChange {
  /** Hash of the content as it is now; what a later change must name as its base. */
  readonly hash: string;
  /** `editor` when the change waits in an editor with unsaved changes of the user. */
  readonly where: 'disk' | 'editor';
  /** Present when the editor changed the text further while saving, as formatters do. */
  readonly formatted?: true;
  /** Present when the lines that name the cells of a notebook are others now. */
  readonly renamed?: true;
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
  /** @throws ToolInputError for directories, devices and missing files, with advice for the model. */
  read(path: string, signal: AbortSignal): Promise<FileContent>;
  /**
   * Reads some lines of a file on disk without ever holding the whole of it; for a {@link LargeFile}.
   * @throws ToolInputError as `read` does, and when the lines cannot be reached in a bearable time.
   */
  readLines(path: string, range: LineWindow, signal: AbortSignal): Promise<LineStretch>;
  /**
   * Lists a folder, at most `limit` names.
   * @throws ToolInputError when it cannot be looked into.
   */
  list(path: string, limit: number, signal: AbortSignal): Promise<FolderNames>;
  /**
   * Writes a text, and moves the file where the change says so: only a regular file with a single name, and its mode goes with it.
   * @throws ToolInputError when the file is no longer the version that the change was made from, or something is at a place that has to be
   * free; nothing is written then, and a file that cannot be moved as a whole stays where it was.
   */
  apply(change: TextChange, signal: AbortSignal): Promise<AppliedChange>;
  /**
   * Deletes a regular file with a single name; links and folders stay.
   * @throws ToolInputError when it is no longer the version that may be deleted, or an editor has unsaved changes of it; nothing is deleted.
   */
  delete(change: Deletion, signal: AbortSignal): Promise<void>;
}
