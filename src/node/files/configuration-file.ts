import { errorMessage } from '../../domain/errors.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { decodeText } from '../../text/encoding.js';
import { exists } from './exists.js';
import { errorCode } from './file-errors.js';
import { readBytes } from './read-bytes.js';
import { realPathOf } from './real-path.js';
import { isWithin } from './within.js';

/** What was found where a configuration file may be: its text, or why it cannot be read, as a sentence for the user. */
export type ConfigurationFile = { readonly text: string } | { readonly problem: string };

/** Where a configuration file may be. */
export interface ConfigurationPlace {
  /** Absolute path. */
  readonly path: string;
  readonly maxBytes: number;
  /** Absolute paths of folders in one of which the file has to lie; absent for files of the user, which may be links. */
  readonly within?: readonly string[] | undefined;
}

/** What the decoder removed, so that it is reported: other programs may not read such a file. */
const BYTE_ORDER_MARKS = { utf8bom: '\uFEFF', utf16le: '\uFEFF', utf16be: '\uFEFF', windows1252: '' } as const;

/** Reads a configuration file; `undefined` where there is none. Of a link that leads out of the workspace only that is told. Rejects only when stopped. */
export async function readConfigurationFile({ path, maxBytes, within }: ConfigurationPlace, signal: AbortSignal): Promise<ConfigurationFile | undefined> {
  try {
    if (!(await exists(path))) return undefined;
    const real = await realPlace({ path, within });
    const file = await readListedFile({ path: real, maxBytes }, signal);
    if (file !== undefined || !(await exists(path))) return file;
    throw new Error(t('It is a link to {0}, which is not there.', escapeHidden(real)));
  } catch (error) {
    signal.throwIfAborted();
    return { problem: errorMessage(error) };
  }
}

/**
 * The path of a configuration file without links.
 * @throws Error for a link that leads out of the workspace; a sentence for the user.
 */
export async function realPlace({ path, within }: Omit<ConfigurationPlace, 'maxBytes'>): Promise<string> {
  const real = await realPathOf(path);
  if (within !== undefined && !(await isInside(real, within))) throw new Error(t('It is a link to {0}, outside the workspace.', escapeHidden(real)));
  return real;
}

/** Reads a configuration file by a path without links, as it has been listed in a folder that was looked at; `undefined` when it is gone. Rejects only when stopped. */
export async function readListedFile({ path, maxBytes }: Omit<ConfigurationPlace, 'within'>, signal: AbortSignal): Promise<ConfigurationFile | undefined> {
  try {
    const { bytes } = await readBytes(path, maxBytes, signal);
    const decoded = decodeText(bytes);
    if (decoded === undefined) throw new Error(t('It is not a text file.'));
    return { text: `${decoded.encoding === 'utf8' ? '' : BYTE_ORDER_MARKS[decoded.encoding]}${decoded.text}` };
  } catch (error) {
    signal.throwIfAborted();
    if (errorCode(error) === 'ENOENT') return undefined;
    return { problem: errorMessage(error) };
  }
}

async function isInside(real: string, folders: readonly string[]): Promise<boolean> {
  const roots = await Promise.all(folders.map((folder) => realPathOf(folder)));
  return roots.some((root) => isWithin(root, real));
}
