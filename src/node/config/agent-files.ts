import { present } from '../../domain/present.js';
import { readConfigurationFile } from '../files/configuration-file.js';
import { type BasePlaces, filesAt, foldersOf, originIn, reachedBases, watchedFolders, type WatchedPlaces } from './bases.js';
import { type FoundFile, type MarkdownPlaces, readMarkdownFiles } from './markdown-files.js';
import { AGENT_FOLDERS, AGENT_LISTS, type AgentFileForm } from './place-table.js';

/** Bytes of a list of agents. */
const MAX_BYTES = 1024 * 1024;

/** A file with agents that there is. */
export type FoundAgentFile = FoundFile<AgentFileForm>;

/** Reads the files with agents that there are, of the user and of the workspace. Rejects only when stopped. */
export async function readAgentFiles(places: MarkdownPlaces, signal: AbortSignal): Promise<readonly FoundAgentFile[]> {
  const [files, lists] = await Promise.all([readMarkdownFiles(places, AGENT_FOLDERS, signal), readLists(places, signal)]);
  return [...files, ...lists];
}

async function readLists(places: MarkdownPlaces, signal: AbortSignal): Promise<readonly FoundAgentFile[]> {
  const bases = reachedBases({ folders: places.folders, ...present({ layers: places.layers }) }, places.guards);
  const read = foldersOf(bases, AGENT_LISTS).map(async ({ folder, place: { form } }): Promise<readonly FoundAgentFile[]> => {
    const file = await readConfigurationFile({ path: folder.path, maxBytes: MAX_BYTES, root: folder.base, reach: folder.reach }, signal);
    return file === undefined ? [] : [{ origin: originIn(folder, []), form, ...file }];
  });
  return (await Promise.all(read)).flat();
}

/** What is to be watched for changes of agents. */
export function agentPaths(places: BasePlaces): WatchedPlaces {
  return { files: filesAt(places, AGENT_LISTS).map(({ origin }) => origin.file), folders: watchedFolders(places, AGENT_FOLDERS, '**/*.md') };
}
