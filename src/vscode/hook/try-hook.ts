import * as vscode from 'vscode';
import type { HookDefinition } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import { showText } from '../dialogs/text-view.js';
import { type HookTrial, trialText } from '../../hook/hook-trial.js';

/** Runs a hook against what happened last at its event. */
export type TryOut = (hook: HookDefinition, signal: AbortSignal) => Promise<HookTrial | undefined>;

/** Tries a hook that may run, with progress and a way to stop it, and shows all that came of it. */
export async function tryHook(hook: HookDefinition, tryOut: TryOut): Promise<void> {
  const stop = new AbortController();
  const trial = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: t('Running the hook…'), cancellable: true }, (_progress, token) => {
    token.onCancellationRequested(() => stop.abort());
    return tryOut(hook, stop.signal);
  });
  if (trial === undefined) {
    await vscode.window.showInformationMessage(t('Nothing has happened at the event {0} in this window yet. Have it happen once in a chat, and try again.', hook.event));
    return;
  }
  await showText(t('Trial of a Hook'), trialText(trial));
}
