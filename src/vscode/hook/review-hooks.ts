import * as vscode from 'vscode';
import { isFromRepository } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { errorMessage } from '../../domain/errors.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import type { HookDefinition } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { Dialogs } from '../dialogs/dialogs.js';
import { type TryOut, tryHook } from './try-hook.js';
import type { ListedHook, WindowHooks } from './window-hooks.js';

/** Characters and lines that a dialog shows without cutting anything off; what is longer is shown in an editor. */
const MAX_SHOWN = { characters: 3_000, lines: 60 };
/** Characters that anybody would read; what is longer cannot be approved. */
const MAX_READ = 100_000;

/** What an item of the list is about. */
type Act = { readonly type: 'hook'; readonly listed: ListedHook } | { readonly type: 'problem'; readonly problem: ConfigProblem };
type Item = vscode.QuickPickItem & { readonly act?: Act };

/** Dependencies of {@link HookReview}. */
export interface HookReviewDeps {
  readonly hooks: WindowHooks;
  /** Has the files read again. Does not reject. */
  readonly read: () => Promise<void>;
  readonly dialogs: Dialogs;
  readonly trusted: () => boolean;
  readonly tryOut: TryOut;
  readonly log: Log;
}

/** Tells the user of hooks that wait for them, and lets them look at all hooks, approve them, and take that back. */
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

  /** Lists all hooks until the user closes the list. */
  async manage(): Promise<void> {
    await this.deps.read();
    for (;;) {
      const picked = await vscode.window.showQuickPick(await this.items(), { title: t('Hooks'), placeHolder: t('Select a hook to see what it does'), matchOnDescription: true, matchOnDetail: true });
      if (picked?.act === undefined) return;
      try {
        if (await this.carryOut(picked.act)) return;
      } catch (error) {
        await vscode.window.showErrorMessage(errorMessage(error));
      }
    }
  }

  private async tell(): Promise<void> {
    if (!this.deps.trusted()) return;
    const waiting = (await this.deps.hooks.list()).filter(({ standing, text }) => standing.state !== 'approved' && !this.told.has(text));
    if (waiting.length === 0) return;
    for (const { text } of waiting) this.told.add(text);
    const changed = waiting.filter(({ standing }) => standing.state === 'changed').length;
    const words = changed === 0 ? t('Hooks of this workspace wait for your approval: {0}. They do not run before.', waiting.length) : t('Hooks of this workspace have changed since you approved them: {0}. They do not run before you have reviewed them.', changed);
    const review = t('Review');
    if ((await this.deps.dialogs.notify(changed === 0 ? 'info' : 'warning', words, review, t('Not Now'))) === review) await this.manage();
  }

  private async items(): Promise<readonly Item[]> {
    const listed = await this.deps.hooks.list();
    const { problems } = this.deps.hooks;
    if (listed.length === 0 && problems.length === 0) return [{ label: t('There are no hooks.'), detail: t('They are read from .claude/settings.json, .gnomon/settings.json, .cursor/hooks.json, and .github/hooks.') }];
    const heading = problems.length === 0 ? [] : [{ label: t('Problems'), kind: vscode.QuickPickItemKind.Separator }];
    return [...listed.map((each) => this.itemOf(each)), ...heading, ...problems.map(problemItem)];
  }

  private itemOf(listed: ListedHook): Item {
    const { hook, standing } = listed;
    const state = !this.deps.trusted() ? t('Workspace not trusted') : standing.state === 'approved' ? (hook.broken === undefined ? t('In use') : t('Cannot run')) : standing.state === 'new' ? t('Waits for approval') : t('Changed since approval');
    const icon = standing.state === 'approved' ? (hook.broken === undefined ? 'check' : 'error') : standing.state === 'new' ? 'question' : 'warning';
    return { label: `$(${icon}) ${hook.event}${hook.matcher === undefined ? '' : ` ${escapeHidden(hook.matcher)}`}`, description: `${state} · ${placeOf(hook)}`, detail: escapeHidden(lineOf(hook)), act: { type: 'hook', listed } };
  }

  /** Returns whether the list is to be closed. */
  private async carryOut(act: Act): Promise<boolean> {
    if (act.type === 'hook') return this.show(act.listed);
    await open(act.problem.file, act.problem.line);
    return true;
  }

  /** Shows all of a hook. Returns whether the list is to be closed. */
  private async show(listed: ListedHook): Promise<boolean> {
    const { hook, text, standing } = listed;
    const scripts = await this.deps.hooks.scriptsOf(hook);
    const detail = standing.state === 'changed' ? await difference(standing.before, text) : text;
    const openFile = t('Open File');
    const openScript = t('Open Script');
    const tryOut = t('Run Against the Last Call');
    const mayRun = this.deps.trusted() && standing.state === 'approved' && hook.broken === undefined;
    const fits = detail.length <= MAX_SHOWN.characters && detail.split('\n').length <= MAX_SHOWN.lines;
    const act = !isFromRepository(hook.origin) || !this.deps.trusted() || detail.length > MAX_READ ? undefined : standing.state === 'approved' ? t('Revoke Approval') : t('Approve');
    const choices = [...(act === undefined ? [] : [act]), ...(mayRun ? [tryOut] : []), openFile, ...(scripts.length === 0 ? [] : [openScript])];
    const title = detail.length > MAX_READ ? t('The hook is too long to be approved. Open its file, and shorten it.') : titleOf(listed);
    const answer = await (fits ? this.deps.dialogs.modal(title, detail, ...choices) : this.deps.dialogs.beside(title, { title: t('Hook'), text: detail }, ...choices));
    if (answer === tryOut) {
      // Its scripts are looked at as before every run.
      if (!(await this.deps.hooks.definitionsFor(hook.event)).includes(hook)) throw new Error(t('The hook has just changed. Look at it again before you run it.'));
      await tryHook(hook, this.deps.tryOut);
      return true;
    }
    if (answer === openScript) {
      for (const path of scripts) await open(path);
      return true;
    }
    if (answer === openFile) {
      await open(hook.origin.file, hook.origin.line);
      return true;
    }
    if (answer === undefined || answer !== act) return false;
    if (standing.state === 'approved') await this.deps.hooks.revoke(listed);
    else await this.deps.hooks.approve(listed);
    return false;
  }
}

