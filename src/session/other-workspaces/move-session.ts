import { join } from 'node:path';
import type { OpenOptions } from '../../domain/session/session-store.js';
import { InvalidDataError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { copyFile, moveFile, temporaryOwner } from '../atomic-write.js';
import type { StoreContext } from '../opening.js';
import { openSession } from '../opening.js';
import type { SessionFolder } from '../session-folder.js';
import { fileNames } from '../session-id.js';

/** Which session is moved, and between which folders. */
export interface SessionMove extends OpenOptions {
  readonly id: string;
  readonly from: SessionFolder;
  readonly to: SessionFolder;
  /** Moves what is kept of the session elsewhere; called before the session itself is moved, and again when that was cut off. */
  readonly moving: ((id: string, fromFolder: string) => Promise<void>) | undefined;
}

/**
 * Moves a session into another folder. The v1 file goes last but one: until then the session is whole where it was, and from
 * then on where it goes. What a crash leaves on the other side is cleared away at the next start.
 * @throws SessionBusyError when it is open.
 */
export async function moveSession({ id, from, to, moving, takeOver = false }: SessionMove): Promise<void> {
  const source = await from.context();
  // Folds a journal, so that only the v1 file and its sidecar count.
  const { recorder } = await openSession(source, { id, takeOver, onClose: () => undefined });
  await recorder.close();
  const { folder } = await to.context();
  await source.writer.files.makeFolder(folder);
  await from.locked(id, () =>
    to.locked(id, async (target) => {
      if (await to.isTaken(target, id)) throw new InvalidDataError(id, t('a conversation with this id is in this workspace already'));
      await moving?.(id, source.folder);
      await moveFiles(source, target, id);
      await source.history.forget(id);
    }),
  );
}

async function moveFiles(source: StoreContext, target: StoreContext, id: string): Promise<void> {
  const { files } = source.writer;
  const { envelope, meta, lock } = fileNames(id);
  const names = (await files.list(source.folder)).map(({ name }) => name).filter((name) => name.startsWith(`${id}.`) && !name.startsWith(lock) && temporaryOwner(name) === undefined);
  const inBoth = (name: string): readonly [string, string] => [join(source.folder, name), join(target.folder, name)];
  if (names.includes(meta)) await copyFile(target.writer, ...inBoth(meta));
  for (const name of [...names.filter((other) => other !== meta && other !== envelope), envelope]) await moveFile(target.writer, ...inBoth(name));
  await files.syncFolder(target.folder);
  await files.remove(join(source.folder, meta));
  await files.syncFolder(source.folder);
}
