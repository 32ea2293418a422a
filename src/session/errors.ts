import { errorMessage } from '../domain/errors.js';
import { fileErrorCode } from '../domain/workspace/file-layer.js';
import { t } from '../domain/l10n.js';

/** Why a session cannot be opened: it is open elsewhere; it was asked for, and its window works on it or does not answer. */
export type BusyReason = 'open' | 'working' | 'silent';

const BUSY: Readonly<Record<BusyReason, () => string>> = {
  open: () => t('This chat is open in another window. Close it there, or continue in that window.'),
  working: () => t('Gnomon is working on this chat in another window. Stop it there or wait until it has finished, then take over the chat.'),
  silent: () => t('The other window in which this chat is open is not responding. Try again, close that window, or open a copy.'),
};

/** A session that another window, or another view of this one, has open. */
export class SessionBusyError extends Error {
  override readonly name = 'SessionBusyError';
  constructor(
    readonly sessionId: string,
    readonly busy: BusyReason = 'open',
  ) {
    super(BUSY[busy]());
  }
}

/** What could not be put on the disk. Nothing is lost: it stays in memory and is written with the next call. */
export class SessionWriteError extends Error {
  override readonly name = 'SessionWriteError';
  /** The platform's code, such as `ENOSPC`. */
  readonly code: string | undefined;
  constructor(cause: unknown) {
    super(t('The chat could not be saved: {0} It stays in memory, and Gnomon will try to save it again with the next message.', reason(cause)), { cause });
    this.code = fileErrorCode(cause);
  }
}

const REASONS: Readonly<Record<string, () => string>> = {
  ENOSPC: () => t('the disk is full. Free up some space.'),
  EDQUOT: () => t('your disk quota has been reached. Free up some space.'),
  EROFS: () => t('the disk is read-only.'),
  EACCES: () => t('access to the chat storage folder was denied. Check its permissions.'),
  EPERM: () => t('the operation was not permitted. Check the permissions of the chat storage folder and whether antivirus software has locked the file.'),
  EBUSY: () => t('the file is in use by another program. Close that program, such as antivirus software or a sync client.'),
  EIO: () => t('the disk reported an error. Check the disk.'),
  ENOENT: () => t('the chat storage folder is missing.'),
  EMFILE: () => t('too many files are open.'),
  ENFILE: () => t('too many files are open.'),
};

/** Why a file operation failed, as a sentence for the user that continues after a colon. */
export function reason(error: unknown): string {
  const code = fileErrorCode(error);
  return (code === undefined ? undefined : REASONS[code]?.()) ?? `${errorMessage(error)}.`;
}
