import * as vscode from 'vscode';
import type { FoundInstructions } from '../domain/session/context.js';
import { t } from '../domain/l10n.js';

/**
 * Opens a link of an answer outside VS Code after the user saw the whole address and agreed.
 * Anything but `http:` and `https:` is refused.
 */
export async function openLink(url: string): Promise<void> {
  const uri = vscode.Uri.parse(url, true);
  if (uri.scheme !== 'http' && uri.scheme !== 'https') throw new Error(t('Only http and https links can be opened, not “{0}:”.', uri.scheme));
  const open = t('Open Link');
  const answer = await vscode.window.showInformationMessage(t('Open this link in your browser?'), { modal: true, detail: url }, open);
  if (answer === open) await vscode.env.openExternal(uri);
}

/**
 * Opens an address in the browser exactly as the user was shown it. The text is passed on, which VS Code takes, too: a `Uri` is encoded
 * anew, and `%2F` in a query would become `/`.
 */
export async function openInBrowser(url: string): Promise<boolean> {
  return vscode.env.openExternal(url as unknown as vscode.Uri);
}

/** Shows an instruction file of the session in an editor, also one that was left out. @param display its short name; another is refused. */
export async function openInstruction({ files, leftOut }: FoundInstructions, display: string): Promise<void> {
  const file = [...files, ...leftOut].find((candidate) => candidate.display === display);
  if (file === undefined) throw new Error(t('This chat has no instructions from {0}.', display));
  await vscode.window.showTextDocument(vscode.Uri.file(file.path), { preview: true });
}
