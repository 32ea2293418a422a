import { present } from '../../domain/present.js';
import { resolve } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import { NOTHING_BOUND, type Binding, type Bound, type BoundPlaces } from '../../domain/workspace/binding.js';
import type { UsedFile } from '../../domain/workspace/used-file.js';
import { type VariableValues, folderOf } from '../config/resolve-config.js';
import { type EffectiveEntry, effectiveEntry } from './effective-entry.js';
import { addsToEarlier, notBoundSentences } from '../../text/command-line/not-bound.js';
import { type PathsToLookAt, bindingOfEntry, decidingVariables, pathsToLookAt, steeringVariables } from './looked-at.js';

/** Reads the files that entries use; `src/node/mcp` has both functions. */
export interface EntryFiles {
  /** Reads the files that a binding names. @param place.folder what its paths are relative to */
  boundContent(binding: Binding, place: { readonly folders: readonly string[]; readonly folder: string }, signal: AbortSignal): Promise<Bound>;
  /** The variables in a file. @throws Error with a message for the user */
  readEnvFile(
    path: string,
    folders: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly variables: Readonly<Record<string, string>>; readonly file: UsedFile }>;
}

/** An entry with all that was looked at for it. */
export interface ExaminedEntry {
  readonly effective: EffectiveEntry;
  /** Parts of the server that an approval does not cover, as sentences to read before approving. */
  readonly notBound: readonly string[];
  /** Whether the approval covers, or mentions, more than one of an earlier version of Gnomon. */
  readonly adds: boolean;
  /** Where what it is bound to is. */
  readonly places: BoundPlaces;
  /** Variables of its `envFile`, from the same read as the hash in `effective`. */
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
  const env = await envFileOf(entry, look, { files, place, signal });
  const binding = bindingOfEntry(entry, values, env.variables);
  const bound = binding === undefined ? NOTHING_BOUND : await files.boundContent(binding, place, signal);
  const beside = present({ folder, envFile: env.file });
  const steering = steeringVariables(entry, values);
  const effective = effectiveEntry(entry, {
    files: bound.files,
    added: bound.added,
    folders: bound.folders,
    variables: decidingVariables(entry, values),
    steering,
    ...beside,
  });
  const { places, notBound } = bound;
  return {
    effective,
    notBound: notBoundSentences(notBound),
    adds: addsToEarlier(bound) || steering.length > 0,
    places,
    variables: env.variables,
    ...present({ problem: env.problem }),
  };
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
  // A path that is not known yet could lead to a file that has not been approved.
  if (look?.envFile === undefined)
    return { variables: {}, problem: t('The path of the file with variables, “envFile”, must not contain inputs or variables that are not set.') };
  try {
    return await files.readEnvFile(resolve(place.folder, look.envFile), place.folders, signal);
  } catch (error) {
    signal.throwIfAborted();
    return { variables: {}, problem: errorMessage(error) };
  }
}
