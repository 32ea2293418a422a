import { ToolInputError } from '../../domain/errors.js';
import type { Failure } from '../../domain/tool/outcome.js';

/** The code of a system error, such as `ENOENT`; `undefined` for other errors. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const KNOWN: Readonly<Record<string, (file: string) => Failure | string>> = {
  ENOENT: (file) => ({ kind: 'not_found', file }),
  ENOTDIR: (file) => ({ kind: 'not_found', file, why: 'in_file' }),
  EISDIR: (file) => ({ kind: 'is_folder', file }),
  EACCES: (file) => ({ kind: 'inaccessible', file, wanted: 'access' }),
  EPERM: (file) => ({ kind: 'inaccessible', file, wanted: 'change' }),
  EROFS: (file) => `${file} is on a read-only file system.`,
  ENOSPC: (file) => `${file} could not be written: the disk is full.`,
  EDQUOT: (file) => `${file} could not be written: the disk quota is used up.`,
  ENAMETOOLONG: (file) => `${file} has too long a name.`,
  ELOOP: (file) => `${file} is a link, or has become one since the call was planned. Plan it again.`,
  ENXIO: (file) => `${file} is a socket or device, not a file.`,
  ETXTBSY: (file) => `${file} is a program that is running.`,
};

/** Turns a system error about a file into one of the tool, with the error as its cause; returns errors that no other call could avoid unchanged. */
export function fileProblem(path: string, error: unknown): unknown {
  const known = KNOWN[errorCode(error) ?? ''];
  return known === undefined ? error : new ToolInputError(known(path), { cause: error });
}
