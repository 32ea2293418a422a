import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorCode } from '../node/files/file-errors.js';
import { exists } from '../node/files/exists.js';
import type { ProcessProbe } from '../session/lock/process-probe.js';
import { holdersOf } from './holders.js';
import { unitsIn, type WorktreeHome } from './home.js';
import { ownPlace, readWorktree, type Worktree } from './record.js';
import { walkTree } from './walk-unit.js';

/**
 * State of a folder for a worktree. `in_use`: somebody works in it. `unfinished`: it was being created when that was cut off. `gone`: its files are not
 * there. `unknown`: it has no record, so that nobody knows what it is.
 */
export type WorktreeState = 'in_use' | 'idle' | 'locked' | 'unfinished' | 'gone' | 'unknown';

/** A worktree in the list, or what looks like one. */
export interface ListedWorktree {
  /** Absolute path of its folder. */
  readonly unit: string;
  readonly name: string;
  /** Absent where there is no record that can be read. */
  readonly worktree?: Worktree;
  readonly state: WorktreeState;
  readonly bytes: number;
  /** When somebody began or ceased to work in it, in milliseconds since 1970. */
  readonly lastUse: number;
}

/** All worktrees of a repository, also those that a crash has left and folders that nobody knows. Nothing is removed because it is old. */
export async function listWorktrees(home: WorktreeHome, probe: ProcessProbe, signal: AbortSignal): Promise<readonly ListedWorktree[]> {
  const units = await unitsIn(home);
  return Promise.all(
    units.map(async (unit) => {
      const worktree = await readWorktree(unit);
      const { bytes } = await walkTree(unit, signal);
      const state = await stateOf(unit, worktree, probe);
      const base = { unit, name: basename(unit), state, bytes, lastUse: await lastUseOf(unit) };
      return worktree === undefined ? base : { ...base, worktree };
    }),
  );
}

async function stateOf(unit: string, worktree: Worktree | undefined, probe: ProcessProbe): Promise<WorktreeState> {
  if ((await holdersOf(unit, probe)).length > 0) return 'in_use';
  if (worktree === undefined) return 'unknown';
  if (worktree.record.locked !== undefined) return 'locked';
  if (worktree.record.state === 'creating') return 'unfinished';
  return (await exists(worktree.tree)) ? 'idle' : 'gone';
}

async function lastUseOf(unit: string): Promise<number> {
  for (const path of [ownPlace(unit, 'holders'), unit]) {
    try {
      return (await stat(path)).mtimeMs;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
  return 0;
}
