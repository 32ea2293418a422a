import { resolve } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import type { UsedFile } from '../../domain/workspace/used-file.js';
import { type VariableValues, folderOf } from '../config/resolve-config.js';
import { type EffectiveEntry, effectiveEntry } from './effective-entry.js';
import { type PathsToLookAt, decidingVariables, pathsToLookAt } from './looked-at.js';

/** Reads the files that entries use; `src/node/mcp` has both functions. */
export interface EntryFiles {
  /** The files in the workspace among some paths. @param place.folder what `cwd` is relative to */
  usedFiles(paths: readonly string[], cwd: string, place: { readonly folders: readonly string[]; readonly folder: string }, signal: AbortSignal): Promise<readonly UsedFile[]>;
  /** The variables in a file. @throws Error with a message for the user */
  readEnvFile(path: string, folders: readonly string[], signal: AbortSignal): Promise<{ readonly variables: Readonly<Record<string, string>>; readonly file: UsedFile }>;
}

/** An entry with all that was looked at for it. */
export interface ExaminedEntry {
  readonly effective: EffectiveEntry;
  /** What its file with variables has, from the same reading as the hash in `effective`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Why the file with variables cannot be used, so that the server cannot start. */
  readonly problem?: string;
}

/**
 * Looks at an entry and the files that it uses, to compare it with what the user has approved. To be done right before each start: what was
 * looked at earlier may have changed. Nothing is started, and nothing of the environment leaves this function but as a hash.
 */
export async function examineEntry(entry: McpEntry, values: VariableValues, files: EntryFiles, signal: AbortSignal): Promise<ExaminedEntry> {
  const look = pathsToLookAt(entry, values);
  const folders = values.folders.map(({ path }) => path);
  const folder = folderOf(entry, values)?.path;
  const place = { folders, folder: folder ?? values.home };
  const used = look === undefined ? [] : await files.usedFiles(look.paths, look.cwd, place, signal);
  const env = await envFileOf(entry, look, { files, place, signal });
  const seen = { files: used, variables: decidingVariables(entry, values), ...(folder === undefined ? {} : { folder }), ...(env.file === undefined ? {} : { envFile: env.file }) };
  return { effective: effectiveEntry(entry, seen), variables: env.variables, ...(env.problem === undefined ? {} : { problem: env.problem }) };
}

interface FoundEnvFile {
  readonly variables: Readonly<Record<string, string>>;
  readonly file?: UsedFile;
  readonly problem?: string;
}

/** With what files are read. */
interface Means {
  readonly files: EntryFiles;
  readonly place: { readonly folders: readonly string[]; readonly folder: string };
  readonly signal: AbortSignal;
}

async function envFileOf({ config }: McpEntry, look: PathsToLookAt | undefined, { files, place, signal }: Means): Promise<FoundEnvFile> {
  if (config.type !== 'stdio' || config.envFile === undefined) return { variables: {} };
  // A path that is not known yet could lead to a file that nobody has approved.
  if (look?.envFile === undefined) return { variables: {}, problem: t('The path of the file with variables, “envFile”, must not contain inputs or variables that are not set.') };
  try {
    return await files.readEnvFile(resolve(place.folder, look.envFile), place.folders, signal);
  } catch (error) {
    signal.throwIfAborted();
    return { variables: {}, problem: errorMessage(error) };
  }
}
