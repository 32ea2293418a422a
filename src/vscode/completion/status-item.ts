import * as vscode from 'vscode';
import { assertNever } from '../../domain/assert-never.js';
import { t } from '../../domain/l10n.js';
import type { CompletionState } from './completion-state.js';
import { isSuggestedIn } from './exclusions.js';

interface Look {
  readonly icon: string;
  readonly words: string;
}

/** Whether there are suggestions in the active editor, in the status bar; a click leads to what can be done about it. */
export class CompletionStatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('gnomon.suggestions', vscode.StatusBarAlignment.Right, 99);
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly state: CompletionState) {
    this.item.name = t('Gnomon Inline Suggestions');
    this.item.command = 'gnomon.suggestionOptions';
    this.subscriptions = vscode.Disposable.from(
      this.item,
      state.onDidChange(() => this.draw()),
      vscode.window.onDidChangeActiveTextEditor(() => this.draw()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.draw()),
    );
    this.draw();
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private draw(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !isSuggestedIn(document)) {
      this.item.hide();
      return;
    }
    const { icon, words } = lookOf(this.state, document);
    this.item.text = `$(${icon})`;
    this.item.tooltip = words;
    this.item.accessibilityInformation = { label: words, role: 'button' };
    this.item.show();
  }
}

function lookOf(state: CompletionState, document: vscode.TextDocument): Look {
  const availability = state.availability(document.languageId);
  switch (availability) {
    case 'off':
      return { icon: 'lightbulb-empty', words: t('Inline suggestions are off. Turn them on.') };
    case 'snoozed':
      return { icon: 'bell-slash', words: t('Inline suggestions are snoozed. Show options.') };
    case 'languageOff':
      return { icon: 'circle-slash', words: t('Inline suggestions are off for {0}. Show options.', document.languageId) };
    case 'notTrusted':
      return { icon: 'circle-slash', words: t('Inline suggestions are not available in Restricted Mode.') };
    case 'on':
      return onLook(state, document);
    default:
      return assertNever(availability);
  }
}

function onLook(state: CompletionState, document: vscode.TextDocument): Look {
  if (state.problem !== undefined) return { icon: 'warning', words: t('Inline suggestions are not available: {0}', state.problem.text) };
  if (state.isLeftOut(document))
    return {
      icon: 'circle-slash',
      words: t('No inline suggestions in this file: it is ignored by Git, is outside the workspace, is excluded by a rule, or may contain passwords or keys.'),
    };
  return { icon: 'lightbulb-sparkle', words: t('Inline suggestions are on. Show options.') };
}
