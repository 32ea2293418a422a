import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Folders } from '../../domain/host/folders.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import { present } from '../../domain/present.js';
import type { WorkspaceFolder } from '../../domain/workspace/workspace.js';
import { exists } from '../../node/files/exists.js';
import { realPathOf } from '../../node/files/real-path.js';
import { isWithin } from '../../node/files/within.js';
import { createProcessProbe } from '../../session/lock/process-probe.js';
import type { AppliedFile } from '../../elf/brought.js';
import { changedFilesWithCounts, hasApplied, noteApplied } from '../../worktree/applied.js';
import { bytesOfListed } from '../../worktree/listed-files.js';
import { changedFiles, type ChangeSet, changeSetOf } from '../../worktree/change-set.js';
import { createWorktree, isWorktreeName, type WantedBase, type WantedWorktree } from '../../worktree/create.js';
import { type Hold, holdWorktree } from '../../worktree/holders.js';
import { chooseHome, unitAround, type WorktreeHome } from '../../worktree/home.js';
import { givePorts, variablesOf } from '../../worktree/ports.js';
import { readWorktree, type Worktree, type WorktreeRecord } from '../../worktree/record.js';
import { addedBytes, type MainRepository, objectsOf, openRepository } from '../../worktree/repository.js';
import type { SetUpPlan } from '../../worktree/set-up-plan.js';
import { emptyTrash, KEPT_MS, removeWorktree, restoreWorktree, trashedIn } from '../../worktree/trash.js';
import type { Ground, Apart } from '../ground.js';
import { noHomeText, noRepositoryText, notCreatedText } from './worktree-problems.js';

/** The repository that worktrees are made of, and where they are. */
export interface WorktreePlace {
  readonly main: MainRepository;
  readonly home: WorktreeHome;
}

/** A worktree that a session works in. */
export interface UsedWorktree extends WorktreePlace {
  readonly worktree: Worktree;
  /** What works in it, as what works in the folders that are open. */
  readonly ground: Ground;
  /** Ends what works in it. One in which nothing was changed is removed. Does not reject. */
  close(): Promise<void>;
}

/** Services of {@link Worktrees}. */
export interface WorktreesDeps {
  readonly folders: Folders;
  readonly groundIn: (folders: () => readonly WorkspaceFolder[], apart: Apart) => Ground;
  readonly log: Log;
}

/**
 * A worktree of a checkout, by its name, which a file can say.
 * @returns `undefined` where there is none
 * @throws Error with a sentence for the user and for models for what is no name
 */
async function ownWorktree(name: string, { main, home }: WorktreePlace): Promise<Worktree | undefined> {
  if (!isWorktreeName(name)) throw new Error(notCreatedText({ kind: 'failed', why: 'bad_name', detail: name }));
  const worktree = await readWorktree(join(home.folder, name));
  return worktree?.record.name === name && worktree.record.root === main.root ? worktree : undefined;
}

/** Milliseconds that a look at a worktree in the background may take. */
const LOOK_MS = 60_000;

/** The worktrees of the repository that the first folder is in: working trees in which agents work apart from the user. */
export class Worktrees {
  readonly probe = createProcessProbe();
  private emptying: NodeJS.Timeout | undefined;
  /** Settles once all that was applied is noted. */
  private noting = Promise.resolve();
  /** Of the worktrees that are open here as folders. */
  private readonly opened: Promise<readonly Hold[]>;

  constructor(private readonly deps: WorktreesDeps) {
    this.opened = this.holdOpened();
  }

  /**
   * The repository, and the place for worktrees of it.
   * @throws Error with a sentence for the user and for models where there can be none
   */
  async place(): Promise<WorktreePlace> {
    const { folders } = this.deps;
    const [first] = folders.local();
    const main = first === undefined ? ({ kind: 'no_repository', detail: '' } as const) : await openRepository(first.path);
    if ('kind' in main) throw new Error(noRepositoryText(main));
    if (unitAround(main.root) !== undefined) throw new Error(t('The folder that is open is a worktree itself. Open the folder that it was made of.'));
    const home = await chooseHome(main, { workspaceFolders: folders.paths() });
    if (typeof home === 'string') throw new Error(noHomeText(home));
    return { main, home };
  }

  /** About how many bytes a worktree would take, with the files that its set-up copies. @throws Error as {@link place} does */
  async bytesNeeded(signal: AbortSignal): Promise<number> {
    const { main } = await this.place();
    const { checkout, untracked } = await addedBytes(main, signal);
    const { readSetUpPlan } = await import('../../worktree/set-up-plan.js');
    const { copy } = await readSetUpPlan([main.root], process.platform, signal);
    const copied = await bytesOfListed({ gitFolder: main.gitFolder, workTree: main.root }, copy, signal);
    return checkout + untracked + copied;
  }

