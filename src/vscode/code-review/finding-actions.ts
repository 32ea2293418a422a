import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { FindingCommand } from '../command-ids.js';
import type { ShownFinding, ShownFindings } from './shown-findings.js';
import { attachedBlock } from '../../domain/session/attached.js';
import type { FindingWords } from '../../code-review/finding.js';
import type { ActionArgument } from '../actions/target.js';
import type { LineRegion } from '../../inline-edit/line-edit.js';
import type { InlineEdits } from '../inline-edit/inline-edits.js';

/** Offers at the light bulb of a finding to fix it or to dismiss it. */
export class FindingActions implements vscode.CodeActionProvider {
  private constructor(private readonly findings: ShownFindings) {}

  /** Registers it for all files. */
  static register(findings: ShownFindings): vscode.Disposable {
    const metadata = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
    return vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new FindingActions(findings), metadata);
  }

  /** Code actions for each finding at a place. */
  provideCodeActions({ uri }: vscode.TextDocument, _range: vscode.Range, { diagnostics }: vscode.CodeActionContext): vscode.CodeAction[] {
    return this.findings
      .ofProblems(uri, diagnostics)
      .flatMap(([shown, problem]) => [
        action(t('Fix with Gnomon: {0}', shown.finding.title), 'gnomon.fixFinding', { shown, problem }),
        action(t('Dismiss: {0}', shown.finding.title), 'gnomon.dismissFinding', { shown, problem }),
      ]);
  }
}

function action(title: string, command: FindingCommand, { shown, problem }: { shown: ShownFinding; problem: vscode.Diagnostic }): vscode.CodeAction {
  const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  made.diagnostics = [problem];
  made.command = { command, title, arguments: [shown] };
  return made;
}

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
