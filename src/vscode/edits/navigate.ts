import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { ChangeAuthor } from '../../domain/workspace/change-author.js';
import { authorText, type ChangePlace, nextChange, nextFile } from '../../edits/change-places.js';
import type { FileReview } from '../../edits/ledger-entry.js';
import type { Hunk } from '../../edits/text-review.js';
import { isNotebookPath } from '../../text/notebook/notebook.js';
import { comparedUris, pathOf, uriOf } from '../workspace/paths.js';

/** Goes to the next or previous hunk: in the active file, then in the following one, and around. @param from where it begins; the cursor when absent */
export async function goToChange(files: readonly FileReview[], step: 1 | -1, from = cursor()): Promise<void> {
  await goTo(nextChange(files, from, step));
}

/** Goes to the first hunk of the file after the active one, and around. */
export async function goToFile(files: readonly FileReview[]): Promise<void> {
  await goTo(nextFile(files, cursor()?.path));
}

/** Goes to the first hunk of files; shows those without any place to go to beside what they were. */
export async function showChanges(files: readonly FileReview[]): Promise<void> {
  const place = nextChange(files, undefined, 1);
  await (place === undefined ? reviewChanges(files) : goTo(place));
}

async function goTo(place: ChangePlace | undefined): Promise<void> {
  if (place === undefined) return;
  if (isNotebookPath(place.path)) return void (await vscode.commands.executeCommand('vscode.open', uriOf(place.path)));
  const shown = await vscode.window.showTextDocument(uriOf(place.path));
  const position = new vscode.Position(Math.min(place.line, shown.document.lineCount - 1), 0);
  shown.selection = new vscode.Selection(position, position);
  shown.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function cursor(): ChangePlace | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor === undefined ? undefined : { path: pathOf(editor.document.uri), line: editor.selection.active.line };
}

/** Opens VS Code's own view of a change within the editor, with buttons to keep and undo: at a line, else at the next change, and around. */
export async function peek(editor: vscode.TextEditor, hunks: readonly Hunk[], line = editor.selection.active.line): Promise<void> {
  const hunk = hunks.find(({ line: start, count }) => line < start + Math.max(count, 1)) ?? hunks[0];
  if (hunk === undefined) return;
  // For VS Code, removed lines belong to the line before them.
  const position = new vscode.Position(Math.max(0, hunk.count === 0 ? hunk.line - 1 : hunk.line), 0);
  editor.selection = new vscode.Selection(position, position);
  await vscode.commands.executeCommand('editor.action.dirtydiff.next');
}

/** Titles of comparisons of what one agent has changed, with its id. */
const narrowed = new Map<string, string>();

/** The author whose changes the comparison shows that the user is in; `undefined` where they are in none, or it shows those of all. */
export function reviewedAuthor(): string | undefined {
  const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
  // VS Code says behind the title how many files there are.
  return [...narrowed].findLast(([title]) => label.startsWith(title))?.[1];
}

/** Shows all files under review in one comparison, before on the left and live on the right. @param author whose changes these are */
export async function reviewChanges(files: readonly FileReview[], author?: ChangeAuthor): Promise<void> {
  const title = author === undefined ? t('Changes by Gnomon') : t('Changes by {0}', authorText(author));
  if (author !== undefined) narrowed.set(title, author.id);
  const rows = files.map(({ path, created, deleted }) => {
    const { before, now } = comparedUris(path);
    return [uriOf(path), created ? undefined : before, deleted ? undefined : now];
  });
  await vscode.commands.executeCommand('vscode.changes', title, rows);
}
