import { present } from '../domain/present.js';
import type { Documents } from '../domain/workspace/documents.js';
import type { Jobs } from '../domain/workspace/jobs.js';
import type { Diagnostics, Symbols } from '../domain/workspace/code-intelligence.js';
import type { CommandAnalyzer } from '../domain/tool/command-analysis.js';
import type { Questions } from '../domain/tool/interaction.js';
import type { MayShow, Search } from '../domain/workspace/search.js';
import type { WebPages } from '../domain/workspace/web-pages.js';
import type { Tool } from '../domain/tool/tool.js';
import type { Workspace } from '../domain/workspace/workspace.js';
import { createPdfReader } from '../node/pdf/pdf-reader.js';
import { createJobs } from '../node/process/jobs.js';
import type { Killable } from '../node/process/command-run.js';
import { createProcesses } from '../node/process/processes.js';
import type { Sandbox } from '../node/sandbox/sandbox.js';
import type { SharedWrites } from '../tool/calls/shared-writes.js';
import { createTools } from '../tool/index.js';

/** Services that the built-in tools use. */
export interface ToolboxOptions {
  readonly workspace: Workspace;
  /** Absolute path of the folder for logs of long outputs. */
  readonly logFolder: string;
  readonly documents: Documents;
  /** Searches files, with the rules in effect. */
  readonly search: Search;
  /** Diagnostics of language servers. */
  readonly diagnostics?: Diagnostics;
  readonly symbols?: Symbols;
  /** Makes the check of which files may be shown in search results, with the rules in effect. */
  readonly readGuard: () => Promise<MayShow>;
  /** Confines the commands that run without approval. */
  readonly sandbox: Pick<Sandbox, 'around' | 'closing' | 'after' | 'noteOwn'>;
  /** Absolute paths of folders in which no command may change anything; absent: there are none. */
  readonly closed?: readonly string[];
  /** The environment that commands inherit, before it is cleaned. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of variables that the user wants commands to get. */
  readonly variables: () => readonly string[];
  /** What all sessions have written. */
  readonly writes: SharedWrites;
  /** Reads command lines, to tell an answer from a failure in how one ends; without it, every exit code but 0 is a failure. */
  readonly analyzer?: () => Promise<CommandAnalyzer>;
}

/** A session with its background commands, and its own rules in what it searches and shows. */
export interface ToolsOwner extends Pick<ToolboxOptions, 'search' | 'readGuard'> {
  readonly id: string;
  readonly jobs: Jobs;
}

/** The tools of this window. */
export interface Toolbox {
  /** The background commands of one session; to be closed with it. */
  createJobs(session: string): Jobs;
  /** The tools of one session, with a ledger of their own of what its model has seen. Without a session none run in the background. */
  toolsForSession(questions: Questions, session?: ToolsOwner): readonly Tool[];
  /** Kills every command that is running, those in the background too. */
  dispose(): void;
}

/** Connects the built-in tools with VS Code and this machine. */
export function createToolbox(options: ToolboxOptions): Toolbox {
  const { workspace, logFolder, diagnostics, symbols, sandbox, env, variables, closed, analyzer, writes } = options;
  const documents = noted(options.documents, sandbox);
  const settings = { logFolder, env, sandbox, variables, ...present({ closed }), running: new Set<Killable>() };
  const processes = createProcesses(settings);
  // Node's clients for HTTP are loaded with the first page, as most sessions get none.
  const webPages: WebPages = { get: async (url, signal) => (await import('../node/web/web-pages.js')).createWebPages().get(url, signal) };
  const pdf = createPdfReader();
  return {
    createJobs: (session) => createJobs({ ...settings, session }),
    toolsForSession: (questions, session) => {
      const own = session === undefined ? { processes } : { processes: createProcesses({ ...settings, session: session.id }), jobs: session.jobs };
      return createTools({
        documents,
        workspace,
        search: session?.search ?? options.search,
        questions,
        webPages,
        pdf,
        writes,
        readGuard: session?.readGuard ?? options.readGuard,
        ...present({ analyzer, diagnostics, symbols }),
        ...own,
      });
    },
    dispose: () => processes.dispose(),
  };
}

/** Marks files that tools write, so that they do not count as changes by a command that runs at the same time. */
function noted(documents: Documents, sandbox: Pick<Sandbox, 'noteOwn'>): Documents {
  return {
    ...documents,
    apply: (change, signal) => {
      sandbox.noteOwn(change.path);
      return documents.apply(change, signal);
    },
  };
}
