import type { CommandAnalyzer } from '../domain/tool/command-analysis.js';
import type { BoundPlaces } from '../domain/workspace/binding.js';
import type { Documents } from '../domain/workspace/documents.js';
import type { SandboxPort } from '../domain/workspace/sandbox.js';
import type { Workspace } from '../domain/workspace/workspace.js';

/** Services that permission decisions use to look up calls. */
export interface Surroundings {
  readonly workspace: Workspace;
  /** Distinguishes folders from files, expands file patterns, and shows what an edit changes of settings. Left out: none of it is done. */
  readonly documents?: Pick<Documents, 'stat' | 'list' | 'read'>;
  /** Walks a folder. Left out: a rule about files that could lie in it counts as one that may apply. */
  readonly walk?: WalkFolder;
  /** Absolute path of the home directory. */
  readonly home: string;
  /** Absolute path of the folder with the full outputs of commands, which the model may page through. */
  readonly outputFolder?: string;
  /** Real paths of the files that models get as instructions; what changes them asks. Left out: none but those that are known by name. */
  readonly instructionFiles?: () => ReadonlySet<string>;
  /** Where what hooks and approved servers run is; what changes it asks. Left out: nothing. */
  readonly boundPlaces?: () => Promise<BoundPlaces>;
  /** Real paths of folders in which nothing may be written: to an agent in a worktree, the checkout that it was made of. Default: none. */
  readonly closed?: readonly string[];
  /** Skill files outside the workspace that may be read without asking. Default: none. */
  readonly skills?: (sessionId: string) => ReadableSkills;
  /** Confines the commands that run without approval. */
  readonly sandbox: SandboxPort;
  /** Asks Git what a command of it would show. Left out: what a repository has stored is judged by the text of a command alone. */
  readonly git?: StoredLists;
  /** Reads command lines; called for each. */
  readonly analyzer: () => Promise<CommandAnalyzer>;
}

/** Real paths of what models may read of skills. */
export interface ReadableSkills {
  /** Each `SKILL.md` that they may load. */
  readonly files: readonly string[];
  /** The folders of those that are loaded. */
  readonly folders: readonly string[];
}

/** Entry below a folder. */
export interface FolderEntry {
  /** Names from the folder on, joined by `/`. */
  readonly path: string;
  /** For a link that leads to something: the absolute path of that, and whether it is a folder. */
  readonly leadsTo?: { readonly real: string; readonly folder: boolean };
}

/**
 * Shows everything below a folder, hidden and ignored files too; follows no link.
 * @param visit ends it with `false`.
 * @returns whether all was seen: `false` when it was ended, when there is too much, and when something cannot be looked at.
 */
export type WalkFolder = (folder: string, visit: (entry: FolderEntry) => boolean, signal: AbortSignal) => Promise<boolean>;

/** Lists of what a repository has stored. */
export interface StoredLists {
  readonly list: ListGit;
  /** Milliseconds that a decision may take for them. */
  readonly withinMs: number;
}

/**
 * Has Git list something in a folder, in parts. It starts no other program, fetches nothing, and writes nothing.
 * @param visit ends it with `false`.
 * @returns whether all was seen; `nothing` where there is no repository, or none of the versions that were named.
 */
export type ListGit = (
  asked: { readonly folder: string; readonly args: readonly string[]; readonly input?: string; readonly timeoutMs: number },
  visit: (part: string) => boolean,
  signal: AbortSignal,
) => Promise<'whole' | 'part' | 'nothing'>;
