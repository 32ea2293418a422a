import type { Diagnostics, Symbols } from '../domain/workspace/code-intelligence.js';
import type { Documents } from '../domain/workspace/documents.js';
import type { MayShow } from '../domain/workspace/search.js';
import type { Workspace } from '../domain/workspace/workspace.js';
import type { MentionOffer } from '../protocol/host/composer-messages.js';
import type { SpecialMention } from '../protocol/mention-syntax.js';
import type { UserContent } from '../domain/model/content.js';
import type { ResourceMentions } from './resource-mentions.js';
import type { LineRange } from '../text/text-edit.js';

/** A file that is open in an editor. */
export interface OpenEditor {
  /** Absolute path, or the name of what is no file. */
  readonly path: string;
  readonly active: boolean;
  readonly unsaved: boolean;
}

/** Selected text in a terminal. */
export interface TerminalSelection {
  /** Name of the terminal. */
  readonly terminal: string;
  readonly text: string;
}

/** Services that read files, limited to those that a model may see without asking. */
export interface FileDeps {
  readonly workspace: Workspace;
  readonly documents: Pick<Documents, 'stat' | 'read' | 'readLines' | 'list'>;
  /** Makes the check of which files may be shown, with the rules in effect. */
  readonly readGuard: () => Promise<MayShow>;
}

/** Abort signal of resolving mentions, and the callback for progress. */
export interface ResolveOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (text: string) => void;
}

/** Looks up what a text mentions. @throws Error for what makes the text not worth sending, with a message for the user. */
export type ResolveMentions = (text: string, options?: ResolveOptions) => Promise<readonly UserContent[]>;

/** The selection, as pages show it. */
export interface SelectionState {
  /** Such as `a.ts:10-20`; empty when nothing is selected. */
  readonly name: string;
  readonly on: boolean;
}

/** The editor selection, and whether messages include it. */
export interface Selection {
  /** The current selection, and whether messages include it. */
  readonly state: SelectionState;
  /** The file in the active editor, as it is called and as it is mentioned; empty without one in the workspace that can be seen. */
  readonly currentFile: { readonly name: string; readonly insert: string };
  /** Calls back when there is something else to show. Returns how to stop that. */
  onDidChange(listener: (state: SelectionState) => void): () => void;
  /** Lets the selection go with messages, or not. */
  include(on: boolean): void;
  /** The selection as blocks of a message; empty when there is none or it is left out. */
  blocks(): Promise<readonly UserContent[]>;
}

/** The mentions of this window, and what is selected in its editor. */
export interface Mentions {
  readonly workspace: Workspace;
  readonly selection: Selection;
  /** Makes the check of which files may be shown to a model, with the rules in effect. */
  readonly readGuard: () => Promise<MayShow>;
  readonly resources: ResourceMentions;
  /** Resolves the mentions in a text to attachments. @throws Error when that takes too long, or a resource cannot be read; AbortError. */
  readonly resolve: ResolveMentions;
  /** Offers mentions after an `@`. @throws AbortError when the signal is aborted. */
  offers(query: string, signal: AbortSignal): Promise<readonly MentionOffer[]>;
  dispose(): void;
}

/** Services that resolve mentions. */
export interface MentionDeps extends FileDeps {
  readonly symbols: Pick<Symbols, 'search'>;
  readonly diagnostics: Pick<Diagnostics, 'current'>;
  readonly editors: () => readonly OpenEditor[];
  readonly terminal: () => Promise<TerminalSelection | undefined>;
  readonly resources: Pick<ResourceMentions, 'has' | 'nameOf' | 'attach'>;
  /** Whether the user trusts the workspace: git runs what its settings name. */
  readonly trusted: () => boolean;
}

/** The dependencies, with the read guard of one message. */
export interface Lookup extends Omit<MentionDeps, 'readGuard'> {
  readonly mayShow: MayShow;
  readonly progress: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The part of a {@link Lookup} that files use. */
export type FileLookup = Pick<Lookup, 'workspace' | 'documents' | 'mayShow' | 'signal'>;

/** Something that a user named with an `@`. */
export type Mention =
  /** A file, or a folder. `sure` when nothing else can be meant, so that a missing one is worth telling. */
  | { readonly kind: 'path'; readonly path: string; readonly lines?: LineRange; readonly sure: boolean }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'url'; readonly url: string }
  /** A resource of an MCP server; its address as mentions have it. */
  | { readonly kind: 'resource'; readonly server: string; readonly uri: string }
  /** With `path`, only what is about that file or folder, or those lines of it. */
  | { readonly kind: SpecialMention; readonly path?: string; readonly lines?: LineRange };