  /**
   * Opens a worktree for a session to work in: as it was left, or a new one with all that the user has now.
   * @param agent whose session that is
   * @throws Error with a sentence for the user and for models where it cannot be made; the reason of the signal
   */
  async use(name: string, agent: WorktreeRecord['agent'], signal: AbortSignal): Promise<UsedWorktree> {
    const place = await this.place();
    const there = await this.existing(name, place);
    return this.open({ ...place, ...(there ?? (await this.made({ name, base: 'snapshot', ...present({ agent }) }, place, signal))) });
  }

  /** A worktree by its name; `undefined` where there is none. @throws Error as {@link place} does */
  async find(name: string): Promise<(WorktreePlace & { readonly worktree: Worktree }) | undefined> {
    const place = await this.place();
    const worktree = await ownWorktree(name, place);
    return worktree === undefined ? undefined : { ...place, worktree };
  }

  /** Whether a worktree is where it was made, in the trash, or neither. @throws Error as {@link place} does */
  async whereIs(name: string): Promise<'there' | 'trash' | 'nowhere'> {
    const place = await this.place();
    if ((await ownWorktree(name, place)) !== undefined) return 'there';
    return (await trashedIn(place.home)).some((each) => each.name === name) ? 'trash' : 'nowhere';
  }

  /** Takes a worktree out of the trash. @returns whether that was possible @throws Error as {@link place} does */
  async restore(name: string): Promise<boolean> {
    const { home } = await this.place();
    const trashed = (await trashedIn(home)).find((each) => each.name === name);
    return trashed !== undefined && (await restoreWorktree(trashed, home)) !== undefined;
  }

  /** What was changed in a worktree since it was made; `undefined` where there is none of that name. */
  async changes(name: string, signal: AbortSignal): Promise<ChangeSet | undefined> {
    const found = await this.find(name);
    return found && changeSetOf(found.worktree, found.main, signal);
  }

  /** Paths of the files that were changed in a worktree since it was made, and whether all of that was applied; `applied` is absent where nothing was. */
  async look(name: string, signal: AbortSignal): Promise<{ readonly files: readonly string[]; readonly applied?: boolean } | undefined> {
    const found = await this.find(name);
    if (found === undefined) return undefined;
    const { worktree, main } = found;
    if (!(await hasApplied(worktree))) return { files: (await changedFiles(worktree, main, signal)).paths };
    const { paths: files, counts, nested, refused } = await changedFilesWithCounts(worktree, main, signal);
    return files.length === 0 ? { files } : { files, applied: counts.open + counts.undone + nested.length + refused.length === 0 };
  }

  /** Compares what is applied next with these versions. Where they cannot be remembered, it is compared with what was before. Does not reject. */
  noteApplied(name: string, files: readonly AppliedFile[]): Promise<void> {
    this.noting = this.noting.then(async () => {
      try {
        const found = await this.find(name);
        if (found !== undefined) await noteApplied(found.worktree, files);
      } catch (error) {
        this.deps.log.warn(`What was applied of the worktree ${name} is not remembered: ${errorMessage(error)}`);
      }
    });
    return this.noting;
  }

  /** Deletes for good what has been in the trash for ten minutes, now and when that is over for what is in it. Does not reject. */
  async emptyTrash(): Promise<void> {
    const { log } = this.deps;
    try {
      const place = await this.place();
      await emptyTrash(place.home, { ...place, probe: this.probe }, Date.now(), AbortSignal.timeout(LOOK_MS));
      const left = (await trashedIn(place.home)).map(({ removedAt }) => removedAt + KEPT_MS - Date.now()).filter((ms) => ms > 0);
      clearTimeout(this.emptying);
      if (left.length > 0) this.emptying = setTimeout(() => void this.emptyTrash(), Math.max(...left)).unref();
    } catch (error) {
      log.warn(`The trash of worktrees could not be emptied: ${errorMessage(error)}`);
    }
  }

  dispose(): void {
    clearTimeout(this.emptying);
    this.opened
      .then((holds) => Promise.all(holds.map((hold) => hold.release())))
      .catch((error: unknown) => this.deps.log.warn(`A worktree still counts as open: ${errorMessage(error)}`));
  }

