import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { CompletionCommand } from './completion-command-ids.js';
import { COMPLETIONS, completionSettings } from './completion-settings.js';
import type { CompletionState } from './completion-state.js';
import { isSuggestedIn } from './exclusions.js';

/** Snooze durations in the menu, in minutes. */
const MINUTES = [5, 15, 60] as const;
const MS_PER_MINUTE = 60_000;

interface Option extends vscode.QuickPickItem {
  readonly run: () => Thenable<unknown>;
}

/** Shows what can be done about suggestions, and does what is chosen. */
export async function showOptions(state: CompletionState): Promise<void> {
  const options = [...problemOption(state), ...switchOptions(state), ...modelOptions()];
  const chosen = await vscode.window.showQuickPick(options, { title: t('Gnomon Inline Suggestions') });
  await chosen?.run();
}

/** Lets the user choose for how long there are to be no suggestions; ends a snooze. Where they are off, shows what can be done. */
export async function snooze(state: CompletionState): Promise<void> {
  if (!completionSettings.isOn()) return showOptions(state);
  const running = state.availability('') === 'snoozed';
  const items = [
    ...(running ? [{ label: t('Resume Inline Suggestions'), ms: 0 }] : []),
    ...MINUTES.map((minutes) => ({ label: minutes === 60 ? t('1 hour') : t('{0} minutes', minutes), ms: minutes * MS_PER_MINUTE })),
    { label: t('Until this window is closed'), ms: Number.POSITIVE_INFINITY },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: t('Snooze Inline Suggestions'), placeHolder: t('Select a duration') });
  if (chosen !== undefined) state.snooze(chosen.ms);
}

function problemOption({ problem }: CompletionState): readonly Option[] {
  if (problem === undefined) return [];
  const { text, needsKey } = problem;
  const [label, run] = needsKey ? [t('Set API Key'), command('gnomon.setApiKey')] : [t('Show Log'), command('gnomon.showLog')];
  return [{ label: `$(warning) ${label}`, detail: text, run }];
}

/** Each does what it says, also when the setting has changed since. */
function switchOptions(state: CompletionState): readonly Option[] {
  const on = completionSettings.isOn();
  const turn: Option = {
    label: on ? `$(circle-slash) ${t('Turn Off Inline Suggestions')}` : `$(lightbulb-sparkle) ${t('Turn On Inline Suggestions')}`,
    run: () => completionSettings.turn(!on),
  };
  if (!on) return [turn];
  const document = vscode.window.activeTextEditor?.document;
  const language = document !== undefined && isSuggestedIn(document) ? [languageOption(document.languageId)] : [];
  const snoozed = state.availability('') === 'snoozed';
  const end = (): Promise<void> => {
    state.snooze(0);
    return Promise.resolve();
  };
  const rest: Option = {
    label: `$(bell-slash) ${snoozed ? t('Resume Inline Suggestions') : t('Snooze Inline Suggestions…')}`,
    run: snoozed ? end : own('gnomon.snoozeSuggestions'),
  };
  return [turn, ...language, nextEditOption(), rest];
}

function languageOption(language: string): Option {
  const on = completionSettings.isLanguageOn(language);
  return {
    label: `$(code) ${on ? t('Turn Off Inline Suggestions for {0}', language) : t('Turn On Inline Suggestions for {0}', language)}`,
    run: () => completionSettings.turnLanguage(language, !on),
  };
}

function nextEditOption(): Option {
  const on = completionSettings.hasNextEdits();
  const label = on ? t('Turn Off Next Edit Predictions') : t('Turn On Next Edit Predictions');
  return {
    label: `$(arrow-right) ${label}`,
    detail: t('Requires a chat model, not a fill-in-the-middle model'),
    run: () => completionSettings.turnNextEdits(!on),
  };
}

function modelOptions(): readonly Option[] {
  const model = completionSettings.model();
  return [
    {
      label: `$(server-environment) ${t('Select Model for Inline Suggestions…')}`,
      description: model === '' ? t('selected automatically') : model,
      run: own('gnomon.selectSuggestionModel'),
    },
    { label: `$(gear) ${t('Open Settings')}`, run: () => vscode.commands.executeCommand('workbench.action.openSettings', COMPLETIONS) },
  ];
}

function own(id: CompletionCommand): () => Thenable<unknown> {
  return command(id);
}

function command(id: string): () => Thenable<unknown> {
  return () => vscode.commands.executeCommand(id);
}
