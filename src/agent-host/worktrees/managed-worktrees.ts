import { basename } from 'node:path';
import type { FileTexts } from '../../domain/host/dialogs.js';
import { present } from '../../domain/present.js';
import { isWorktreeName, type WantedBase } from '../../worktree/create.js';
import { unitsIn } from '../../worktree/home.js';
import { variablesOf } from '../../worktree/ports.js';
import { inspect, type Inspection, type MainRepository } from '../../worktree/repository.js';
import type { SetUpPlan } from '../../worktree/set-up-plan.js';
import { setUp, type SetUpOutcome, type SetUpRunner } from '../../worktree/set-up.js';
import { comparedTexts } from './compared-texts.js';
import { notCreatedText } from './worktree-problems.js';
import { type ChangeCounts, changeCounts } from '../../worktree/applied.js';
import { asPatch, changeSetOf } from '../../worktree/change-set.js';
import { commitOnBranch, type CommitOutcome, type WantedCommit } from '../../worktree/commit-on-branch.js';
import { holdWorktree } from '../../worktree/holders.js';
import { type ListedWorktree, listWorktrees } from '../../worktree/list.js';
import { readWorktree, type Worktree, writeRecord } from '../../worktree/record.js';
import { removeWorktree, type RemovalOutcome, restoreWorktree, type TrashedUnit, trashedIn } from '../../worktree/trash.js';
import { viewOf } from '../../worktree/view.js';
import type { WorktreePlace, Worktrees } from './worktrees.js';

/** All worktrees of the repository that is open. */
export interface WorktreeList {
  readonly worktrees: readonly ListedWorktree[];
  readonly trash: readonly TrashedWorktree[];
}

/** One in the trash. */
export interface TrashedWorktree extends TrashedUnit {
  /** Absent where it has no record that can be read. */
  readonly worktree?: Worktree;
}

/** A commit to make of a worktree. */
export type BranchWish = Pick<WantedCommit, 'branch' | 'message' | 'begun'>;

/** A worktree that was made for the user. */
export interface MadeWorktree {
  readonly worktree: Worktree;
  readonly main: MainRepository;
  /** Absolute path of the working tree, and of the folder in it that is to be opened: the one that stands for the first that is open. */
  readonly tree: string;
  readonly folder: string;
  /** What the files for that say is to be done in it. */
  readonly plan: SetUpPlan;
  /** For commands in it. */
  readonly variables: Readonly<Record<string, string>>;
  /** It counts as used until then. */
  readonly release: () => Promise<void>;
}

/**
 * What users do with worktrees. Every method rejects with a sentence for the user where the folder that is open has no repository, and with the reason of the
 * signal.
 */
export class ManagedWorktrees {
  constructor(private readonly worktrees: Pick<Worktrees, 'place' | 'probe' | 'emptyTrash' | 'create' | 'foldersIn'>) {}

  /** What there is to make a worktree of. */
  async inspect(signal: AbortSignal): Promise<Inspection> {
    const { main } = await this.worktrees.place();
    return inspect(main, signal);
  }

  /** Names that are taken. */
  async names(): Promise<readonly string[]> {
    const { home } = await this.worktrees.place();
    return [...(await unitsIn(home)).map((unit) => basename(unit)), ...(await trashedIn(home)).map(({ name }) => name)];
  }

  /** Why a name cannot be that of a worktree, as a sentence; `undefined` where it can. */
  nameProblem(name: string): string | undefined {
    return isWorktreeName(name) ? undefined : notCreatedText({ kind: 'failed', why: 'bad_name', detail: '' });
  }

  /** Makes one. @throws Error with a sentence for the user where that fails */
  async create({ name, base }: { readonly name: string; readonly base: WantedBase }, signal: AbortSignal): Promise<MadeWorktree> {
    const { main, worktree, hold, plan } = await this.worktrees.create(name, base, signal);
    const [first] = await this.worktrees.foldersIn(worktree, main);
    const variables = { ...variablesOf(worktree) };
    return { worktree, main, tree: worktree.tree, folder: first?.path ?? worktree.tree, plan, variables, release: () => hold.release() };
  }

