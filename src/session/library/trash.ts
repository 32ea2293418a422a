import { join } from 'node:path';
import { InvalidDataError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Timestamp } from '../../domain/model/message.js';
import type { TrashedSession } from '../../domain/session/session-library.js';
import { type AtomicWriter, atomicWrite, renamePatiently, temporaryOwner } from '../atomic-write.js';
import { compareTimes, isTimestamp } from '../codec/time.js';
import { isSafeId } from '../session-id.js';
import type { FileLayer } from '../../domain/workspace/file-layer.js';

/** Folder of the trash, in the folder of the sessions. */
const FOLDER = 'trash';
const MARK = '.trashed';

/** The sessions folder, and the cleanup of files that are kept elsewhere for a session, such as checkpoints. */
export interface TrashOptions {
  readonly writer: AtomicWriter;
  /** Of the sessions. */
  readonly folder: string;
  /** Removes what is kept of a session elsewhere. */
  readonly forget: ((id: string) => Promise<void>) | undefined;
}

/**
 * Sessions that were deleted and can still be had back. Their files lie in a folder of their own under the same names, with
 * a mark beside them. The mark is written before the first file is moved and says where the files belong, so a move that was
 * cut off is finished at the next start, and the session is in one of the two places at any time.
 *
 * All but the reading methods are for the holder of the lock of the session.
 */
export class Trash {
  /** Its folder. */
  readonly bin: string;

  constructor(private readonly options: TrashOptions) {
    this.bin = join(options.folder, FOLDER);
  }

  /** The path of the mark of a session. */
  markPath(id: string): string {
    return join(this.bin, id + MARK);
  }

  /** The mark of a session; `undefined` when it is not in the trash. */
  async mark(id: string): Promise<TrashMark | undefined> {
    const { files } = this.options.writer;
    const entry = await files.stat(this.markPath(id));
    return entry && readMark(files, this.markPath(id), entry.mtimeMs);
  }

  /** The marks of all sessions that are in the trash or being moved. */
  async marks(): Promise<ReadonlyMap<string, TrashMark>> {
    const { files } = this.options.writer;
    const marks = new Map<string, TrashMark>();
    for (const { name, type, mtimeMs } of await files.list(this.bin)) {
      const id = name.slice(0, -MARK.length);
      if (type === 'file' && name.endsWith(MARK) && isSafeId(id)) marks.set(id, await readMark(files, join(this.bin, name), mtimeMs));
    }
    return marks;
  }

  /** What is in the trash, newest first. */
  async list(): Promise<readonly TrashedSession[]> {
    const found = [...(await this.marks())].flatMap(([id, { state, title, trashedAt }]) => (state === 'emptying' ? [] : [{ id, title, trashedAt }]));
    return found.sort((a, b) => compareTimes(b.trashedAt, a.trashedAt) || (a.id < b.id ? 1 : -1));
  }

  /** @throws InvalidDataError for a session that is in the trash. */
  async refuse(id: string): Promise<void> {
    const mark = await this.mark(id);
    if (mark !== undefined && mark.state !== 'restoring') throw new InvalidDataError(id, t('this chat was deleted; restore it from the trash first'));
  }

  /** Moves the files of a session here. */
  async put(id: string, title: string, trashedAt: Timestamp): Promise<void> {
    await this.options.writer.files.makeFolder(this.bin);
    await this.write(id, { state: 'trashed', title, trashedAt });
    await this.move(id, this.options.folder, this.bin);
  }

  /** Moves the files of a session back. @throws InvalidDataError when it is not here. */
  async restore(id: string): Promise<void> {
    const mark = await this.mark(id);
    if (mark === undefined) throw new InvalidDataError(id, t('this chat is no longer in the trash'));
    if (mark.state === 'trashed') await this.write(id, { ...mark, state: 'restoring' });
    await this.move(id, this.bin, this.options.folder);
    await this.options.writer.files.remove(this.markPath(id));
    await this.options.writer.files.syncFolder(this.bin);
  }

  /** Finishes what was cut off. */
  async finish(id: string): Promise<void> {
    const mark = await this.mark(id);
    if (mark?.state === 'restoring') await this.restore(id);
    else if (mark?.state === 'emptying') await this.empty(id);
    else if (mark !== undefined) await this.move(id, this.options.folder, this.bin);
  }

  /** Removes a session for good, wherever its files are. */
  async empty(id: string): Promise<void> {
    const { writer, folder, forget } = this.options;
    const mark = await this.mark(id);
    if (mark !== undefined && mark.state !== 'emptying') await this.write(id, { ...mark, state: 'emptying' });
    for (const place of [this.bin, folder]) {
      for (const name of await this.namesIn(place, id)) await writer.files.remove(join(place, name));
      if (mark !== undefined) await writer.files.syncFolder(place);
    }
    await forget?.(id);
    await writer.files.remove(this.markPath(id));
    if (mark !== undefined) await writer.files.syncFolder(this.bin);
  }

  private async move(id: string, from: string, to: string): Promise<void> {
    const { files } = this.options.writer;
    const names = await this.namesIn(from, id);
    for (const name of names) {
      if (temporaryOwner(name) === undefined) await renamePatiently(files, join(from, name), join(to, name));
      else await files.remove(join(from, name));
    }
    for (const folder of names.length === 0 ? [] : [to, from]) await files.syncFolder(folder);
  }

  private async write(id: string, mark: TrashMark): Promise<void> {
    await atomicWrite(this.options.writer, this.markPath(id), [encodeMark(mark)]);
  }

  /** The files of a session in a folder, without its mark and its lock. The v1 file comes last, so that it counts until then. */
  private async namesIn(folder: string, id: string): Promise<readonly string[]> {
    const entries = await this.options.writer.files.list(folder);
    const names = entries.flatMap(({ name }) => (name.startsWith(`${id}.`) && !name.startsWith(`${id}.lock`) && name !== id + MARK ? [name] : []));
    return names.sort((a, b) => Number(a === `${id}.json`) - Number(b === `${id}.json`));
  }
}

/** Where the files of a deleted session belong. */
const STATES = ['trashed', 'restoring', 'emptying'] as const;

/** Metadata beside the files of a session in the trash. */
interface TrashMark {
  /** `restoring` and `emptying` are in progress; after a crash they are finished later. */
  readonly state: (typeof STATES)[number];
  readonly title: string;
  readonly trashedAt: Timestamp;
}

/** The bytes of a mark. */
function encodeMark(mark: TrashMark): Uint8Array {
  return Buffer.from(JSON.stringify({ version: 1, ...mark }));
}

/** Reads a mark. One that is no mark counts as that of a session without title, deleted when the file was changed. */
async function readMark(files: FileLayer, path: string, mtimeMs: number): Promise<TrashMark> {
  const unknown: TrashMark = { state: 'trashed', title: '', trashedAt: new Date(mtimeMs).toISOString() };
  const bytes = await files.readFile(path);
  try {
    return parseMark(JSON.parse(Buffer.from(bytes).toString('utf8')), unknown);
  } catch {
    // Marks are written as a whole; another program spoiled this one.
    return unknown;
  }
}

function parseMark(value: unknown, unknown: TrashMark): TrashMark {
  const { state, title, trashedAt } = Object(value) as Partial<Record<keyof TrashMark, unknown>>;
  return {
    state: STATES.find((known) => known === state) ?? unknown.state,
    title: typeof title === 'string' ? title : '',
    trashedAt: typeof trashedAt === 'string' && isTimestamp(trashedAt) ? trashedAt : unknown.trashedAt,
  };
}
