import { errorMessage } from '../domain/errors.js';
import type { Log } from '../domain/log.js';
import { present } from '../domain/present.js';
import type { ElfTreeState } from '../domain/session/elf.js';
import type { AppliedState, ElfWorktrees } from './brought.js';
import type { KeptByName } from './elf-memory.js';

/** Milliseconds that looking at a worktree may take. */
const LOOK_MS = 60_000;

/** Services for looking at the worktree of an elf. */
export interface ElfTreeDeps {
  readonly worktrees: Pick<ElfWorktrees, 'look'>;
  readonly trees: KeptByName<ElfTreeState>;
  readonly log: Log;
  /** Is called when it stands otherwise. */
  readonly changed: () => void;
}

/** The worktree of an elf, and how its files stand to those of the user. */
export class ElfTree {
  private known: ElfTreeState;

  /** @param elf name of the elf */
  constructor(
    private readonly elf: string,
    private readonly worktree: string,
    private readonly deps: ElfTreeDeps,
  ) {
    this.known = deps.trees.of(elf) ?? {};
  }

  get state(): ElfTreeState {
    return this.known;
  }

  /** Looks at it. @returns paths of the files that differ from what it began with; `undefined` where that cannot be found out */
  async look(): Promise<readonly string[] | undefined> {
    const { worktrees, log } = this.deps;
    try {
      const before = this.known;
      const found = await worktrees.look(this.worktree, AbortSignal.timeout(LOOK_MS));
      // What was applied meanwhile is newer than what was found.
      if (this.known !== before) return await this.look();
      if (found === undefined) return undefined;
      const { files, applied } = found;
      const conflicts = applied === true ? undefined : this.known.conflicts;
      this.set({ changed: files.length, ...present({ conflicts, applied }) });
      return files;
    } catch (error) {
      log.warn(`What ${this.elf} has changed is not known: ${errorMessage(error)}`);
      return undefined;
    }
  }

  /** What became of its files when they were to be applied. */
  noteApplied({ conflicts, applied }: AppliedState): void {
    const { changed, applied: before } = this.known;
    this.set(present({ changed, conflicts, applied: applied ?? before }));
  }

  /** The elf goes on there: conflicts are others afterwards. */
  noteBegun(): void {
    if (this.known.conflicts !== undefined) this.noteApplied({});
  }

  private set(state: ElfTreeState): void {
    const { changed, conflicts, applied } = this.known;
    if (state.changed === changed && state.conflicts === conflicts && state.applied === applied) return;
    this.known = state;
    this.deps.trees.keep(this.elf, state);
    this.deps.changed();
  }
}
