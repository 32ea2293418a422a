import { randomBytes } from 'node:crypto';
import { chmod, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorMessage } from '../domain/errors.js';
import { exists } from '../node/files/exists.js';
import { errorCode } from '../node/files/file-errors.js';
import { dropReference } from './create.js';
import { holdersOf } from './holders.js';
import { trashOf, unitsIn, type WorktreeHome } from './home.js';
import { type ProofGround, reasonsToKeep } from './proof.js';
import type { Reason } from './reasons.js';
import { readWorktree, type Worktree } from './record.js';

/** Milliseconds that a removed worktree can be restored. */
export const KEPT_MS = 10 * 60_000;

/** What became of a worktree that was to be removed. */
export type RemovalOutcome =
  | { readonly kind: 'in_trash'; /** Absolute path of its folder in the trash. */ readonly unit: string }
  | { readonly kind: 'stays'; readonly reasons: readonly Reason[] };

/** What became of a worktree in the trash. */
export interface Emptied {
  readonly unit: string;
  /** Why it is still there; none when it is gone. */
  readonly reasons: readonly Reason[];
}

/** A worktree in the trash. */
export interface TrashedUnit {
  /** Absolute path. */
  readonly unit: string;
  readonly name: string;
  /** When it was put there, in milliseconds since 1970. */
  readonly removedAt: number;
}

/**
 * Moves a worktree to the trash when it is proved that nothing would be lost with it; otherwise it stays. The main repository keeps the commit that it
 * began with until the trash is emptied, so that it can be restored as it was.
 * @param from absolute path of its folder, which need not have a record
 */
export async function removeWorktree(from: string, home: WorktreeHome, ground: ProofGround, signal: AbortSignal): Promise<RemovalOutcome> {
  const reasons = await reasonsToKeep(from, await readWorktree(from), ground, signal);
  if (reasons.length > 0) return { kind: 'stays', reasons };
  const unit = join(trashOf(home), `${basename(from)}.${Date.now()}-${randomBytes(3).toString('hex')}`);
  try {
    await rename(from, unit);
  } catch (error) {
    // On Windows, something in it is open.
    return { kind: 'stays', reasons: [{ kind: 'not_proved', detail: errorMessage(error) }] };
  }
  const holders = await holdersOf(unit, ground.probe);
  if (holders.length === 0) return { kind: 'in_trash', unit };
  // Somebody has begun to use it between the proof and now.
  await rename(unit, from);
  return { kind: 'stays', reasons: holders.map(({ as, pid }) => ({ kind: 'in_use', as, pid })) };
}

/** What is in the trash of a home. */
export async function trashedIn(home: WorktreeHome): Promise<readonly TrashedUnit[]> {
  return (await unitsIn({ ...home, folder: trashOf(home) })).map((unit) => {
    const [, name = basename(unit), at = '0'] = /^(.*)\.(\d+)-[0-9a-f]+$/.exec(basename(unit)) ?? [];
    return { unit, name, removedAt: Number(at) };
  });
}

/** Puts a worktree back to where it was. @returns `undefined` where its name is taken by now, or where it has no record */
export async function restoreWorktree({ unit, name }: TrashedUnit, home: WorktreeHome): Promise<Worktree | undefined> {
  const to = join(home.folder, name);
  if ((await exists(to)) || (await readWorktree(unit)) === undefined) return undefined;
  await rename(unit, to);
  return readWorktree(to);
}

/**
 * Removes for good what has been in the trash for ten minutes, as far as it is proved again that nothing is lost: somebody may have worked there
 * meanwhile. This is the only place where anything is deleted.
 * @param now in milliseconds since 1970
 */
export async function emptyTrash(home: WorktreeHome, ground: ProofGround, now: number, signal: AbortSignal): Promise<readonly Emptied[]> {
  const done: Emptied[] = [];
  for (const { unit, removedAt } of await trashedIn(home)) {
    // The time in the name of another kind of folder is none, so that such a folder stays.
    if (removedAt === 0 || now - removedAt < KEPT_MS) continue;
    const worktree = await readWorktree(unit);
    const reasons = await reasonsToKeep(unit, worktree, ground, signal);
    if (reasons.length === 0) {
      await removeFolder(unit);
      if (worktree !== undefined) await dropReference(ground.main, worktree.record.id, signal);
    }
    done.push({ unit, reasons });
  }
  return done;
}

/** Deletes a folder with everything in it; links are deleted and not followed. */
async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    // Some package managers make folders that cannot be written to.
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o700);
    }
    await rm(folder, { recursive: true, force: true });
  }
}
