import { dirname, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { isFromRepository } from '../../domain/config/origin.js';
import { failsClosed, type HookDefinition } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import type { UsedFile } from '../../domain/workspace/used-file.js';
import { type HookApproval, type HookStanding, parseApprovals, standingOf, withApproval, withoutApproval } from '../../hook/approval.js';
import { hookText, pathsOfHook } from '../../hook/identity.js';
import { isOwnFile } from '../../node/config/own-file.js';
import { usedFiles } from '../../node/files/used-files.js';

const KEY = 'gnomon.hookApprovals';

/** A hook as it is now, with its scripts, and whether it may run. */
export interface ListedHook {
  readonly hook: HookDefinition;
  /** All that decides what it does, for people to read before they approve it. */
  readonly text: string;
  readonly standing: HookStanding;
  /** Whether it runs only once the user has approved it. */
  readonly needsApproval: boolean;
}

type JudgedHook = Pick<ListedHook, 'hook' | 'needsApproval'>;

/** Dependencies of {@link HookApprovals}. */
export interface HookApprovalsDeps {
  readonly trusted: () => boolean;
  /** Absolute paths of the workspace folders. */
  readonly folders: () => readonly string[];
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Where approvals are kept: out of reach of every workspace. */
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
}

/**
 * What the user has approved of hooks. Those that somebody else may have written run only where the workspace is trusted, and exactly as they
 * were approved: their scripts are looked at before each run.
 */
export class HookApprovals {
  constructor(private readonly deps: HookApprovalsDeps) {}

  /** Hooks with where they stand. @param all that there are, in whose place a hook may be that was not approved */
  async list(hooks: readonly HookDefinition[], all: readonly HookDefinition[]): Promise<readonly ListedHook[]> {
    return this.placed(await this.withNeeds(hooks), all);
  }

  /**
   * Those of some hooks that may run now. One that was changed after it was approved counts as a guard that does not answer, until the user
   * has looked at it: else whoever changes it could switch it off.
   */
  async runnable(hooks: readonly HookDefinition[], all: readonly HookDefinition[]): Promise<readonly HookDefinition[]> {
    if (!this.deps.trusted()) return [];
    const needs = await this.withNeeds(hooks);
    if (needs.every(({ needsApproval }) => !needsApproval)) return hooks;
    const listed = await this.placed(needs, all);
    return listed.flatMap(({ hook, standing }): readonly HookDefinition[] => {
      if (standing.state === 'approved') return [hook];
      if (standing.state === 'new' || !failsClosed(hook)) return [];
      return [{ ...hook, broken: t('It has changed since you approved it. Run “Gnomon: Manage Hooks” to review it.') }];
    });
  }

  /** Absolute paths of the scripts of the workspace that a hook names. */
  async scriptsOf(hook: HookDefinition): Promise<readonly string[]> {
    return (await this.filesOf(hook)).map(({ path }) => resolve(this.folderOf(hook), path));
  }

  /** Approves a hook. @throws Error when it is not any more what the user has seen, or the workspace is not trusted */
  async approve({ hook, text, standing }: ListedHook): Promise<void> {
    if (!this.deps.trusted()) throw new Error(t('Hooks cannot be approved before the workspace is trusted.'));
    if ((await this.textOf(hook)) !== text) throw new Error(t('The hook has just changed. Look at it again before you approve it.'));
    await this.deps.memory.update(KEY, withApproval(this.approvals, hook, { text, standing, at: Date.now() }));
  }

  /** Takes an approval back. */
  async revoke({ text }: ListedHook): Promise<void> {
    await this.deps.memory.update(KEY, withoutApproval(this.approvals, text));
  }

  private withNeeds(hooks: readonly HookDefinition[]): Promise<readonly JudgedHook[]> {
    return Promise.all(hooks.map(async (hook) => ({ hook, needsApproval: await this.needsApproval(hook) })));
  }

  private async placed(hooks: readonly JudgedHook[], all: readonly HookDefinition[]): Promise<readonly ListedHook[]> {
    const { approvals } = this;
    const looked = await Promise.all(hooks.map(async (each) => ({ ...each, text: await this.textOf(each.hook) })));
    const known = new Set(approvals.map(({ text }) => text));
    const areApproved = looked.every(({ text, needsApproval }) => !needsApproval || known.has(text));
    // What else there is only matters where a hook is not approved.
    const present = new Set(areApproved ? [] : await Promise.all(all.map((hook) => this.textOf(hook))));
    return looked.map((each) => ({ ...each, standing: each.needsApproval ? standingOf(each.hook, each.text, { approvals, present }) : { state: 'approved' } }));
  }

  private get approvals(): readonly HookApproval[] {
    return parseApprovals(this.deps.memory.get(KEY));
  }

  /**
   * Skills and commands are downloaded into the folders of other programs, and models can load skills. Hooks that the user has set up for Cursor
   * and Copilot were not meant for Gnomon.
   */
  private async needsApproval({ origin, owner, dialect }: HookDefinition): Promise<boolean> {
    if (isFromRepository(origin) || (origin.layer === 'user' && dialect !== 'claude')) return true;
    return (owner?.kind === 'skill' || owner?.kind === 'command') && !(await isOwnFile(origin, { home: this.deps.home, folders: this.deps.folders() }));
  }

  /** All that decides what a hook does, with what its scripts contain now. */
  private async textOf(hook: HookDefinition): Promise<string> {
    return hookText(hook, await this.filesOf(hook));
  }

  private async filesOf(hook: HookDefinition): Promise<readonly UsedFile[]> {
    const paths = pathsOfHook(hook);
    const folder = this.folderOf(hook);
    return paths === undefined ? [] : usedFiles(paths.paths, paths.cwd ?? folder, { folders: this.deps.folders(), folder }, new AbortController().signal);
  }

  private folderOf({ origin }: HookDefinition): string {
    return origin.folder ?? this.deps.folders()[0] ?? dirname(origin.file);
  }
}
