/** A problem that a language server, linter or compiler found. */
export interface Diagnostic {
  /** Absolute path. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  /** Tool that reported it, such as `ts`. */
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

/** A place in the code that a language server names. */
export interface SymbolPlace {
  /** Absolute path. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** Name and kind, such as `createGate` and `function`, where the server gives them. */
  readonly name?: string;
  readonly kind?: string;
}

/** A symbol at a place: found by its name on a line, so that a model need not count columns. */
export interface SymbolQuery {
  /** Absolute path. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly name: string;
}

/** Symbols from language servers: places in any file, also in those whose text may not be shown. Empty lists where no server answers. */
export interface Symbols {
  /** @throws ToolInputError when the name is not on that line. */
  definitions(query: SymbolQuery, signal: AbortSignal): Promise<readonly SymbolPlace[]>;
  /** @throws ToolInputError when the name is not on that line. */
  references(query: SymbolQuery, signal: AbortSignal): Promise<readonly SymbolPlace[]>;
  /** Symbols of the whole workspace whose names match. */
  search(name: string, signal: AbortSignal): Promise<readonly SymbolPlace[]>;
  /** The outline of a file. */
  outline(path: string, signal: AbortSignal): Promise<readonly SymbolPlace[]>;
}
