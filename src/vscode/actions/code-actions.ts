import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import { type CodeAction, FINDING_SOURCE } from '../command-ids.js';
import type { ActionArgument } from './target.js';

/** Problems of one place that get an action of their own. */
const MAX_FIXES = 3;

/** Offers what Gnomon can do with code at its light bulb. Loads nothing: the commands do. */
export class GnomonCodeActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.RefactorRewrite];

  /** Registers it for every language. */
  static register(): vscode.Disposable {
    const metadata = { providedCodeActionKinds: GnomonCodeActions.kinds };
    return vscode.languages.registerCodeActionsProvider([{ scheme: 'file' }, { scheme: 'untitled' }], new GnomonCodeActions(), metadata);
  }

  /** Code actions for a range: fix or discuss each of its problems and, where something is selected, the actions for code as a whole. */
  provideCodeActions({ uri }: vscode.TextDocument, range: vscode.Range, { diagnostics, only }: vscode.CodeActionContext): vscode.CodeAction[] {
    const wanted = (kind: vscode.CodeActionKind): boolean => only === undefined || only.contains(kind);
    const fixes = wanted(vscode.CodeActionKind.QuickFix)
      ? diagnostics
          .filter(({ source }) => source !== FINDING_SOURCE)
          .slice(0, MAX_FIXES)
          .flatMap((diagnostic) => problemActions(uri, diagnostic))
      : [];
    const rewrites = range.isEmpty || !wanted(vscode.CodeActionKind.RefactorRewrite) ? [] : [editAction(uri, range), ...selectionActions(uri, range)];
    return [...fixes, ...rewrites];
  }
}

function problemActions(uri: vscode.Uri, diagnostic: vscode.Diagnostic): vscode.CodeAction[] {
  const source = diagnostic.source === undefined ? '' : ` (${diagnostic.source})`;
  const argument = { uri, range: diagnostic.range, problem: `${diagnostic.message}${source}` };
  const titles = [
    ['fix', t('Fix with Gnomon')],
    ['addToChat', t('Add Problem to Gnomon Chat')],
  ] as const;
  return titles.map(([name, title]) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [diagnostic];
    return commanding(action, name, argument);
  });
}

function selectionActions(uri: vscode.Uri, range: vscode.Range): vscode.CodeAction[] {
  const titles: readonly (readonly [CodeAction, string])[] = [
    ['explain', t('Explain with Gnomon')],
    ['document', t('Document with Gnomon')],
    ['writeTests', t('Write Tests with Gnomon')],
    ['refactor', t('Refactor with Gnomon')],
    ['reviewSelection', t('Review with Gnomon')],
  ];
  return titles.map(([action, title]) => commanding(new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite), action, { uri, range }));
}

function editAction(uri: vscode.Uri, range: vscode.Range): vscode.CodeAction {
  const action = new vscode.CodeAction(t('Edit with Gnomon…'), vscode.CodeActionKind.RefactorRewrite);
  action.command = { command: 'gnomon.editHere', title: action.title, arguments: [{ uri, range }] };
  return action;
}

function commanding(action: vscode.CodeAction, name: CodeAction | 'addToChat', argument: ActionArgument): vscode.CodeAction {
  action.command = { command: `gnomon.${name}`, title: action.title, arguments: [argument] };
  return action;
}
