import { join } from 'node:path';
import { errorMessage, InvalidDataError } from '../../domain/errors.js';
import type { OpenOptions, SessionSummary } from '../../domain/session/session-store.js';
import { type SessionFolderOptions, SessionFolder } from '../session-folder.js';
import { fileNames, isSafeId } from '../session-id.js';
import { t } from '../../domain/l10n.js';
import { copyFile, moveFile, temporaryOwner } from '../atomic-write.js';
import { type StoreContext, openSession } from '../opening.js';

/** Where sessions of the same workspace folders may be beside the own folder. */
export interface OtherFoldersOptions {
  /** Absolute paths of other folders of sessions; asked for each time. */
  readonly folders: () => Promise<readonly string[]>;
  /** Brings what is kept elsewhere of a session that comes from another folder. Does nothing when it is done again. */
  readonly moving?: (id: string, fromFolder: string) => Promise<void>;
}

/** The most other folders that are looked into. */
const MAX_FOLDERS = 20;

/** Sessions in other folders that belong to the same workspace folders. They come over when they are changed. */
export class OtherFolders {
  private readonly known = new Map<string, SessionFolder>();

  constructor(
    private readonly own: SessionFolder,
    private readonly options: SessionFolderOptions,
    private readonly others: OtherFoldersOptions,
  ) {}

  /** All of them. */
  async folders(): Promise<readonly SessionFolder[]> {
    return [...(await this.all()).values()];
  }

  /** The folder that a session is in, when it is in another one. */
  async find(id: string): Promise<SessionFolder | undefined> {
    if (!isSafeId(id) || (await this.own.isTaken(await this.own.context(), id))) return undefined;
    const { envelope, journal } = fileNames(id);
    for (const [folder, sessions] of await this.all()) {
      const found = await Promise.all([envelope, journal].map((name) => this.options.files.stat(join(folder, name))));
      if (found.some((entry) => entry !== undefined)) return sessions;
    }
    return undefined;
  }

  /** Moves a session here when it is in another folder. */
  async bring(id: string, { takeOver = false }: OpenOptions = {}): Promise<void> {
    const from = await this.find(id);
    if (from !== undefined) await moveSession({ id, from, to: this.own, takeOver, moving: this.others.moving });
  }

  /** The sessions of all other folders, apart from those that are here too. A folder that cannot be read is left out. */
  async list(here: readonly SessionSummary[]): Promise<readonly SessionSummary[]> {
    const lists = await Promise.all((await this.folders()).map((sessions) => this.listOf(sessions)));
    const { trash } = await this.own.context();
    const known = new Set([...here.map(({ id }) => id), ...(await trash.marks()).keys()]);
    return lists.flat().filter(({ id }) => !known.has(id) && known.add(id));
  }

  private async listOf(sessions: SessionFolder): Promise<readonly SessionSummary[]> {
    try {
      return await (await sessions.context()).history.list();
    } catch (error) {
      this.options.log.warn(`Conversations in another folder could not be listed: ${errorMessage(error)}`);
      return [];
    }
  }

  private async all(): Promise<ReadonlyMap<string, SessionFolder>> {
    const paths = (await this.others.folders()).filter((folder) => folder !== this.options.folder).slice(0, MAX_FOLDERS);
    const entries = paths.map((folder) => {
      const sessions = this.known.get(folder) ?? new SessionFolder({ ...this.options, folder });
      this.known.set(folder, sessions);
      return [folder, sessions] as const;
    });
    return new Map(entries);
  }
}

/** Which session is moved, and between which folders. */
interface SessionMove extends OpenOptions {
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
async function moveSession({ id, from, to, moving, takeOver = false }: SessionMove): Promise<void> {
  const source = await from.context();
  // Folds a journal, so that only the v1 file and its sidecar count.
  const { recorder } = await openSession(source, { id, takeOver, onClose: () => undefined });
  await recorder.close();
  const { folder } = await to.context();
  await source.writer.files.makeFolder(folder);
  await from.locked(id, () =>
    to.locked(id, async (target) => {
      if (await to.isTaken(target, id)) throw new InvalidDataError(id, t('a chat with this ID already exists in this workspace'));
      await moving?.(id, source.folder);
      await moveFiles(source, target, id);
      await source.history.forget(id);
    }),
  );
}

async function moveFiles(source: StoreContext, target: StoreContext, id: string): Promise<void> {
  const { files } = source.writer;
  const { envelope, meta, lock } = fileNames(id);
  const names = (await files.list(source.folder))
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${id}.`) && !name.startsWith(lock) && temporaryOwner(name) === undefined);
  const inBoth = (name: string): readonly [string, string] => [join(source.folder, name), join(target.folder, name)];
  if (names.includes(meta)) await copyFile(target.writer, ...inBoth(meta));
  for (const name of [...names.filter((other) => other !== meta && other !== envelope), envelope]) await moveFile(target.writer, ...inBoth(name));
  await files.syncFolder(target.folder);
  await files.remove(join(source.folder, meta));
  await files.syncFolder(source.folder);
}
