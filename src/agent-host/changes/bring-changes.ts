import { join } from 'node:path';
import type { BlobFiles } from '../../edits/blob-folder.js';
import { movedIndex } from '../../edits/checkpoint-index.js';
import type { Checkpoints } from '../../edits/checkpoints.js';
import { LEDGER_PLACE } from '../../edits/ledger-entry.js';
import type { Ledger } from '../../edits/ledger.js';
import { LedgerStore } from '../../edits/ledger-store.js';
import type { Log } from '../../domain/log.js';
import { movedPath } from '../../domain/session/session.js';
import type { OtherStorage } from '../../session/other-workspaces/storage-index.js';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { fileErrorCode } from '../../domain/workspace/file-layer.js';

/** Where a storage keeps what can be restored. */
export function checkpointsIn(storage: string): string {
  return join(storage, 'checkpoints');
}

/** Where a storage keeps what is neither kept nor undone. */
export function pendingIn(storage: string): string {
  return join(storage, LEDGER_PLACE.folder);
}

/**
 * Where a program without a window leaves what pends of a session in a storage of VS Code, as a storage of its own. The window does not share its ledger: it
 * has it in memory, and writes all of it with each change. Whoever has the session open, and nobody else, works in here; the window brings it from here then.
 */
export function leftFor(storage: string, sessionId: string): OtherStorage {
  return { path: join(storage, 'terminal', sessionId), moved: [] };
}

/**
 * Brings what was left so of a session that is open here.
 * @param bring how it is brought from another storage
 */
export async function bringLeft(storage: string, sessionId: string, bring: (sessionId: string, from: OtherStorage) => Promise<void>): Promise<void> {
  const left = leftFor(storage, sessionId);
  if (!existsSync(left.path)) return;
  await bring(sessionId, left);
  await removeLeft(storage, sessionId);
}

/** Removes what is left so of a session. */
export async function removeLeft(storage: string, sessionId: string): Promise<void> {
  await rm(leftFor(storage, sessionId).path, { recursive: true, force: true });
}

/** The parts of this window that take over what is brought. */
export interface BringDeps {
  /** Absolute path of the storage of this window. */
  readonly storage: string;
  readonly checkpoints: Checkpoints;
  readonly ledger: Ledger;
  readonly blobs: BlobFiles;
  readonly log: Log;
}

/**
 * Brings what can be restored of a session and what is pending of it from another storage, to the files where they lie
 * now. Does nothing when it is done again, as after a crash.
 */
export async function bringChanges(sessionId: string, from: OtherStorage, { storage, checkpoints, ledger, blobs, log }: BringDeps): Promise<void> {
  await moveCheckpoints(sessionId, checkpointsIn(from.path), checkpointsIn(storage));
  const { entries, redos } = await checkpoints.index(sessionId);
  if (from.moved.length > 0 && entries.length + redos.length > 0) await checkpoints.update(sessionId, (index) => movedIndex(index, from.moved));
  const there = new LedgerStore(pendingIn(from.path), blobs, log);
  const pending = await there.load();
  const brought = pending.filter(({ sessions }) => sessions.includes(sessionId));
  if (brought.length === 0) return;
  await ledger.adopt(
    brought.map((entry) => ({
      ...entry,
      path: movedPath(entry.path, from.moved),
      ...(entry.movedFrom === undefined ? {} : { movedFrom: movedPath(entry.movedFrom, from.moved) }),
    })),
    there,
  );
  await there.save(pending.filter((entry) => !brought.includes(entry)));
}

/** Moves the checkpoints of a session to another storage, beside the session that moves there. None is no error. */
export async function moveCheckpoints(id: string, from: string, to: string): Promise<void> {
  const [source, target] = [join(from, id), join(to, id)];
  try {
    await mkdir(to, { recursive: true, mode: 0o700 });
    await rename(source, target);
  } catch (error) {
    const code = fileErrorCode(error);
    // Nothing there, or an earlier move was cut off after this step.
    if (code === 'ENOENT' || code === 'ENOTEMPTY' || code === 'EEXIST') return;
    if (code !== 'EXDEV') throw error;
    await cp(source, target, { recursive: true, force: false });
    await rm(source, { recursive: true, force: true });
  }
}
