import { type BasePlaces, watchedFolders, type WatchedPlaces } from './bases.js';
import { type FoundFile, type MarkdownPlaces, readMarkdownFiles } from './markdown-files.js';
import { STYLE_FOLDERS } from './place-table.js';

/** Reads the files with output styles that there are, of the user and of the workspace folders. Rejects only when stopped. */
export async function readStyleFiles(places: MarkdownPlaces, signal: AbortSignal): Promise<readonly FoundFile<'claude'>[]> {
  return readMarkdownFiles(places, STYLE_FOLDERS, signal);
}

/** What is to be watched for changes of output styles. */
export function stylePaths(places: BasePlaces): WatchedPlaces {
  return { files: [], folders: watchedFolders(places, STYLE_FOLDERS, '**/*.md') };
}
