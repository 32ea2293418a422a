import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../../domain/l10n.js';
import { closeTabs } from '../../edits/proposals/proposal-tabs.js';

/** The scheme of both sides of the comparison: the file as it is and as it would be. */
const SCHEME = 'gnomon-apply';

/** A change of a file that is only shown. */
export interface ShownChange {
  /** Absolute. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** What it does, as a question. */
  readonly question: string;
}

/** Shows a change side by side and asks once. @returns whether it is to be made. */
export async function confirmChange({ path, before, after, question }: ShownChange): Promise<boolean> {
  const authority = randomUUID();
  const { path: named } = vscode.Uri.file(path);
  const side = (query: 'before' | 'after'): vscode.Uri => vscode.Uri.from({ scheme: SCHEME, authority, path: named, query });
  const texts = { before, after };
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => (uri.authority === authority ? texts[uri.query === 'after' ? 'after' : 'before'] : ''),
  });
  try {
    await vscode.commands.executeCommand('vscode.diff', side('before'), side('after'), t('{0}: code from the chat', basename(path)), { preview: true });
    const apply = t('Apply');
    return (await vscode.window.showInformationMessage(question, apply, t('Do Not Apply'))) === apply;
  } finally {
    await closeTabs((uri) => uri.scheme === SCHEME && uri.authority === authority);
    provider.dispose();
  }
}