function titleOf({ hook, standing }: ListedHook): string {
  if (standing.state === 'approved') return t('The hook {0}', placeOf(hook));
  return standing.state === 'new' ? t('This program would run on your computer, with your rights, at the event {0}. Approve it?', hook.event) : t('This hook has changed since you approved it. Approve it as it is now?');
}

function lineOf({ handler, broken }: HookDefinition): string {
  if (broken !== undefined) return broken;
  return handler.type === 'http' ? handler.url : [handler.command, ...(handler.args ?? [])].join(' ');
}

function placeOf({ origin }: HookDefinition): string {
  return origin.line === undefined ? origin.display : `${origin.display}:${origin.line}`;
}

function problemItem(problem: ConfigProblem): Item {
  const place = `${problem.file}${problem.line === undefined ? '' : `:${problem.line}`}`;
  return { label: `$(${problem.harmless === true ? 'info' : 'warning'}) ${escapeHidden(problem.message)}`, description: place, detail: problem.key, act: { type: 'problem', problem } };
}

/** Both sides of a change, line by line: what is gone, and what is new in its place. Lines are few and each is about one value. */
async function difference(before: string, after: string): Promise<string> {
  const { diffArrays } = await import('diff');
  const parts = diffArrays(before.split('\n'), after.split('\n'));
  return parts.flatMap(({ value, added, removed }) => value.map((line) => `${removed ? '−' : added ? '+' : ' '}  ${line}`)).join('\n');
}

async function open(file: string, line = 1): Promise<void> {
  const position = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(position, position) });
}
