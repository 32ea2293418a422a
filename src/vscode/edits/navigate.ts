import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { FileReview } from '../../edits/ledger-entry.js';
import type { Hunk } from '../../edits/text-review.js';
import { beforeUri, pathOf, uriOf } from '../workspace/paths.js';

/** Goes to the next or previous hunk: in the active file, then in the following one, and around. */
export async function goToChange(files: readonly FileReview[], step: 1 | -1): Promise<void> {
  const places = files.flatMap(({ path, hunks, deleted }) => (deleted ? [] : hunks.length === 0 ? [{ path, line: 0 }] : hunks.map(({ line }) => ({ path, line }))));
  const editor = vscode.window.activeTextEditor;
  const here = editor === undefined ? undefined : { path: pathOf(editor.document.uri), line: editor.selection.active.line };
  const isAfter = (place: Place): boolean => here !== undefined && compare(place, here) > 0;
  const isBefore = (place: Place): boolean => here !== undefined && compare(place, here) < 0;
  const next = step === 1 ? (places.find(isAfter) ?? places[0]) : (places.findLast(isBefore) ?? places.at(-1));
  if (next === undefined) return;
  const shown = await vscode.window.showTextDocument(uriOf(next.path));
  const position = new vscode.Position(Math.min(next.line, shown.document.lineCount - 1), 0);
  shown.selection = new vscode.Selection(position, position);
  shown.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

interface Place {
  readonly path: string;
  readonly line: number;
}

function compare(a: Place, b: Place): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line;
}

/** Opens VS Code's own view of a change within the editor, with buttons to keep and undo: at the cursor, else at the next change, and around. */
export async function peek(editor: vscode.TextEditor, hunks: readonly Hunk[]): Promise<void> {
  const { line } = editor.selection.active;
  const hunk = hunks.find(({ line: start, count }) => line < start + Math.max(count, 1)) ?? hunks[0];
  if (hunk === undefined) return;
  // For VS Code, removed lines belong to the line before them.
  const position = new vscode.Position(Math.max(0, hunk.count === 0 ? hunk.line - 1 : hunk.line), 0);
  editor.selection = new vscode.Selection(position, position);
  await vscode.commands.executeCommand('editor.action.dirtydiff.next');
}

/** Shows all files under review in one comparison, before on the left and live on the right. */
export async function reviewChanges(files: readonly FileReview[]): Promise<void> {
  const rows = files.map(({ path, created, deleted }) => {
    const uri = uriOf(path);
    return [uri, created ? undefined : beforeUri(path), deleted ? undefined : uri];
  });
  await vscode.commands.executeCommand('vscode.changes', t('Changes by Gnomon'), rows);
}