  /** Keeps those from being removed that the user has opened as folders. */
  private async holdOpened(): Promise<readonly Hold[]> {
    const { folders, log } = this.deps;
    try {
      const paths = await Promise.all(folders.paths().map((path) => realPathOf(path)));
      const units = new Set(paths.map((path) => unitAround(path)).filter((unit) => unit !== undefined));
      return await Promise.all([...units].map((unit) => holdWorktree({ unit }, 'window', this.probe)));
    } catch (error) {
      log.warn(`A worktree that is open is not known as such: ${errorMessage(error)}`);
      return [];
    }
  }

  private async existing(name: string, place: WorktreePlace): Promise<{ readonly worktree: Worktree; readonly hold: Hold } | undefined> {
    const { main, home } = place;
    const trashed = (await trashedIn(home)).find((each) => each.name === name);
    // One whose set-up has failed begins with what the user has now: they may have mended why.
    const wasSetUp = trashed !== undefined && (await readWorktree(trashed.unit))?.record.prepared === true;
    const worktree = (await ownWorktree(name, place)) ?? (wasSetUp ? await restoreWorktree(trashed, home) : undefined);
    if (worktree?.record.state === 'ready') return { worktree, hold: await holdWorktree(worktree, 'run', this.probe) };
    // Making it was cut off, such as by a crash: what is there of it is only in the way.
    const unit = join(home.folder, name);
    if (await exists(unit)) await removeWorktree(unit, home, { main, probe: this.probe }, AbortSignal.timeout(LOOK_MS));
    return undefined;
  }

  /** Makes a worktree that nobody works in yet, with its own ports. @throws Error as {@link use} does */
  async create(
    name: string,
    base: WantedBase,
    signal: AbortSignal,
  ): Promise<WorktreePlace & { readonly worktree: Worktree; readonly hold: Hold; readonly plan: SetUpPlan }> {
    const place = await this.place();
    return { ...place, ...(await this.made({ name, base }, place, signal)) };
  }

  private async made(
    wanted: Pick<WantedWorktree, 'name' | 'base' | 'agent'>,
    { main, home }: WorktreePlace,
    signal: AbortSignal,
  ): Promise<{ readonly worktree: Worktree; readonly hold: Hold; readonly plan: SetUpPlan }> {
    const made = await createWorktree({ ...wanted, main, home, probe: this.probe, signal });
    if (made.kind === 'failed') throw new Error(notCreatedText(made));
    const { worktree, hold } = made;
    try {
      // It comes with a library that a start of the host does not need.
      const { readSetUpPlan } = await import('../../worktree/set-up-plan.js');
      const plan = await readSetUpPlan([worktree.tree, main.root], process.platform, signal);
      return { worktree: await givePorts(worktree, home, plan.ports), hold, plan };
    } catch (error) {
      await hold.release();
      await this.removeUnchanged({ main, home, worktree });
      throw error;
    }
  }

  private async open({ main, home, worktree, hold }: Omit<UsedWorktree, 'ground' | 'close'> & { readonly hold: Hold }): Promise<UsedWorktree> {
    const folders = await this.foldersIn(worktree, main);
    const standIns = [{ folder: worktree.tree, for: main.root }, ...folders.map(({ path, as }) => ({ folder: path, for: as }))];
    const ground = this.deps.groundIn(() => folders, { readable: [objectsOf(main)], closed: [main.root], standIns, variables: { ...variablesOf(worktree) } });
    const close = async (): Promise<void> => {
      ground.dispose();
      try {
        await hold.release();
        await this.removeUnchanged({ main, home, worktree });
      } catch (error) {
        this.deps.log.warn(`The worktree ${worktree.record.name} stays: ${errorMessage(error)}`);
      }
    };
    return { main, home, worktree, ground, close };
  }

  /** The folders of the worktree that stand for those that are open, with the paths of these as they are named; the first is there in any case. */
  async foldersIn({ tree }: Worktree, { root }: MainRepository): Promise<readonly (WorkspaceFolder & { readonly as: string })[]> {
    const open = await Promise.all(this.deps.folders.local().map(async ({ name, path }) => ({ name, as: path, path: await realPathOf(path) })));
    const folders = open.filter(({ path }) => isWithin(root, path)).map(({ path, ...folder }) => ({ ...folder, path: join(tree, relative(root, path)) }));
    // One that holds only what Git ignores is in no commit.
    for (const { path } of folders) await mkdir(path, { recursive: true });
    return folders;
  }

  private async removeUnchanged({ main, home, worktree }: WorktreePlace & { readonly worktree: Worktree }): Promise<void> {
    const signal = AbortSignal.timeout(LOOK_MS);
    const { paths } = await changedFiles(worktree, main, signal);
    if (paths.length > 0) return;
    const { kind } = await removeWorktree(worktree.unit, home, { main, probe: this.probe }, signal);
    if (kind === 'in_trash') await this.emptyTrash();
  }
}
