import { relative, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { UsedFile } from '../../domain/workspace/used-file.js';
import { decodeText } from '../../text/encoding.js';
import { errorCode } from '../files/file-errors.js';
import { realPathOf } from '../files/real-path.js';
import { isWithin } from '../files/within.js';
import { readBytes } from '../files/read-bytes.js';

/** Bytes of a file with variables. */
const MAX_BYTES = 1024 * 1024;
/** Variables of one file. */
const MAX_VARIABLES = 1_000;

/** A file with variables, as it is now. */
export interface EnvFile {
  readonly variables: Readonly<Record<string, string>>;
  /** The file itself, from the same reading. */
  readonly file: UsedFile;
}

/**
 * Reads a file with variables for a server. Its syntax is that of Node.js (`util.parseEnv`): `NAME=value` by line, comments with
 * `#`, quotes of three kinds, and `export` before a name; variables in it are not replaced.
 * @param path absolute. Inside the workspace, a link that leads out of it is refused: what is shown there is not what would be read.
 * @throws Error with a message for the user when it cannot be read, or says what is no variable
 */
export async function readEnvFile(path: string, folders: readonly string[], signal: AbortSignal): Promise<EnvFile> {
  const real = await locate(path, folders);
  const { bytes, sha256 } = await readBytes(real, MAX_BYTES, signal).catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT' ? missing(path) : error;
  });
  const decoded = decodeText(bytes);
  if (decoded === undefined) throw new Error(t('It is not a text file.'));
  const entries = Object.entries(parseEnv(decoded.text)).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const wrong = entries.find(([name]) => !/^[A-Za-z_][\w.-]*$/.test(name));
  if (wrong !== undefined) throw new Error(t('“{0}” in {1} is not the name of a variable.', escapeHidden(wrong[0].slice(0, 80)), escapeHidden(path)));
  if (entries.length > MAX_VARIABLES) throw new Error(t('The file {0} has more than {1} variables.', escapeHidden(path), MAX_VARIABLES));
  const root = folders.find((folder) => isWithin(folder, path));
  return {
    variables: Object.fromEntries(entries),
    file: { path: escapeHidden(root === undefined ? path : relative(root, path).split(sep).join('/')), sha256 },
  };
}

async function locate(path: string, folders: readonly string[]): Promise<string> {
  const real = await realPathOf(path);
  const roots = await Promise.all(folders.map((folder) => realPathOf(folder)));
  const isNamedInside = [...folders, ...roots].some((root) => isWithin(root, path));
  if (isNamedInside && !roots.some((root) => isWithin(root, real))) throw new Error(t('It is a link to {0}, outside the workspace.', escapeHidden(real)));
  return real;
}

function missing(path: string): Error {
  return new Error(t('The file {0} does not exist.', escapeHidden(path)));
}