  /** Does in a new one what its files say. */
  setUp({ worktree, main, plan }: MadeWorktree, run: SetUpRunner, signal: AbortSignal): Promise<SetUpOutcome> {
    return setUp(plan, { worktree, main, run }, signal);
  }

  /** All worktrees, also unfinished and unknown ones, and those in the trash, which is emptied first of what has been there long enough. */
  async list(signal: AbortSignal): Promise<WorktreeList> {
    const { home } = await this.worktrees.place();
    await this.worktrees.emptyTrash();
    const trash = (await trashedIn(home)).map(async (each) => ({ ...each, ...present({ worktree: await readWorktree(each.unit) }) }));
    return { worktrees: await listWorktrees(home, this.worktrees.probe, signal), trash: await Promise.all(trash) };
  }

  /** How many files those that have any have changed, and how many of them are applied, by their folders; one where that cannot be found out is left out. */
  async changeCounts({ worktrees }: WorktreeList, signal: AbortSignal): Promise<ReadonlyMap<string, ChangeCounts>> {
    const { main } = await this.worktrees.place();
    const counts = new Map<string, ChangeCounts>();
    // One after the other: each is looked at by several processes.
    for (const { unit, worktree } of worktrees) {
      if (worktree?.record.state !== 'ready') continue;
      try {
        counts.set(unit, await changeCounts(worktree, main, signal));
      } catch {
        signal.throwIfAborted();
      }
    }
    return counts;
  }

  /**
   * Moves one to the trash, where it is kept for ten minutes; it stays where something would be lost with it.
   * @param unit its folder, which need have no record
   */
  async remove(unit: string, signal: AbortSignal): Promise<RemovalOutcome> {
    const { main, home } = await this.worktrees.place();
    const outcome = await removeWorktree(unit, home, { main, probe: this.worktrees.probe }, signal);
    // So that it is deleted when its time is over.
    if (outcome.kind === 'in_trash') await this.worktrees.emptyTrash();
    return outcome;
  }

  /** Takes one out of the trash. @returns `undefined` where that is not possible: it is gone, or there is another one of its name */
  async restore(unit: string): Promise<Worktree | undefined> {
    const { home } = await this.worktrees.place();
    const trashed = (await trashedIn(home)).find((each) => each.unit === unit);
    return trashed && restoreWorktree(trashed, home);
  }

  /** Commits all that is in one on a new branch of the repository. @throws the error of the system where the worktree is gone */
  async commitOnBranch(worktree: Worktree, wish: BranchWish, signal: AbortSignal): Promise<CommitOutcome> {
    return this.held(worktree, ({ main }) => commitOnBranch({ ...wish, worktree, main, signal }));
  }

  /** What one has changed, as texts to compare. @throws GitFailure where it cannot be read; the error of the system where it is gone */
  async changes(worktree: Worktree, signal: AbortSignal): Promise<readonly FileTexts[]> {
    return this.held(worktree, async ({ main }) => comparedTexts(await changeSetOf(worktree, main, signal)));
  }

  /** What one has changed, as a patch for `git apply`; empty where that is nothing. @throws as {@link changes} does */
  async patch(worktree: Worktree, signal: AbortSignal): Promise<Uint8Array> {
    return this.held(worktree, async ({ main }) => asPatch(viewOf(worktree, main), await changeSetOf(worktree, main, signal), signal));
  }

  /** Keeps one, whatever happens. @param why the user wants that @returns `undefined` where it is gone */
  async lock(unit: string, why: string): Promise<Worktree | undefined> {
    const worktree = await readWorktree(unit);
    return worktree && writeRecord(unit, { ...worktree.record, locked: why });
  }

  /** Takes that back. @returns `undefined` where it is gone */
  async unlock(unit: string): Promise<Worktree | undefined> {
    const worktree = await readWorktree(unit);
    if (worktree === undefined) return undefined;
    const record = { ...worktree.record };
    delete record.locked;
    return writeRecord(unit, record);
  }

  /** Nobody removes it meanwhile. */
  private async held<T>(worktree: Worktree, work: (place: WorktreePlace) => Promise<T>): Promise<T> {
    const place = await this.worktrees.place();
    const hold = await holdWorktree(worktree, 'work', this.worktrees.probe);
    try {
      return await work(place);
    } finally {
      await hold.release();
    }
  }
}
