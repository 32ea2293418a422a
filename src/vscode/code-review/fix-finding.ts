import * as vscode from 'vscode';
import { attachedBlock } from '../../domain/session/attached.js';
import { t } from '../../domain/l10n.js';
import type { FindingWords } from '../../code-review/finding.js';
import type { ActionArgument } from '../actions/target.js';
import type { LineRegion } from '../../inline-edit/line-edit.js';
import type { InlineEdits } from '../inline-edit/inline-edits.js';
import type { ShownFinding } from './shown-findings.js';

/**
 * Has the lines of a finding changed in place, or in the chat where that cannot be done.
 * @returns whether the lines are others now, so that the finding is done with.
 */
export async function fixFinding(shown: ShownFinding, inline: Pick<InlineEdits, 'change'>): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(shown.uri);
  const region = within(document, shown.region);
  const at = new vscode.Position(region.start, 0);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  shown.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
  const before = textOf(document, shown);
  const problem = problemText(shown.finding);
  const obstacle = await inline.change({ document, region }, t('Fix the attached problem.'), [attachedBlock({ name: 'problem', text: problem })]);
  if (obstacle !== undefined) {
    const argument: ActionArgument = { uri: shown.uri, range: new vscode.Range(at, document.lineAt(region.end - 1).range.end), problem };
    await vscode.commands.executeCommand('gnomon.fix', argument);
    return false;
  }
  return !document.isClosed && textOf(document, shown) !== before;
}

/** The lines, as far as a file has them that may have been changed outside of VS Code; at least one. */
function within({ lineCount }: vscode.TextDocument, { start, end }: LineRegion): LineRegion {
  const first = Math.min(start, lineCount - 1);
  return { start: first, end: Math.min(Math.max(end, first + 1), lineCount) };
}

function problemText({ title, explanation, suggestion }: FindingWords): string {
  return [title, explanation, suggestion].filter((part) => part !== '').join('\n\n');
}

/** The lines of a finding as they are now; a file that was changed outside of VS Code may have fewer. */
function textOf(document: vscode.TextDocument, { region: { start, end } }: ShownFinding): string {
  return document.getText(new vscode.Range(start, 0, end, 0));
}
