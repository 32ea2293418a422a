/** A problem that a language server, linter or compiler found. */
export interface Diagnostic {
  /** Absolute path. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  /** Who found it, such as `ts`. */
  readonly source?: string;
  readonly code?: string;
}

/** The problems that the editor knows of. */
export interface Diagnostics {
  /** Current problems: of a file, of everything below a folder, or of the whole workspace without a path. */
  current(path?: string): readonly Diagnostic[];
  /**
   * Waits until the servers had time to look at a file that has just changed: until its problems change and then rest,
   * or a short limit is reached. Never rejects but for the signal.
   */
  settled(path: string, signal: AbortSignal): Promise<void>;
}
