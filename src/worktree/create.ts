import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorMessage } from '../domain/errors.js';
import type { ProcessProbe } from '../session/lock/process-probe.js';
import { present } from '../domain/present.js';
import { errorCode } from '../node/files/file-errors.js';
import { type Hold, holdWorktree } from './holders.js';
import { makeHome, type WorktreeHome } from './home.js';
import { configOf, layOutRepository } from './lay-out-repository.js';
import { ownPlace, type Worktree, type WorktreeRecord, writeRecord } from './record.js';
import { commitOf, type Head, headOf, inMain, type MainRepository, objectsOf, OWN_REFS } from './repository.js';
import { copyIndex } from './view.js';
import { GitFailure, type GitPlace, runGit } from './run-git.js';
import { copyObjects, takeSnapshot } from './snapshot.js';

/** Names that are good for folders, branches, and references on every system. */
const NAME = /^(?!.*\.\.)(?!.*\.lock$)[a-z0-9][\w.-]{0,62}[a-z0-9]$/i;
/** Names that Windows gives to devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Milliseconds that cleaning up after a failure may take. */
const CLEAN_UP_MS = 20_000;

/** Has files be written by as many processes as there are cores: git-config(1), `checkout.workers`. */
const ALL_CORES = ['-c', 'checkout.workers=0'];

/** What a worktree begins with. */
export type WantedBase = { readonly branch: string } | 'snapshot';

/** A worktree to make. */
export interface WantedWorktree {
  readonly main: MainRepository;
  readonly home: WorktreeHome;
  /** Name of its folder, and of the branch that is checked out in it. */
  readonly name: string;
  readonly base: WantedBase;
  /** Who works in it; absent for the user. */
  readonly agent?: WorktreeRecord['agent'];
  readonly probe: ProcessProbe;
  readonly signal: AbortSignal;
}

/** A worktree that was made. */
export interface CreatedWorktree {
  readonly kind: 'created';
  readonly worktree: Worktree;
  /** It is used from its first moment on, so that nothing removes it before somebody works in it. */
  readonly hold: Hold;
  /** Repositories within the working tree, which a snapshot does not have. */
  readonly nested: readonly string[];
  readonly durationMs: number;
}

/** Why there is no new worktree; nothing of it is left. */
export interface NotCreated {
  readonly kind: 'failed';
  readonly why: 'bad_name' | 'name_taken' | 'no_branch' | 'no_commit' | 'disk_full' | 'git' | 'file_system';
  /** What Git or the system said. */
  readonly detail: string;
}

/** What a worktree begins with, once it is known. */
interface Start {
  readonly base: WorktreeRecord['base'];
  /** The name of the branch that it begins with, for the agent to compare with. */
  readonly from?: string;
  readonly nested: readonly string[];
}

/**
 * Makes a worktree: a working tree with a repository of its own that borrows the objects of the main one. See docs/worktrees.md for why it is not one of
 * `git worktree add`. Nothing is run but Git, and nothing changes in the main repository but one reference of Gnomon’s, which keeps the commit from being
 * cleaned up.
 * @throws the reason of the signal when it was stopped; nothing is left then either
 */
