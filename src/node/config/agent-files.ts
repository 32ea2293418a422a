import { join } from 'node:path';
import type { LayerPlaces } from './layer-files.js';
import { type FilePlace, type FoundFile, type MarkdownFolder, markdownFiles, readFiles, watchedFolders } from './markdown-files.js';

/** Whose form a file with agents has; `roo` is a list of modes. */
export type AgentFileForm = 'claude' | 'vscode' | 'cursor' | 'roo';

/** A file with agents that there is. */
export type FoundAgentFile = FoundFile<AgentFileForm>;

/**
 * Folders with agents.
 *
 * - `.claude/agents`: code.claude.com/docs/en/sub-agents; `.gnomon/agents` has files of the same form.
 * - `.github/agents`: code.visualstudio.com/docs/agents/reference/custom-agent-file-reference.
 * - `.cursor/agents`: cursor.com/docs/agent/subagents.
 */
const FOLDERS: readonly MarkdownFolder<AgentFileForm>[] = [
  { names: ['.gnomon', 'agents'], form: 'claude', ofUser: true },
  { names: ['.claude', 'agents'], form: 'claude', ofUser: true },
  { names: ['.github', 'agents'], form: 'vscode', ofUser: false },
  { names: ['.cursor', 'agents'], form: 'cursor', ofUser: true },
];
/** Modes of Roo Code (docs.roocode.com/features/custom-modes). */
const ROO = '.roomodes';

/** Reads the files with agents that there are, of the user and of the workspace folders. Rejects only when stopped. */
export async function readAgentFiles(places: LayerPlaces, signal: AbortSignal): Promise<readonly FoundAgentFile[]> {
  const roo = places.folders.map((folder): FilePlace<AgentFileForm> => ({ origin: { layer: 'project', file: join(folder, ROO), display: ROO, folder }, form: 'roo' }));
  return readFiles([...(await markdownFiles(places, FOLDERS)), ...roo], places, signal);
}

/** What is to be watched for changes of agents. */
export function agentPaths(places: LayerPlaces): { readonly files: readonly string[]; readonly folders: readonly { readonly folder: string; readonly pattern: string }[] } {
  return { files: places.folders.map((folder) => join(folder, ROO)), folders: watchedFolders(places, FOLDERS) };
}
