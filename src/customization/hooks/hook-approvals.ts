import { dirname } from 'node:path';
import { isFromRepository } from '../../domain/config/origin.js';
import { failsClosed, type HookDefinition } from '../../domain/hook/definition.js';
import type { ApprovalStore } from '../../domain/host/approvals.js';
import { t } from '../../domain/l10n.js';
import { NOTHING_BOUND, type Binding, type Bound, type BoundPlaces } from '../../domain/workspace/binding.js';
import { adopted, covers, type HookApproval, type HookStanding, type HookTexts, standingOf, withApproval, withoutApproval } from '../../hook/approval.js';
import { bindingOfHook, hookText } from '../../hook/identity.js';
import { isOwnFile } from '../../node/config/own-file.js';
import { boundContent } from '../../node/files/bound-content.js';
import { addsToEarlier, notBoundSentences } from '../../text/command-line/not-bound.js';

/** A hook as it is now, with its scripts, and whether it may run. */
export interface ListedHook {
  readonly hook: HookDefinition;
  /** All that decides what it does, for people to read before they approve it. */
  readonly text: string;
  /** Parts of the hook that the approval does not cover, as sentences to read before approving. */
  readonly notBound: readonly string[];
  readonly standing: HookStanding;
  /** Whether it runs only once the user has approved it. */
  readonly needsApproval: boolean;
}

type JudgedHook = Pick<ListedHook, 'hook' | 'needsApproval'>;

/** The approval store, with Workspace Trust and the folders that tell scripts of the workspace from the user's own. */
export interface HookApprovalsDeps {
  readonly trusted: () => boolean;
  /** Present where hooks of the workspace need no approval, because the user has said so of all that it brings. */
  readonly needsNoApproval?: true | undefined;
  /** Absolute paths of the workspace folders. */
  readonly folders: () => readonly string[];
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly store: ApprovalStore<HookApproval>;
}

/**
 * Approvals of hooks. Hooks that others may have written run only where the workspace is trusted, and exactly as they
 * were approved: their scripts are looked at before each run.
 */
export class HookApprovals {
  /** Files that hooks name, cached because finding them is slow and they are checked before each run. */
  private readonly bindings = new WeakMap<HookDefinition, { readonly folder: string; readonly binding: Binding | undefined }>();

  constructor(private readonly deps: HookApprovalsDeps) {}

  /** Hooks with where they stand. @param all that there are, in whose place a hook may be that was not approved */
  async list(hooks: readonly HookDefinition[], all: readonly HookDefinition[]): Promise<readonly ListedHook[]> {
    return this.placed(await this.withNeeds(hooks), all);
  }

  /**
   * Selects the hooks that may run now. One that was changed after it was approved counts as a guard that fails, until the user
   * has reviewed it: otherwise, changing it would be a way to turn it off.
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

  /** Absolute paths, without links, of what the approval of a hook is bound to. */
  async placesOf(hook: HookDefinition): Promise<BoundPlaces> {
    return (await this.boundOf(hook)).places;
  }

  /** Approves a hook. @throws Error when it is not any more what the user has seen, or the workspace is not trusted */
  async approve({ hook, text, standing }: ListedHook): Promise<void> {
    if (!this.deps.trusted()) throw new Error(t('Hooks cannot be approved before the workspace is trusted.'));
    const texts = await this.textsOf(hook);
    if (texts.text !== text) throw new Error(t('The hook has just changed. Look at it again before you approve it.'));
    await this.deps.store.change((all) => withApproval(all, hook, { texts, standing, at: Date.now() }));
  }

  /** Takes an approval back. */
  async revoke({ hook, text }: ListedHook): Promise<void> {
    const { earlier } = await this.textsOf(hook);
    await this.deps.store.change((all) => withoutApproval(all, { text, earlier }));
  }

  private withNeeds(hooks: readonly HookDefinition[]): Promise<readonly JudgedHook[]> {
    return Promise.all(hooks.map(async (hook) => ({ hook, needsApproval: await this.needsApproval(hook) })));
  }

  private async placed(hooks: readonly JudgedHook[], all: readonly HookDefinition[]): Promise<readonly ListedHook[]> {
    const looked = await Promise.all(hooks.map(async (each) => ({ ...each, texts: await this.textsOf(each.hook) })));
    await this.adopt(looked);
    const approvals = this.deps.store.list();
    const areApproved = looked.every(({ texts, needsApproval }) => !needsApproval || approvals.some((approval) => covers(approval, texts)));
    // What else there is only matters where a hook is not approved.
    const others = areApproved ? [] : await Promise.all(all.map((hook) => this.textsOf(hook)));
    const present = new Set(others.flatMap(({ text, earlier }) => [text, earlier]));
    return looked.map(({ texts, hook, needsApproval }) => {
      const standing: HookStanding = needsApproval ? standingOf(hook, texts, { approvals, present }) : { state: 'approved' };
      return { hook, needsApproval, text: texts.text, notBound: texts.notBound, standing };
    });
  }

  /** Migrates approvals of an earlier version that cover everything that this version binds. */
  private async adopt(looked: readonly { readonly texts: HookTexts; readonly needsApproval: boolean }[]): Promise<void> {
    const adopt = (all: readonly HookApproval[]): readonly HookApproval[] =>
      looked.reduce((kept, { texts, needsApproval }) => (needsApproval ? adopted(kept, texts) : kept), all);
    const approvals = this.deps.store.list();
    if (adopt(approvals).some((approval, index) => approval !== approvals[index])) await this.deps.store.change(adopt);
  }

  /**
   * Skills and commands are downloaded into the folders of other programs, and models can load skills. Hooks that the user has set up for Cursor
   * and Copilot were not meant for Gnomon.
   */
  private async needsApproval({ origin, owner, dialect }: HookDefinition): Promise<boolean> {
    if (isFromRepository(origin)) return this.deps.needsNoApproval !== true;
    if (origin.layer === 'user' && dialect !== 'claude') return true;
    return (owner?.kind === 'skill' || owner?.kind === 'command') && !(await isOwnFile(origin, { home: this.deps.home, folders: this.deps.folders() }));
  }

  /** All that decides what a hook does, with what its scripts contain now. */
  private async textsOf(hook: HookDefinition): Promise<HookTexts & { readonly notBound: readonly string[] }> {
    const bound = await this.boundOf(hook);
    const { files, added, folders, notBound } = bound;
    const earlier = files.filter((file) => !added.includes(file));
    return { text: hookText(hook, files, folders), earlier: hookText(hook, earlier), adds: addsToEarlier(bound), notBound: notBoundSentences(notBound) };
  }

  private async boundOf(hook: HookDefinition): Promise<Bound> {
    const folder = this.folderOf(hook);
    const known = this.bindings.get(hook);
    const binding = known?.folder === folder ? known.binding : bindingOfHook(hook, { folder, home: this.deps.home, platform: process.platform });
    this.bindings.set(hook, { folder, binding });
    return binding === undefined ? NOTHING_BOUND : boundContent(binding, { folders: this.deps.folders(), folder }, new AbortController().signal);
  }

  private folderOf({ origin }: HookDefinition): string {
    return origin.folder ?? this.deps.folders()[0] ?? dirname(origin.file);
  }
}
