import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { CommandFile } from '../../domain/config/skill.js';
import type { ConfigurationFile } from '../files/configuration-file.js';
import { type BasePlaces, foldersOf, originIn, projectFirst, reachedBases, watchedFolders, type WatchedPlaces } from './bases.js';
import type { MarkdownPlaces } from './markdown-files.js';
import { COMMAND_FOLDERS } from './place-table.js';
import { eachOf, readWalked, type WalkedFile, walkFiles, type Wanted } from './walk-files.js';

/** Bytes of a file: all of it may go into a message. */
const MAX_BYTES = 256 * 1024;

/** A file with a command, or what keeps files from being read. */
export type CommandFileText = {
  readonly origin: ConfigOrigin;
  readonly dialect: CommandFile['dialect'];
  /** From the folder of commands on, with slashes; empty for a problem of the folder. */
  readonly path: string;
} & ConfigurationFile;

/** What is looked for in a folder. Prompts of VS Code lie right in theirs. */
const WANTED: Readonly<Record<CommandFile['dialect'], Wanted>> = {
  claude: { name: isCommand },
  plain: { name: isCommand },
  vscode: { name: (name) => name.toLowerCase().endsWith('.prompt.md'), flat: true },
};

/** What is to be watched for changes of commands. */
export function commandPaths(places: BasePlaces): WatchedPlaces {
  return { files: [], folders: watchedFolders(places, COMMAND_FOLDERS, '**') };
}

/**
 * Reads the files with commands, in the order of their folders and paths, those of the workspace first. Nothing is believed because of that.
 * Rejects only when stopped.
 */
export async function readCommandFiles(places: MarkdownPlaces, signal: AbortSignal): Promise<readonly CommandFileText[]> {
  const folders = foldersOf(projectFirst(reachedBases(places, places.guards)), COMMAND_FOLDERS);
  const walked = await Promise.all(
    folders.map(async ({ folder, place: { form: dialect } }) => ({ folder, dialect, walk: await walkFiles(folder, WANTED[dialect], signal) })),
  );
  const seen = new Set<string>();
  const found = walked.flatMap(({ folder, dialect, walk }) => [
    ...walk.files.filter((file) => isFirst(file, seen)).map(({ parts, ...file }) => ({ parts, path: parts.join('/'), file, folder, dialect })),
    ...walk.problems.map(({ parts, message }) => ({ parts, path: '', file: { real: '', refusal: message }, folder, dialect })),
  ]);
  return eachOf(
    found,
    async ({ file, folder, dialect, path, parts }): Promise<readonly CommandFileText[]> => {
      const text = await readWalked(file, MAX_BYTES, signal);
      return text === undefined ? [] : [{ origin: originIn(folder, parts), dialect, path, ...text }];
    },
    signal,
  );
}

/** Whether a file is not there already under the same name; under another one, it is another command. */
function isFirst({ real, parts, refusal }: WalkedFile, seen: Set<string>): boolean {
  const key = `${real}\n${parts.join('/')}`;
  if (refusal !== undefined || !seen.has(key)) {
    seen.add(key);
    return true;
  }
  return false;
}

function isCommand(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.endsWith('.md') && lower !== 'readme.md';
}
