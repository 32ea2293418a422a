import { join } from 'node:path';
import { readConfigurationFile } from '../files/configuration-file.js';
import { type BasePlaces, reachedBases, watchedFolders, type WatchedPlaces } from './bases.js';
import { type FoundFile, type MarkdownFolder, type MarkdownPlaces, readMarkdownFiles } from './markdown-files.js';

/** Bytes of a list of modes. */
const MAX_BYTES = 1024 * 1024;

/** Whose form a file with agents has; `roo` is a list of modes. */
export type AgentFileForm = 'claude' | 'vscode' | 'cursor' | 'roo';

/** A file with agents that there is. */
export type FoundAgentFile = FoundFile<AgentFileForm>;

/**
 * Folders with agents.
 *
 * - `.claude/agents`: code.claude.com/docs/en/sub-agents; `.gnomon/agents` has files of the same form.
 * - `.github/agents`: code.visualstudio.com/docs/agents/reference/custom-agent-file-reference; that of the user is `~/.copilot/agents`
 *   (docs.github.com, "Creating and using custom agents for GitHub Copilot CLI").
 * - `.cursor/agents`: cursor.com/docs/agent/subagents.
 */
const FOLDERS: readonly MarkdownFolder<AgentFileForm>[] = [
  { names: ['.gnomon', 'agents'], form: 'claude', of: ['user', 'project'] },
  { names: ['.claude', 'agents'], form: 'claude', of: ['user', 'project'] },
  { names: ['.github', 'agents'], form: 'vscode', of: ['project'] },
  { names: ['.copilot', 'agents'], form: 'vscode', of: ['user'] },
  { names: ['.cursor', 'agents'], form: 'cursor', of: ['user', 'project'] },
];
/** Modes of Roo Code (docs.roocode.com/features/custom-modes). */
const ROO = '.roomodes';

/** Reads the files with agents that there are, of the user and of the workspace. Rejects only when stopped. */
export async function readAgentFiles(places: MarkdownPlaces, signal: AbortSignal): Promise<readonly FoundAgentFile[]> {
  const [files, modes] = await Promise.all([readMarkdownFiles(places, FOLDERS, signal), readModes(places, signal)]);
  return [...files, ...modes];
}

async function readModes(places: MarkdownPlaces, signal: AbortSignal): Promise<readonly FoundAgentFile[]> {
  const bases = await reachedBases({ folders: places.folders }, places.guards);
  const read = bases.map(async ({ path, origin, reach }): Promise<readonly FoundAgentFile[]> => {
    const file = await readConfigurationFile({ path: join(path, ROO), maxBytes: MAX_BYTES, root: path, reach }, signal);
    return file === undefined ? [] : [{ origin: { ...origin, file: join(path, ROO), display: ROO }, form: 'roo', ...file }];
  });
  return (await Promise.all(read)).flat();
}

/** What is to be watched for changes of agents. */
export function agentPaths(places: BasePlaces): WatchedPlaces {
  return { files: places.folders.map((folder) => join(folder, ROO)), folders: watchedFolders(places, FOLDERS, '**/*.md') };
}
