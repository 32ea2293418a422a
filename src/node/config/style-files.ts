import type { LayerPlaces } from './layer-files.js';
import { type FoundFile, type MarkdownFolder, markdownFiles, readFiles, watchedFolders } from './markdown-files.js';

/** Folders with output styles: code.claude.com/docs/en/output-styles; those of Gnomon have files of the same form. */
const FOLDERS: readonly MarkdownFolder<'claude'>[] = [
  { names: ['.gnomon', 'output-styles'], form: 'claude', ofUser: true },
  { names: ['.claude', 'output-styles'], form: 'claude', ofUser: true },
];

/** Reads the files with output styles that there are, of the user and of the workspace folders. Rejects only when stopped. */
export async function readStyleFiles(places: LayerPlaces, signal: AbortSignal): Promise<readonly FoundFile<'claude'>[]> {
  return readFiles(await markdownFiles(places, FOLDERS), places, signal);
}

/** What is to be watched for changes of output styles. */
export function stylePaths(places: LayerPlaces): { readonly files: readonly string[]; readonly folders: readonly { readonly folder: string; readonly pattern: string }[] } {
  return { files: [], folders: watchedFolders(places, FOLDERS) };
}
