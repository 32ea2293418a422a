import type { Disposable } from '../domain/host/disposable.js';
import { type HookDefinition, hookName } from '../domain/hook/definition.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { Dialogs } from '../domain/host/dialogs.js';
import type { ListedHook } from '../customization/hooks/hook-approvals.js';
import type { RegisteredHooks } from '../customization/hooks/hooks.js';

/** Characters and lines that a dialog shows without cutting anything off; what is longer is shown in an editor. */
const MAX_SHOWN = { characters: 3_000, lines: 60 };
/** Characters that anybody would read; what is longer cannot be approved. */
const MAX_READ = 100_000;

/** Services of hook reviews: the registered hooks and their approvals, dialogs, and Workspace Trust. */
export interface HookReviewDeps {
  readonly hooks: Pick<RegisteredHooks, 'list' | 'approve' | 'revoke' | 'onDidChange'>;
  readonly dialogs: Dialogs;
  readonly trusted: () => boolean;
  /** Shows the list of hooks. */
  readonly manage: () => PromiseLike<unknown>;
  /** Tells of approved hooks of which more is bound than when they were approved. */
  readonly tellMore: (hooks: readonly { readonly key: string; readonly name: string }[]) => void;
  readonly log: Log;
}

/** Tells the user of hooks that wait for them, and asks whether one may run, with all of it shown. */
export class HookReview implements Disposable {
  private readonly stopListening: () => void;
  /** Hooks that this window has shown, so that “Not Now” is respected until something changes. */
  private readonly told = new Set<string>();

  constructor(private readonly deps: HookReviewDeps) {
    this.stopListening = deps.hooks.onDidChange(() => void this.tell().catch((error: unknown) => deps.log.error('Hooks that wait could not be shown', error)));
  }

  dispose(): void {
    this.stopListening();
  }

  /**
   * Shows all of a hook, and approves it or takes its approval back where the user says so.
   * @throws Error when it is not any more what was shown
   */
  async decide(listed: ListedHook): Promise<void> {
    const detail = await detailOf(listed);
    const isTooLong = detail.length > MAX_READ;
    const fits = detail.length <= MAX_SHOWN.characters && detail.split('\n').length <= MAX_SHOWN.lines;
    const choices = this.deps.trusted() ? choicesOf(listed, isTooLong) : [];
    const title = isTooLong ? t('The hook is too long to be approved. Open its file, and shorten it.') : titleOf(listed);
    const answer = await (fits
      ? this.deps.dialogs.modal(title, detail, ...choices)
      : this.deps.dialogs.beside(title, { title: t('Hook'), text: detail }, ...choices));
    if (answer === undefined || !choices.includes(answer)) return;
    if (answer === t('Revoke Approval')) await this.deps.hooks.revoke(listed);
    else await this.deps.hooks.approve(listed);
  }

  /** Tells of hooks that wait, each once. */
  private async tell(): Promise<void> {
    if (!this.deps.trusted()) return;
    const listed = await this.deps.hooks.list();
    this.deps.tellMore(
      listed.flatMap(({ hook, standing }) =>
        standing.state === 'approved' && standing.adds === true
          ? [{ key: JSON.stringify([hook.origin.file, hook.event, hook.handler]), name: hookName(hook) }]
          : [],
      ),
    );
    const waiting = listed.filter(({ text, standing }) => standing.state !== 'approved' && !this.told.has(text));
    if (waiting.length === 0) return;
    for (const { text } of waiting) this.told.add(text);
    const changed = waiting.filter(({ standing }) => standing.state === 'changed').length;
    const words =
      changed === 0
        ? t('Hooks wait for your approval: {0}. They do not run before.', waiting.length)
        : t('Hooks have changed since you approved them: {0}. They do not run before you have reviewed them.', changed);
    const review = t('Review');
    if ((await this.deps.dialogs.notify(changed === 0 ? 'info' : 'warning', words, review, t('Not Now'))) === review) await this.deps.manage();
  }
}

/** Choices for a hook: an approved one can be revoked; one that is not approved, or whose approval covers less than now, can be approved. */
function choicesOf({ standing, needsApproval }: ListedHook, isTooLong: boolean): readonly string[] {
  if (!needsApproval) return [];
  const isApproved = standing.state === 'approved';
  const approve = !isTooLong && (!isApproved || standing.adds === true) ? [t('Approve')] : [];
  return [...approve, ...(isApproved ? [t('Revoke Approval')] : [])];
}

/** All of a hook, and what its approval is not bound to. */
async function detailOf({ text, notBound, standing }: ListedHook): Promise<string> {
  const shown = standing.state === 'changed' ? await difference(standing.before, text) : text;
  return [shown, ...notBound].join('\n\n');
}

function titleOf({ hook, standing }: ListedHook): string {
  switch (standing.state) {
    case 'approved':
      return standing.adds === true
        ? t('Gnomon now binds more of what this hook runs than when you approved it. Approve it as it is now?')
        : t('The hook {0}', placeOf(hook));
    case 'new':
      return t('This program would run on your computer, with your rights, at the event {0}. Approve it?', hook.event);
    case 'changed':
      return t('This hook has changed since you approved it. Approve it as it is now?');
  }
}

function placeOf({ origin }: HookDefinition): string {
  return origin.line === undefined ? origin.display : `${origin.display}:${origin.line}`;
}

/** Both sides of a change, line by line: what is gone, and what is new in its place. Lines are few and each is about one value. */
async function difference(before: string, after: string): Promise<string> {
  const { diffArrays } = await import('../text/diffs.js');
  const parts = diffArrays(before.split('\n'), after.split('\n'));
  return parts.flatMap(({ value, added, removed }) => value.map((line) => `${removed ? '−' : added ? '+' : ' '}  ${line}`)).join('\n');
}
