import { join } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import type { OpenOptions, SessionSummary } from '../../domain/session/session-store.js';
import type { SessionFolderOptions } from '../session-folder.js';
import { SessionFolder } from '../session-folder.js';
import { fileNames, isSafeId } from '../session-id.js';
import { moveSession } from './move-session.js';

/** Where sessions of the same workspace folders may be beside the own folder. */
export interface OtherFoldersOptions {
  /** Absolute paths of other folders of sessions; asked for each time. */
  readonly folders: () => Promise<readonly string[]>;
  /** Brings what is kept elsewhere of a session that comes from another folder. Does nothing when it is done again. */
  readonly moving?: (id: string, fromFolder: string) => Promise<void>;
}

/** The most other folders that are looked into. */
const MAX_FOLDERS = 20;

/** Sessions in other folders that belong to the same workspace folders. They come over when they are changed (sess-13). */
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
