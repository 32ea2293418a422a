/** A search for text. */
export interface GrepQuery {
  /** A regular expression in ripgrep's syntax. */
  readonly pattern: string;
  /** Absolute path of the folder or file to search. */
  readonly path: string;
  /** Glob that file names must match. */
  readonly glob?: string;
  readonly ignoreCase: boolean;
  /** Lines of context before and after each match. */
  readonly context: number;
  /** Matching lines to return at most. */
  readonly limit: number;
}

/** A line of a search result; `match` is false for context. */
export interface GrepLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly match: boolean;
}

/** Lines in order of file and line; `truncated` when there are more than the limit. */
export interface GrepResult {
  readonly lines: readonly GrepLine[];
  readonly truncated: boolean;
}

/** A search for files by name. */
export interface GlobQuery {
  readonly pattern: string;
  /** Absolute path of the folder to search. */
  readonly path: string;
  readonly limit: number;
}

/** Absolute paths, newest first; `truncated` when there are more than the limit. */
export interface GlobResult {
  readonly paths: readonly string[];
  readonly truncated: boolean;
}

/** Searches files, ignore files respected. */
export interface Search {
  /** @throws ToolInputError for a pattern that cannot be compiled. */
  grep(query: GrepQuery, signal: AbortSignal): Promise<GrepResult>;
  glob(query: GlobQuery, signal: AbortSignal): Promise<GlobResult>;
}
