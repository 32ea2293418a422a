import { type MemoryDocuments, createMemoryDocuments } from './documents.js';
import { type ScriptedProcesses, createScriptedProcesses } from './processes.js';
import { createMemorySearch } from './search.js';
import { createMemoryWorkspaceFolders } from './workspace.js';
import type { MayShow, Search } from '../../../src/domain/workspace/search.js';
import type { Workspace } from '../../../src/domain/workspace/workspace.js';

export { toolContext } from './tool-context.js';

/** What an in-memory workspace starts with. */
export interface MemoryWorkspaceOptions {
  /** Absolute path → content. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Absolute paths of the open folders; `/ws` unless given. */
  readonly folders?: readonly string[];
  readonly home?: string;
  /** Absolute path → absolute target. */
  readonly links?: Readonly<Record<string, string>>;
}

/** Doubles of all ports that tools work through. What was not set up fails loudly. */
export interface MemoryWorkspace {
  readonly documents: MemoryDocuments;
  readonly workspace: Workspace;
  readonly search: Search;
  readonly processes: ScriptedProcesses;
  /** Lets everything be shown. */
  readonly readGuard: () => Promise<MayShow>;
}

/** A workspace without disk or processes; POSIX paths on every platform. */
export function createMemoryWorkspace(options: MemoryWorkspaceOptions = {}): MemoryWorkspace {
  const documents = createMemoryDocuments(options.files ?? {});
  return {
    documents,
    workspace: createMemoryWorkspaceFolders({
      folders: options.folders ?? ['/ws'],
      home: options.home ?? '/home/user',
      links: options.links ?? {},
      exists: (path) => documents.exists(path),
    }),
    search: createMemorySearch(documents),
    processes: createScriptedProcesses(),
    readGuard: () => Promise.resolve(() => true),
  };
}
