import { type BasePlaces, watchedFolders, type WatchedPlaces } from './bases.js';
import { type FoundFile, type MarkdownFolder, type MarkdownPlaces, readMarkdownFiles } from './markdown-files.js';

/** Folders with output styles: code.claude.com/docs/en/output-styles; those of Gnomon have files of the same form. */
const FOLDERS: readonly MarkdownFolder<'claude'>[] = [
  { names: ['.gnomon', 'output-styles'], form: 'claude', of: ['user', 'project'] },
  { names: ['.claude', 'output-styles'], form: 'claude', of: ['user', 'project'] },
];

/** Reads the files with output styles that there are, of the user and of the workspace folders. Rejects only when stopped. */
export async function readStyleFiles(places: MarkdownPlaces, signal: AbortSignal): Promise<readonly FoundFile<'claude'>[]> {
  return readMarkdownFiles(places, FOLDERS, signal);
}

/** What is to be watched for changes of output styles. */
export function stylePaths(places: BasePlaces): WatchedPlaces {
  return { files: [], folders: watchedFolders(places, FOLDERS, '**/*.md') };
}
