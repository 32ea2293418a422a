import type { Documents, FileStat } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import type { ResultLine } from '../../domain/tool/model-notes.js';
import type { MayShow, Search } from '../../domain/workspace/search.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { named } from '../calls/places.js';
import type { RunContext, Sealed } from '../calls/sealed.js';
import { namesShown } from '../searching/search-roots.js';
import { showName, showSize } from '../../text/show.js';

/** Entries that one call gives at most. */
export const LISTED_ENTRIES = 500;
/** Names of a folder that are sorted; of more, the first in alphabetical order. */
const KNOWN_NAMES = 10_000;
/** Entries that the system is asked about at once. */
const BATCH = 50;

/** What is looked through to list a folder. */
export interface FolderDeps {
  readonly documents: Sealed<Documents>;
  readonly search: Sealed<Search>;
  /** Makes what says which names are shown; of the others nothing is found out. */
  readonly readGuard: () => Promise<MayShow>;
}

/** Which entries of a folder are wanted. */
export interface FolderPage {
  readonly location: FileLocation;
  /** Number of the first one, from 1. */
  readonly first: number;
}

/**
 * What is right in a folder, folders first, files with their sizes, one entry a line, and how to continue. What searches
 * do not look into is marked. What may not be read without a question is left out, unless the folder itself is of that kind.
 * @throws ToolInputError when there is no such entry, or the folder cannot be looked into.
 */
export async function folderEntries(deps: FolderDeps, { location, first }: FolderPage, context: RunContext): Promise<readonly ResultLine[]> {
  const { signal } = context;
  const name = showName(location.display);
  const [documents, search] = [deps.documents.for(context), deps.search.for(context)];
  const isShown = namesShown(location, await deps.readGuard());
  const { names: all, more } = await named(location, documents.list(location.real, KNOWN_NAMES, signal));
  const names = all.filter((entry) => isShown(pathIn(location.real, entry)));
  if (names.length === 0) return [`${name} is empty.`];
  if (first > names.length)
    throw new ToolInputError(`${name} has ${names.length === 1 ? '1 entry' : `${names.length} entries`}; offset ${first} is past the end.`);
  const sorted = [...names.filter(isFolder), ...names.filter((entry) => !isFolder(entry))];
  const shown = sorted.slice(first - 1, first - 1 + LISTED_ENTRIES);
  const searched = await search.searched?.(location.real, { amount: names.length, accepts: isShown }, signal);
  const folder: Folder = { documents, isShown, path: location.real, searched };
  const lines: string[] = [];
  for (let at = 0; at < shown.length; at += BATCH)
    lines.push(...(await Promise.all(shown.slice(at, at + BATCH).map((entry) => entryLine(folder, entry, signal)))));
  const last = first - 1 + shown.length;
  if (last === names.length && !more) return lines;
  const next = last < names.length ? ` Continue with offset ${last + 1}.` : ' Use glob or a command for the rest.';
  return [...lines, { note: `[PARTIAL: entries ${first}-${last} of ${more ? 'more than ' : ''}${names.length}.${next}]` }];
}

interface Folder {
  readonly documents: Documents;
  readonly isShown: (path: string) => boolean;
  readonly path: string;
  /** The names that searches look into; `undefined` when that is not known. */
  readonly searched: ReadonlySet<string> | undefined;
}

function isFolder(entry: string): boolean {
  return entry.endsWith('/');
}

/** One entry: `src/`, `dist/ (ignored)`, `notes.md 1.2 KB`. */
async function entryLine(folder: Folder, entry: string, signal: AbortSignal): Promise<string> {
  const plain = entry.replace(/\/$/, '');
  const path = pathIn(folder.path, entry);
  const isUnsearched = folder.searched?.has(plain) === false;
  if (isFolder(entry)) return showName(entry) + (isUnsearched ? await emptyOrIgnored(folder, path, signal) : '');
  const stat = await statOf(folder.documents, path, signal);
  return showName(plain) + kindOf(stat) + (isUnsearched && stat?.type === 'file' ? ' (ignored)' : '');
}

async function emptyOrIgnored({ documents, isShown }: Folder, path: string, signal: AbortSignal): Promise<string> {
  const { names } = await documents.list(path, KNOWN_NAMES, signal).catch((error: unknown) => {
    if (error instanceof ToolInputError) return { names: ['?'] };
    throw error;
  });
  return names.some((entry) => isShown(pathIn(path, entry))) ? ' (ignored)' : ' (empty)';
}

function pathIn(folder: string, entry: string): string {
  return `${folder.replace(/[/\\]$/, '')}/${entry.replace(/\/$/, '')}`;
}

/** A link to nothing, and what may not be looked at, has no kind. */
async function statOf(documents: Documents, path: string, signal: AbortSignal): Promise<FileStat | undefined> {
  return documents.stat(path, signal).catch((error: unknown) => {
    if (error instanceof ToolInputError) return undefined;
    throw error;
  });
}

function kindOf(stat: FileStat | undefined): string {
  switch (stat?.type) {
    case 'file':
      return ` ${showSize(stat.size)}`;
    case 'directory':
      return '/ (link)';
    case 'other':
      return ' (device)';
    default:
      return ' (broken link)';
  }
}
