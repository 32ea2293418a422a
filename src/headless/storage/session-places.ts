import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeLeft } from '../../agent-host/changes/bring-changes.js';
import { removeElves } from '../../agent-host/elf-folder.js';
import { outputFolderIn } from '../../agent-host/ground.js';
import type { Log } from '../../domain/log.js';
import type { SessionLibrary, TrashedSession } from '../../domain/session/session-library.js';
import type { SessionSummary } from '../../domain/session/session-store.js';
import { Checkpoints } from '../../edits/checkpoints.js';
import { createNodeFileLayer } from '../../node/files/node-file-layer.js';
import { removeLogsOf } from '../../node/process/output/command-log.js';
import { systemClock } from '../../node/system-clock.js';
import { atomicWrite } from '../../session/atomic-write.js';
import { createSessions, type Sessions } from '../../session/create-sessions.js';
import { Impossible } from '../exit.js';
import type { StorageKind } from '../flags.js';
import { type Environment, type Places, placesOf } from '../places.js';
import { vscodeStorages } from './vscode-storages.js';

/** A storage with sessions. */
export interface SessionPlace extends Sessions {
  readonly kind: StorageKind;
  /** Absolute path of the folder with the folder of the sessions. */
  readonly storage: string;
}

/** A stored session, and where it is. */
export interface PlacedSession extends SessionSummary {
  readonly place: SessionPlace;
}

/** A session in the trash, and where it is. */
export interface PlacedTrash extends TrashedSession {
  readonly place: SessionPlace;
}

/** Which storage is meant. */
export interface StorageWish {
  readonly kind: StorageKind;
  /** Absolute path of the current folder. */
  readonly folder: string;
  readonly environment: Environment;
  readonly log: Log;
}

/**
 * The storages with the sessions of a folder, the one that new sessions belong into first.
 * @throws Impossible where VS Code has none
 */
export async function sessionPlaces({ kind, folder, environment, log }: StorageWish): Promise<readonly [SessionPlace, ...SessionPlace[]]> {
  const places = placesOf(folder, environment);
  const [first, ...others] = kind === 'own' ? [places.sessions] : await vscodeStorages(folder, environment, log);
  if (first === undefined) {
    const how = 'Open it in VS Code once, or leave out --session-storage vscode.';
    throw new Impossible(`VS Code keeps nothing for the folder ${folder}. ${how}`);
  }
  const placeAt = (storage: string): SessionPlace => ({ kind, storage, ...sessionsIn({ ...places, sessions: storage }, log) });
  return [placeAt(first), ...others.map(placeAt)];
}

/** The sessions in a storage. Deleting one for good removes what is kept of it beside its files. */
export function sessionsIn({ project, sessions: storage }: Pick<Places, 'project' | 'sessions'>, log: Log): Sessions {
  const forget = async (id: string): Promise<void> => {
    await checkpointsIn(storage, log).remove(id);
    await removeLeft(storage, id);
    await removeElves(storage, id);
    for (const folder of new Set([project, storage])) await removeLogsOf(outputFolderIn(folder), id);
  };
  return createSessions({ folder: join(storage, 'sessions'), files: createNodeFileLayer(), clock: systemClock, log, forget });
}

/** Milliseconds for which a session of this program can be taken back out of the trash. */
const TRASH_MS = 30 * 24 * 3_600_000;

/** Moves a session to the trash of a storage that no window has, and empties that of what has been in it for 30 days. */
export async function trashOwn(library: SessionLibrary, id: string): Promise<void> {
  await library.trash(id);
  await library.emptyTrash(TRASH_MS);
}

/** What can be restored of the sessions in a storage. */
export function checkpointsIn(storage: string, log: Log): Checkpoints {
  const files = createNodeFileLayer();
  const save = (path: string, bytes: Uint8Array): Promise<void> => atomicWrite({ files, log, pid: process.pid }, path, [bytes]);
  return new Checkpoints({ files, save, log, folder: join(storage, 'checkpoints'), removeFolder: (path) => rmdir(path) });
}

/** All sessions, newest first. */
export async function listSessions(places: readonly SessionPlace[]): Promise<readonly PlacedSession[]> {
  const lists = await Promise.all(places.map(async (place) => (await place.store.list()).map((summary) => ({ ...summary, place }))));
  return onceEach(lists.flat()).toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
}

/** All sessions in the trash, newest first. */
export async function listTrash(places: readonly SessionPlace[]): Promise<readonly PlacedTrash[]> {
  const lists = await Promise.all(places.map(async (place) => (await place.library.trashed()).map((session) => ({ ...session, place }))));
  return onceEach(lists.flat()).toSorted((a, b) => Date.parse(b.trashedAt) - Date.parse(a.trashedAt));
}

/** One that is moved from one storage to another by a window is in both for a moment. */
function onceEach<T extends { readonly id: string }>(all: readonly T[]): readonly T[] {
  return [...new Map(all.toReversed().map((each) => [each.id, each])).values()].toReversed();
}
