import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { FindingCommand } from './command-ids.js';
import type { ShownFinding, ShownFindings } from './shown-findings.js';

/** Offers at the light bulb of a finding to fix it or to dismiss it. */
export class FindingActions implements vscode.CodeActionProvider {
  private readonly findings: ShownFindings;

  private constructor(findings: ShownFindings) {
    this.findings = findings;
  }

  /** Registers it for all files. */
  static register(findings: ShownFindings): vscode.Disposable {
    const metadata = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
    return vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new FindingActions(findings), metadata);
  }

  /** What can be done about each of the findings at a place. */
  provideCodeActions({ uri }: vscode.TextDocument, _range: vscode.Range, { diagnostics }: vscode.CodeActionContext): vscode.CodeAction[] {
    return this.findings.ofProblems(uri, diagnostics).flatMap(([shown, problem]) => [
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
