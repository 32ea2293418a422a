import * as vscode from 'vscode';
import type { Dialogs } from './dialogs.js';

/** {@link Dialogs} of this window. VS Code makes links of what looks like one in Markdown; in texts of others nothing may. */
export const vscodeDialogs: Dialogs = {
  async notify(level, words, ...choices) {
    const text = words.replaceAll('](', '] (');
    return level === 'info' ? vscode.window.showInformationMessage(text, ...choices) : vscode.window.showWarningMessage(text, ...choices);
  },
  async modal(text, detail, ...choices) {
    return vscode.window.showWarningMessage(text, { modal: true, detail }, ...choices);
  },
};
