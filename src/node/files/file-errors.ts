import { ToolInputError } from '../../domain/errors.js';

/** The code of a system error, such as `ENOENT`; `undefined` for other errors. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist. Use list or glob to see what is there',
  ENOTDIR: 'does not exist: a part of its path is a file, not a folder',
  EISDIR: 'is a folder. Use list to see what is in it',
  EACCES: 'may not be accessed: the system denies permission',
  EPERM: 'may not be changed: the system does not permit it',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'could not be written: the disk is full',
  EDQUOT: 'could not be written: the disk quota is used up',
  ENAMETOOLONG: 'has too long a name',
  ELOOP: 'is a link, or has become one since the call was planned. Plan it again',
  ENXIO: 'is a socket or device, not a file',
  ETXTBSY: 'is a program that is running',
};

/** Turns a system error about a file into a message for the model, with the error as its cause; returns errors that no other call could avoid unchanged. */
export function fileProblem(path: string, error: unknown): unknown {
  const advice = ADVICE[errorCode(error) ?? ''];
  return advice === undefined ? error : new ToolInputError(`${path} ${advice}.`, { cause: error });
}
