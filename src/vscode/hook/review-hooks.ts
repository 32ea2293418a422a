import * as vscode from 'vscode';
import type { HookDefinition } from '../../domain/hook/definition.js';
import { NEVER_HAPPENS } from '../../domain/hook/event.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { Dialogs } from '../dialogs/dialogs.js';
import type { ListedHook } from './hook-approvals.js';
import type { WindowHooks } from './window-hooks.js';

/** Characters and lines that a dialog shows without cutting anything off; what is longer is shown in an editor. */
const MAX_SHOWN = { characters: 3_000, lines: 60 };
/** Characters that anybody would read; what is longer cannot be approved. */
const MAX_READ = 100_000;

/** Dependencies of {@link HookReview}. */
export interface HookReviewDeps {
  readonly hooks: WindowHooks;
  readonly dialogs: Dialogs;
  readonly trusted: () => boolean;
  readonly log: Log;
}

/** Tells the user of hooks that wait for them, and asks whether one may run, with all of it shown. */
export class HookReview implements vscode.Disposable {
  private readonly deps: HookReviewDeps;
  private readonly stopListening: () => void;
  /** What this window has told of, so that “Not Now” counts until something changes. */
  private readonly told = new Set<string>();

  constructor(deps: HookReviewDeps) {
    this.deps = deps;
    this.stopListening = deps.hooks.onDidChange(() => void this.tell().catch((error: unknown) => deps.log.error('Hooks that wait could not be told of', error)));
  }

  dispose(): void {
    this.stopListening();
  }

  /**
   * Shows all of a hook, and approves it or takes its approval back where the user says so.
   * @throws Error when it is not any more what was shown
   */
  async decide(listed: ListedHook): Promise<void> {
    const { text, standing, needsApproval } = listed;
    const detail = standing.state === 'changed' ? await difference(standing.before, text) : text;
    const isTooLong = detail.length > MAX_READ;
    const fits = detail.length <= MAX_SHOWN.characters && detail.split('\n').length <= MAX_SHOWN.lines;
    const isApproved = standing.state === 'approved';
    const act = !needsApproval || !this.deps.trusted() || (isTooLong && !isApproved) ? undefined : isApproved ? t('Revoke Approval') : t('Approve');
    const title = isTooLong ? t('The hook is too long to be approved. Open its file, and shorten it.') : titleOf(listed);
    const choices = act === undefined ? [] : [act];
    const answer = await (fits ? this.deps.dialogs.modal(title, detail, ...choices) : this.deps.dialogs.beside(title, { title: t('Hook'), text: detail }, ...choices));
    if (answer === undefined || answer !== act) return;
    if (isApproved) await this.deps.hooks.revoke(listed);
    else await this.deps.hooks.approve(listed);
  }

  /** Tells of hooks that wait, each once. */
  private async tell(): Promise<void> {
    if (!this.deps.trusted()) return;
    const waiting = (await this.deps.hooks.list()).filter(({ hook, text, standing }) => standing.state !== 'approved' && !NEVER_HAPPENS.has(hook.event) && !this.told.has(text));
    if (waiting.length === 0) return;
    for (const { text } of waiting) this.told.add(text);
    const changed = waiting.filter(({ standing }) => standing.state === 'changed').length;
    const words = changed === 0 ? t('Hooks wait for your approval: {0}. They do not run before.', waiting.length) : t('Hooks have changed since you approved them: {0}. They do not run before you have reviewed them.', changed);
    const review = t('Review');
    if ((await this.deps.dialogs.notify(changed === 0 ? 'info' : 'warning', words, review, t('Not Now'))) === review) await vscode.commands.executeCommand('gnomon.manageHooks');
  }
}

function titleOf({ hook, standing }: ListedHook): string {
  if (standing.state === 'approved') return t('The hook {0}', placeOf(hook));
  return standing.state === 'new' ? t('This program would run on your computer, with your rights, at the event {0}. Approve it?', hook.event) : t('This hook has changed since you approved it. Approve it as it is now?');
}

function placeOf({ origin }: HookDefinition): string {
  return origin.line === undefined ? origin.display : `${origin.display}:${origin.line}`;
}

/** Both sides of a change, line by line: what is gone, and what is new in its place. Lines are few and each is about one value. */
async function difference(before: string, after: string): Promise<string> {
  const { diffArrays } = await import('diff');
  const parts = diffArrays(before.split('\n'), after.split('\n'));
  return parts.flatMap(({ value, added, removed }) => value.map((line) => `${removed ? '−' : added ? '+' : ' '}  ${line}`)).join('\n');
}
