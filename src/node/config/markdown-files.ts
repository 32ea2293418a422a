import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import { type ConfigurationFile, readConfigurationFile, readListedFile } from '../files/configuration-file.js';
import { realPathOf } from '../files/real-path.js';
import { isWithin } from '../files/within.js';
import type { LayerPlaces } from './layer-files.js';

/** Bytes of a file. */
const MAX_BYTES = 1024 * 1024;
/** Files of one folder that are read. */
const MAX_FILES = 500;
/** Folders below the one of a place that are looked into. */
const MAX_DEPTH = 4;

/** A folder with Markdown files of one form, such as `.claude/agents`. */
export interface MarkdownFolder<Form> {
  /** The names on the way to it from the workspace folder or the home folder. */
  readonly names: readonly string[];
  readonly form: Form;
  /** Whether there may be one in the home folder, too. */
  readonly ofUser: boolean;
}

/** Where a file is, and whose form it has. */
export interface FilePlace<Form> {
  readonly origin: ConfigOrigin;
  readonly form: Form;
  /** Whether it was found to be a file itself, no link, in a folder that does not lie outside of the workspace: nothing of that is looked at again. */
  readonly isListed?: true;
}

/** A file that there is. */
export type FoundFile<Form> = FilePlace<Form> & ConfigurationFile;

/** The Markdown files that there are in folders of the user and of the workspace, those of the user first. */
export async function markdownFiles<Form>({ folders, home }: LayerPlaces, places: readonly MarkdownFolder<Form>[]): Promise<readonly FilePlace<Form>[]> {
  const listed = await Promise.all([
    ...places.filter(({ ofUser }) => ofUser).map((place) => filesIn(home, place, (file, display) => ({ layer: 'user', file, display: `~/${display}` }))),
    ...folders.flatMap((folder) => places.map((place) => filesIn(folder, place, (file, display) => ({ layer: 'project', file, display, folder })))),
  ]);
  const all = listed.flat();
  // With the home folder open, its files are of the workspace: others could have put them there.
  const ofFolders = new Set(all.flatMap(({ origin }) => (origin.folder === undefined ? [] : [origin.file])));
  return all.filter(({ origin }) => origin.folder !== undefined || !ofFolders.has(origin.file));
}

/** Reads files; those of a workspace not through links that lead out of it. Nothing is believed because of that. Rejects only when stopped. */
export async function readFiles<Form>(all: readonly FilePlace<Form>[], { folders }: Pick<LayerPlaces, 'folders'>, signal: AbortSignal): Promise<readonly FoundFile<Form>[]> {
  const read = await Promise.all(
    all.map(async ({ origin, form, isListed }): Promise<readonly FoundFile<Form>[]> => {
      const within = origin.folder === undefined ? {} : { within: folders };
      const place = { path: origin.file, maxBytes: MAX_BYTES };
      const file = await (isListed === true ? readListedFile(place, signal) : readConfigurationFile({ ...place, ...within }, signal));
      return file === undefined ? [] : [{ origin, form, ...file }];
    }),
  );
  return read.flat();
}

/** The folders, to be watched for changes. */
export function watchedFolders<Form>({ folders, home }: LayerPlaces, places: readonly MarkdownFolder<Form>[]): readonly { readonly folder: string; readonly pattern: string }[] {
  const watched = (root: string, each: readonly MarkdownFolder<Form>[]): readonly { readonly folder: string; readonly pattern: string }[] => each.map(({ names }) => ({ folder: join(root, ...names), pattern: '**/*.md' }));
  return [...watched(home, places.filter(({ ofUser }) => ofUser)), ...folders.flatMap((folder) => watched(folder, places))];
}

async function filesIn<Form>(root: string, { names, form }: MarkdownFolder<Form>, originOf: (file: string, display: string) => ConfigOrigin): Promise<readonly FilePlace<Form>[]> {
  const folder = join(root, ...names);
  const found = (await namesBelow(folder, MAX_DEPTH)).slice(0, MAX_FILES);
  if (found.length === 0) return [];
  const [real, realRoot] = await Promise.all([realPathOf(folder), realPathOf(root)]);
  const isInside = isWithin(realRoot, real);
  return found.map(({ parts, isFile }) => ({ origin: originOf(join(folder, ...parts), [...names, ...parts].join('/')), form, ...(isFile && isInside ? { isListed: true } : {}) }));
}

/** A file below a folder, by the names on the way to it. */
interface NamedFile {
  readonly parts: readonly string[];
  /** Whether it is a file itself, and no link to one. */
  readonly isFile: boolean;
}

/** Markdown files below a folder, in the order of their names; links to folders are not followed. */
async function namesBelow(folder: string, depth: number): Promise<readonly NamedFile[]> {
  // A folder that is not there has no files; one that cannot be listed has none that could be read.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_FILES);
  const found = await Promise.all(
    sorted.map(async (entry) => {
      if (!entry.isDirectory()) return entry.name.toLowerCase().endsWith('.md') ? [{ parts: [entry.name], isFile: entry.isFile() }] : [];
      return depth === 0 ? [] : (await namesBelow(join(folder, entry.name), depth - 1)).map(({ parts, isFile }) => ({ parts: [entry.name, ...parts], isFile }));
    }),
  );
  return found.flat();
}
