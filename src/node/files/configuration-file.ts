import { join, relative } from 'node:path';
import { ToolInputError, errorMessage } from '../../domain/errors.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { decodeText } from '../../text/encoding.js';
import { exists } from './exists.js';
import { errorCode } from './file-errors.js';
import { type LinkReach, linkRefusal } from './link-reach.js';
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
  /** The folder in which programs look for it, such as the workspace folder: that may be reached through a link, whatever {@link reach} says. */
  readonly root: string;
  readonly reach: LinkReach;
}

/** What the decoder removed, so that it is reported: other programs may not read such a file. */
const BYTE_ORDER_MARKS = { utf8bom: '\uFEFF', utf16le: '\uFEFF', utf16be: '\uFEFF', windows1252: '' } as const;

/** Reads a configuration file; `undefined` where there is none. A link that must not be followed is only reported. Rejects only when stopped. */
export async function readConfigurationFile({ path, maxBytes, root, reach }: ConfigurationPlace, signal: AbortSignal): Promise<ConfigurationFile | undefined> {
  try {
    if (!(await exists(path))) return undefined;
    const [real, realRoot] = await Promise.all([realPathOf(path), realPathOf(root)]);
    const refusal = real === join(realRoot, relative(root, path)) ? undefined : await linkRefusal(real, reach);
    if (refusal !== undefined) return { problem: refusal };
    const file = await readRealFile({ path: real, maxBytes }, signal);
    if (file !== undefined || !(await exists(path))) return file;
    return { problem: t('It is a link to {0}, which is not there.', escapeHidden(real)) };
  } catch (error) {
    signal.throwIfAborted();
    return { problem: readProblem(error) };
  }
}

/**
 * The path of a configuration file without links, for it to be changed.
 * @param within absolute paths of folders in one of which it has to lie; absent for files of the user
 * @throws Error for a link that leads out of the workspace; a sentence for the user.
 */
export async function realPlace({ path, within }: { readonly path: string; readonly within?: readonly string[] | undefined }): Promise<string> {
  const real = await realPathOf(path);
  if (within !== undefined && !(await isInside(real, within))) throw new Error(t('It is a link to {0}, outside the workspace.', escapeHidden(real)));
  return real;
}

/**
 * Reads a configuration file by the path that was judged; `undefined` when it is gone. What has been put in its place since, or in that of a
 * folder on the way, is not read. Rejects only when stopped.
 * @param path absolute, without links
 */
export async function readRealFile(file: Pick<ConfigurationPlace, 'path' | 'maxBytes'>, signal: AbortSignal): Promise<ConfigurationFile | undefined> {
  try {
    const { bytes } = await readBytes(file.path, file.maxBytes, signal);
    const decoded = decodeText(bytes);
    if (decoded === undefined) return { problem: t('It is not a text file.') };
    return { text: `${decoded.encoding === 'utf8' ? '' : BYTE_ORDER_MARKS[decoded.encoding]}${decoded.text}` };
  } catch (error) {
    signal.throwIfAborted();
    if (systemCode(error) === 'ENOENT') return undefined;
    return { problem: readProblem(error) };
  }
}

/** Why a file or folder of a configuration could not be looked at, as a sentence for the user. The words of {@link ToolInputError} are for models. */
export function readProblem(error: unknown): string {
  const code = systemCode(error);
  if (code === 'EACCES' || code === 'EPERM') return t('The system does not allow Gnomon to read it.');
  if (code === 'ELOOP') return t('It is a link that leads to itself.');
  if (!(error instanceof ToolInputError)) return errorMessage(error);
  return code === undefined ? t('It was replaced by something else while it was read.') : t('It cannot be read: {0}.', code);
}

/** The code of a system error, also where it was turned into words for models. */
function systemCode(error: unknown): string | undefined {
  return errorCode(error) ?? (error instanceof Error ? errorCode(error.cause) : undefined);
}

async function isInside(real: string, folders: readonly string[]): Promise<boolean> {
  const roots = await Promise.all(folders.map((folder) => realPathOf(folder)));
  return roots.some((root) => isWithin(root, real));
}
