/** A place in the code that a language server names. */
export interface SymbolPlace {
  /** Absolute path. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The source line, trimmed; empty where it cannot be read, and where `name` says what is there. */
  readonly text: string;
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

/** What language servers know of the code. Empty lists where no server answers. */
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
