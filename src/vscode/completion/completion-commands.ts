import * as vscode from 'vscode';
import { assertNever } from '../../domain/assert-never.js';
import { t } from '../../domain/l10n.js';
import { type CompletionCommand, COMPLETION_COMMANDS } from './completion-command-ids.js';
import { completionSettings } from './completion-settings.js';
import type { CompletionState } from './completion-state.js';
import { controlNextEdit } from './next-edit/next-edit-controls.js';

/** Registers the commands about suggestions. @param pickModel lets the user choose the model; loads the rest of the extension */
export function registerCompletionCommands(state: CompletionState, pickModel: (current: string) => Promise<string | undefined>): vscode.Disposable {
  const run = async (id: CompletionCommand, argument: unknown): Promise<void> => {
    switch (id) {
      case 'gnomon.toggleSuggestions':
        return completionSettings.turn(!completionSettings.isOn());
      case 'gnomon.toggleLanguageSuggestions':
        return toggleLanguage();
      case 'gnomon.toggleNextEdits':
        return toggleNextEdits(state);
      case 'gnomon.jumpToNextEdit':
      case 'gnomon.acceptNextEdit':
      case 'gnomon.dismissNextEdit':
        return controlNextEdit(state.nextEdits, id, argument);
      case 'gnomon.snoozeSuggestions':
        return (await import('./options-menu.js')).snooze(state);
      case 'gnomon.selectSuggestionModel':
        return choose(pickModel);
      case 'gnomon.suggestionOptions':
        return (await import('./options-menu.js')).showOptions(state);
      default:
        return assertNever(id);
    }
  };
  return vscode.Disposable.from(...COMPLETION_COMMANDS.map((id) => vscode.commands.registerCommand(id, (argument: unknown) => run(id, argument))));
}

async function toggleLanguage(): Promise<void> {
  const language = vscode.window.activeTextEditor?.document.languageId;
  if (language === undefined) {
    void vscode.window.showInformationMessage(t('Open a file in the language first.'));
    return;
  }
  await completionSettings.turnLanguage(language, !completionSettings.isLanguageOn(language));
}

/** Where there are no suggestions at all, shows what can be done about that. */
async function toggleNextEdits(state: CompletionState): Promise<void> {
  await completionSettings.turnNextEdits(!completionSettings.hasNextEdits());
  if (completionSettings.hasNextEdits() && !completionSettings.isOn()) await (await import('./options-menu.js')).showOptions(state);
}

async function choose(pickModel: (current: string) => Promise<string | undefined>): Promise<void> {
  const model = await pickModel(completionSettings.model());
  if (model !== undefined) await completionSettings.choose(model);
}
