import type { FileLocation } from './workspace.js';

/** Pattern and scope of a text search. */
export interface GrepFilter {
  /** A regular expression in ripgrep's syntax; with `literal`, just text. */
  readonly pattern: string;
  /** Absolute path of the folder or file to search. */
  readonly path: string;
  /** Patterns for paths below `path`, as ignore files have them; the last that fits decides, `!` leaves out. */
  readonly globs: readonly string[];
  /** A name that ripgrep has for a group of file names, such as `ts`. */
  readonly type?: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** Only whole words. */
  readonly word: boolean;
  /** Matches may span lines, and `.` fits the end of a line. */
  readonly multiline: boolean;
  /** Search what ignore files leave out, too. */
  readonly ignored: boolean;
}

/** Page of the results. */
export interface Page {
  /** Number of results to skip. */
  readonly offset: number;
  /** Maximum number of results. */
  readonly limit: number;
}

/** A search for lines; the page counts matching lines. */
export interface GrepQuery extends GrepFilter, Page {
  /** Lines of context before and after each match. */
  readonly before: number;
  readonly after: number;
}

/** A search for files that contain matches; the page counts files. */
export interface GrepFilesQuery extends GrepFilter, Page {
  /** Whether to count the matching lines of each file. */
  readonly counts: boolean;
}

/** A line of a search result; `match` is false for context. */
export interface GrepLine {
  /** Absolute. Bytes of a name that are not UTF-8 are written `\xff`. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly match: boolean;
}

/** A file that contains matches. */
export interface GrepFile {
  /** Absolute. Bytes of a name that are not UTF-8 are written `\xff`. */
  readonly path: string;
  /** Matching lines; only where they were asked for. */
  readonly count?: number;
}

/** Facts that every search returns beside its results. */
export interface SearchEnd {
  /** There is more, or the search ended early. */
  readonly truncated: boolean;
  /** Note about the search, as a sentence. */
  readonly note?: string;
}

/** Lines in order of path and line. */
export interface GrepResult extends SearchEnd {
  readonly lines: readonly GrepLine[];
  /** Number of matching lines skipped at the beginning: the offset, or all when there are fewer. */
  readonly skipped: number;
}

/** Files in order of path. */
export interface GrepFilesResult extends SearchEnd {
  readonly files: readonly GrepFile[];
  /** Number of files skipped at the beginning: the offset, or all when there are fewer. */
  readonly skipped: number;
}

/** A search for files by name. */
export interface GlobQuery {
  readonly pattern: string;
  /** Absolute path of the folder to search. */
  readonly path: string;
  readonly limit: number;
  /** Whether a file, by its absolute path, may be among the results. The others count for nothing. Left out: all may. */
  readonly accepts?: MayShow;
}

/** Absolute paths, newest first; bytes that are not UTF-8 are written `\xff`. */
export interface GlobResult extends SearchEnd {
  readonly paths: readonly string[];
}

/** Whether what is in a file may be shown to a model without asking, by its absolute path with every link resolved. */
export type MayShow = (path: string) => boolean;

/** Whether a file may be shown to a model without asking: a rule can name it by the links on the way, or by where they lead. */
export function mayShowFile({ path, real }: Pick<FileLocation, 'path' | 'real'>, mayShow: MayShow): boolean {
  return mayShow(real) && mayShow(path);
}

/** Searches files, ignore files respected. */
export interface Search {
  /** @throws ToolInputError for a pattern that cannot be compiled. */
  grep(query: GrepQuery, signal: AbortSignal): Promise<GrepResult>;
  /** @throws ToolInputError for a pattern that cannot be compiled. */
  grepFiles(query: GrepFilesQuery, signal: AbortSignal): Promise<GrepFilesResult>;
  glob(query: GlobQuery, signal: AbortSignal): Promise<GlobResult>;
  /**
   * Entries of a folder that searches look into: files, and folders with any file for them. What ignore files
   * leave out is missing, and so are empty folders. `undefined` when that would take too long. Absent: never.
   * @param looked `amount`: how many there are at most; when so many are found, the search ends. `accepts`: as in {@link GlobQuery}.
   */
  searched?(folder: string, looked: { readonly amount: number; readonly accepts: MayShow }, signal: AbortSignal): Promise<ReadonlySet<string> | undefined>;
}
