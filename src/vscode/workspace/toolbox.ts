import type { Questions } from '../../domain/questions.js';
import type { Search } from '../../domain/search.js';
import type { Tool } from '../../domain/tool.js';
import type { Workspace } from '../../domain/workspace.js';
import { createDiskDocuments } from '../../node/disk-documents.js';
import { findRipgrep } from '../../node/find-ripgrep.js';
import { createProcesses } from '../../node/processes.js';
import { createRipgrepSearch } from '../../node/ripgrep.js';
import { createTools } from '../../tool/index.js';
import { createVsCodeDocuments } from './vscode-documents.js';

/** What the tools of this window are made from. */
export interface ToolboxOptions {
  readonly workspace: Workspace;
  /** Absolute path of the folder for logs of long outputs. */
  readonly logFolder: string;
  /** `vscode.env.appRoot`, below which ripgrep is. */
  readonly appRoot: string;
}

/** The tools of this window. */
export interface Toolbox {
  /** The tools of one session, with a ledger of their own of what its model has seen. */
  toolsForSession(questions: Questions): readonly Tool[];
  /** Kills every command that is running. */
  dispose(): void;
}

/** Connects the built-in tools with VS Code and this machine. */
export function createToolbox({ workspace, logFolder, appRoot }: ToolboxOptions): Toolbox {
  const documents = createVsCodeDocuments(createDiskDocuments());
  const processes = createProcesses({ logFolder, env: process.env });
  const search = searchWith(appRoot);
  return {
    toolsForSession: (questions) => createTools({ documents, workspace, search, processes, questions }),
    dispose: () => processes.dispose(),
  };
}

function searchWith(appRoot: string): Search {
  let program: Promise<string> | undefined;
  return createRipgrepSearch(() => {
    program ??= findRipgrep(appRoot);
    return program;
  });
}
