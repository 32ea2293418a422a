import * as vscode from 'vscode';
import type { Dialogs } from '../../domain/host/dialogs.js';
import { t } from '../../domain/l10n.js';

/** The scheme of texts that are only read. */
const SCHEME = 'gnomon-text';
/** Texts that are kept; tabs of older ones that are shown again are empty. */
const MAX_TEXTS = 50;

/** Shows texts of Gnomon in editors: they cannot be changed, and closing one asks nothing. */
class TextViews implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private count = 0;

  constructor() {
    // For the life of the extension host, as the module has it.
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  async show(title: string, text: string): Promise<void> {
    this.count += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.count}/${title.replaceAll('/', ' ')}` });
    const [oldest] = this.texts.keys();
    if (this.texts.size >= MAX_TEXTS && oldest !== undefined) this.texts.delete(oldest);
    this.texts.set(uri.path, text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }
}

let views: TextViews | undefined;

/** Shows a text in an editor. @param title of its tab */
export async function showText(title: string, text: string): Promise<void> {
  views ??= new TextViews();
  await views.show(title, text);
}

/** {@link Dialogs} of this window. VS Code makes links of what looks like one in Markdown; in texts of others nothing may. */
export const vscodeDialogs: Dialogs = {
  async notify(level, words, ...choices) {
    const text = words.replaceAll('](', '] (');
    return level === 'info' ? vscode.window.showInformationMessage(text, ...choices) : vscode.window.showWarningMessage(text, ...choices);
  },
  async modal(text, detail, ...choices) {
    return vscode.window.showWarningMessage(text, { modal: true, detail }, ...choices);
  },
  async beside(question, { title, text }, ...choices) {
    await showText(title, text);
    return vscode.window.showWarningMessage(question.replaceAll('](', '] ('), ...choices);
  },
  async confirmChanges(question) {
    const { confirmChanges } = await import('./confirm-changes.js');
    return confirmChanges(question);
  },
  async merge(requests) {
    const { mergeFiles } = await import('./merge-files.js');
    await mergeFiles(requests);
  },
};

/** Shows an error whose cause is in the log, with a button that opens the log. */
export function tellFailed(text: string): void {
  const showLog = t('Show Log');
  void vscode.window.showErrorMessage(text, showLog).then((answer) => (answer === showLog ? vscode.commands.executeCommand('gnomon.showLog') : undefined));
}
