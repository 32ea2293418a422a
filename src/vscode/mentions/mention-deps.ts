import type { Diagnostics } from '../../domain/workspace/diagnostics.js';
import type { Documents } from '../../domain/workspace/documents.js';
import type { MayShow } from '../../domain/workspace/search.js';
import type { Symbols } from '../../domain/workspace/symbols.js';
import type { Workspace } from '../../domain/workspace/workspace.js';

/** A file that is open in an editor. */
export interface OpenEditor {
  /** Absolute path, or the name of what is no file. */
  readonly path: string;
  readonly active: boolean;
  readonly unsaved: boolean;
}

/** What is selected in a terminal. */
export interface TerminalSelection {
  /** Name of the terminal. */
  readonly terminal: string;
  readonly text: string;
}

/** What files are read through, so that nothing is shown to a model that it may not see without asking. */
export interface FileDeps {
  readonly workspace: Workspace;
  readonly documents: Pick<Documents, 'stat' | 'read' | 'readLines' | 'list'>;
  /** Makes the check of which files may be shown, with the rules in effect. */
  readonly readGuard: () => Promise<MayShow>;
}

/** What mentions are looked up in. */
export interface MentionDeps extends FileDeps {
  readonly symbols: Pick<Symbols, 'search'>;
  readonly diagnostics: Pick<Diagnostics, 'current'>;
  readonly editors: () => readonly OpenEditor[];
  readonly terminal: () => Promise<TerminalSelection | undefined>;
  /** Whether the user trusts the workspace: git runs what its settings name. */
  readonly trusted: () => boolean;
}

/** The dependencies, with the read guard of one message. */
export interface Lookup extends Omit<MentionDeps, 'readGuard'> {
  readonly mayShow: MayShow;
  readonly signal: AbortSignal;
}

/** What of a {@link Lookup} files need. */
export type FileLookup = Pick<Lookup, 'workspace' | 'documents' | 'mayShow' | 'signal'>;