export async function createWorktree(wanted: WantedWorktree): Promise<CreatedWorktree | NotCreated> {
  const { main, home, name, signal } = wanted;
  if (!isWorktreeName(name)) return { kind: 'failed', why: 'bad_name', detail: name };
  const began = performance.now();
  const unit = join(home.folder, name);
  try {
    await makeHome(home);
    await mkdir(unit, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return { kind: 'failed', why: 'name_taken', detail: unit };
    return failure(error);
  }
  try {
    await mkdir(ownPlace(unit));
    const [hold, head, config] = await Promise.all([holdWorktree({ unit }, 'run', wanted.probe), headOf(main, signal), configOf(main, signal)]);
    const known = wanted.base === 'snapshot' ? 'snapshot' : await branchStart(main, wanted.base.branch, signal);
    if (known === undefined) {
      await rm(unit, { recursive: true });
      return { kind: 'failed', why: head.kind === 'unborn' ? 'no_commit' : 'no_branch', detail: '' };
    }
    const { worktree, nested } = await fill(unit, { ...wanted, config }, known === 'snapshot' ? head : known);
    return { kind: 'created', worktree, hold, nested, durationMs: performance.now() - began };
  } catch (error) {
    // It was made by this call, and nobody has worked in it yet.
    await rm(unit, { recursive: true, force: true });
    await dropReference(main, idOf(unit), AbortSignal.timeout(CLEAN_UP_MS)).catch((left: unknown) => {
      // It keeps a commit from being cleaned up, which does no harm; the next worktree of this name takes it over.
      if (!(left instanceof GitFailure)) throw left;
    });
    signal.throwIfAborted();
    return failure(error);
  }
}

/** Whether a worktree can have a name. */
export function isWorktreeName(name: string): boolean {
  return NAME.test(name) && !DEVICE.test(name);
}

/** The name of the reference that keeps the commit that a worktree began with. */
export function referenceOf(id: string): string {
  return `${OWN_REFS}${id}`;
}

/** Removes that reference, if it is there. */
export async function dropReference(main: MainRepository, id: string, signal: AbortSignal): Promise<void> {
  await inMain(main, ['update-ref', '-d', referenceOf(id)], signal);
}

/** Worktrees of one name, in two places, are two. */
function idOf(unit: string): string {
  return `${basename(unit)}-${createHash('sha256').update(unit).digest('hex').slice(0, 8)}`;
}

async function branchStart(main: MainRepository, branch: string, signal: AbortSignal): Promise<Start | undefined> {
  const commit = await commitOf(main, branch, signal);
  return commit === undefined ? undefined : { base: { kind: 'branch', branch, commit }, from: branch, nested: [] };
}

/** @param wanted with the settings of its repositories, see {@link configOf} */
async function fill(
  unit: string,
  { main, name, agent, signal, config }: WantedWorktree & { readonly config: string },
  known: Start | Head,
): Promise<{ worktree: Worktree; nested: readonly string[] }> {
  const folder = `${basename(main.root)}-${name}`;
  const tree = join(unit, folder);
  const repository = join(tree, '.git');
  const view = { gitFolder: ownPlace(unit, 'view'), workTree: tree, objects: [objectsOf(main), join(repository, 'objects')] };
  await mkdir(tree);
  await layOutRepository(view.gitFolder, { head: `ref: refs/heads/${name}`, config }, main);
  const start = 'base' in known ? known : await snapshotStart(view, { main, head: known }, signal);
  const { base } = start;
  const kept = base.kind === 'branch' ? base.commit : base.head;
  const made = { id: idOf(unit), name, folder, root: main.root, createdAt: Date.now(), ...present({ agent }) };
  const record: WorktreeRecord = { version: 1, ...made, state: 'creating', base, listed: [] };
  await writeRecord(unit, record);
  const keeping = kept === undefined ? undefined : inMain(main, ['update-ref', referenceOf(record.id), kept], signal);
  // A branch can have no name within that of another.
  const from = start.from?.startsWith(`${name}/`) === true ? undefined : start.from;
  const refs = new Map([...(from === undefined || kept === undefined ? [] : [[`refs/heads/${from}`, kept] as const]), [`refs/heads/${name}`, base.commit]]);
  await Promise.all([keeping, layOutRepository(repository, { head: `ref: refs/heads/${name}`, refs, alternates: [objectsOf(main)], config }, main)]);
  if (base.kind === 'snapshot') await copyObjects(view.gitFolder, repository);
  const index = join(view.gitFolder, 'index');
  await runGit({ ...view, index }, [...ALL_CORES, 'read-tree', '-m', '-u', base.commit], { signal });
  await copyIndex(index, join(repository, 'index'));
  return { worktree: await writeRecord(unit, { ...record, state: 'ready' }), nested: start.nested };
}

async function snapshotStart(view: GitPlace, from: { readonly main: MainRepository; readonly head: Head }, signal: AbortSignal): Promise<Start> {
  const { commit, nested } = await takeSnapshot(view, from, signal);
  const { head } = from;
  return {
    base: { kind: 'snapshot', commit, ...present({ head: head.kind === 'unborn' ? undefined : head.commit }) },
    ...present({ from: head.kind === 'branch' ? head.branch : undefined }),
    nested,
  };
}

function failure(error: unknown): NotCreated {
  const detail = errorMessage(error);
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' || /No space left on device|File too large|Disk quota exceeded/i.test(detail))
    return { kind: 'failed', why: 'disk_full', detail };
  return { kind: 'failed', why: code === undefined ? 'git' : 'file_system', detail };
}
