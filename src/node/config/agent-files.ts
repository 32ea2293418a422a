import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import { type ConfigurationFile, readConfigurationFile } from '../files/configuration-file.js';
import type { LayerPlaces } from './layer-files.js';

/** Bytes of a file. */
const MAX_BYTES = 1024 * 1024;
/** Files of one folder that are read. */
const MAX_FILES = 500;
/** Folders below the one of a place that are looked into. */
const MAX_DEPTH = 4;

/** Whose form a file with agents has; `roo` is a list of modes. */
export type AgentFileForm = 'claude' | 'vscode' | 'cursor' | 'roo';

/** A file with agents that there is. */
export type FoundAgentFile = { readonly origin: ConfigOrigin; readonly form: AgentFileForm } & ConfigurationFile;

interface AgentFolder {
  readonly names: readonly string[];
  readonly form: AgentFileForm;
  /** How the names of files end. */
  readonly ending: string;
}

/**
 * Folders with agents, of workspaces and of the user.
 *
 * - `.claude/agents`: code.claude.com/docs/en/sub-agents; `.gnomon/agents` has files of the same form.
 * - `.github/agents`: code.visualstudio.com/docs/agents/reference/custom-agent-file-reference.
 * - `.cursor/agents`: cursor.com/docs/agent/subagents.
 */
const FOLDERS: readonly AgentFolder[] = [
  { names: ['.gnomon', 'agents'], form: 'claude', ending: '.md' },
  { names: ['.claude', 'agents'], form: 'claude', ending: '.md' },
  { names: ['.github', 'agents'], form: 'vscode', ending: '.md' },
  { names: ['.cursor', 'agents'], form: 'cursor', ending: '.md' },
];
/** Those of the user. */
const OF_USER = FOLDERS.filter(({ form }) => form !== 'vscode');
/** Modes of Roo Code (docs.roocode.com/features/custom-modes). */
const ROO = '.roomodes';

/** Reads the files with agents that there are, of the user and of the workspace folders. Nothing is believed because of that. */
export async function readAgentFiles(places: LayerPlaces, signal: AbortSignal): Promise<readonly FoundAgentFile[]> {
  const { folders, home } = places;
  const listed = await Promise.all([
    ...OF_USER.map((place) => originsIn(home, place, (file, display) => ({ layer: 'user', file, display: `~/${display}` }))),
    ...folders.flatMap((folder) => FOLDERS.map((place) => originsIn(folder, place, (file, display) => ({ layer: 'project', file, display, folder })))),
  ]);
  const roo = folders.map((folder) => ({ origin: { layer: 'project' as const, file: join(folder, ROO), display: ROO, folder }, form: 'roo' as const }));
  // With the home folder open, its files are of the workspace: others could have put them there.
  const ofFolders = new Set(listed.flat().flatMap(({ origin }) => (origin.folder === undefined ? [] : [origin.file])));
  const all = [...listed.flat().filter(({ origin }) => origin.folder !== undefined || !ofFolders.has(origin.file)), ...roo];
  const read = await Promise.all(
    all.map(async ({ origin, form }): Promise<readonly FoundAgentFile[]> => {
      const within = origin.folder === undefined ? {} : { within: folders };
      const file = await readConfigurationFile({ path: origin.file, maxBytes: MAX_BYTES, ...within }, signal);
      return file === undefined ? [] : [{ origin, form, ...file }];
    }),
  );
  return read.flat();
}

/** What is to be watched for changes of agents. */
export function agentPaths({ folders, home }: LayerPlaces): { readonly files: readonly string[]; readonly folders: readonly { readonly folder: string; readonly pattern: string }[] } {
  const watched = (root: string, places: readonly AgentFolder[]): readonly { readonly folder: string; readonly pattern: string }[] => places.map(({ names }) => ({ folder: join(root, ...names), pattern: '**/*.md' }));
  return { files: folders.map((folder) => join(folder, ROO)), folders: [...watched(home, OF_USER), ...folders.flatMap((folder) => watched(folder, FOLDERS))] };
}

async function originsIn(root: string, { names, form, ending }: AgentFolder, originOf: (file: string, display: string) => ConfigOrigin): Promise<readonly { readonly origin: ConfigOrigin; readonly form: AgentFileForm }[]> {
  const found = (await namesBelow(join(root, ...names), ending, MAX_DEPTH)).slice(0, MAX_FILES);
  return found.map((parts) => ({ origin: originOf(join(root, ...names, ...parts), [...names, ...parts].join('/')), form }));
}

/** Files below a folder by the names on the way to them, in the order of these; links to folders are not followed. */
async function namesBelow(folder: string, ending: string, depth: number): Promise<readonly (readonly string[])[]> {
  // A folder that is not there has no files; one that cannot be listed has none that could be read.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_FILES);
  const found = await Promise.all(
    sorted.map(async (entry) => {
      if (!entry.isDirectory()) return entry.name.toLowerCase().endsWith(ending) ? [[entry.name]] : [];
      return depth === 0 ? [] : (await namesBelow(join(folder, entry.name), ending, depth - 1)).map((names) => [entry.name, ...names]);
    }),
  );
  return found.flat();
}
