import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import { type PendingHunk, otherText } from '../../inline-edit/replacement.js';
import { endingOf, linesOf } from './line-buffer.js';

/** The scheme under which files are shown as they would be with an edit that is not in them yet. */
const EDIT_SCHEME = 'gnomon-edit';

/** Shows edits of files that save themselves or were never saved: in a comparison, until they are kept and put into the file. */
export class StagedEdits implements vscode.Disposable, vscode.TextDocumentContentProvider, vscode.CodeLensProvider {
  /** By the address under which they are shown. */
  private readonly edits = new Map<string, { readonly document: vscode.TextDocument; readonly hunks: readonly PendingHunk[] }>();
  private readonly contentChanged = new vscode.EventEmitter<vscode.Uri>();
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChange = this.contentChanged.event;
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly registered = [vscode.workspace.registerTextDocumentContentProvider(EDIT_SCHEME, this)];
  private lenses: vscode.Disposable | undefined;

  /** Shows the edit of a document as it is now. */
  show(document: vscode.TextDocument, hunks: readonly PendingHunk[]): void {
    this.edits.set(shownAs(document.uri).toString(), { document, hunks });
    // Stays registered: an editor that has no provider left goes on showing the last lenses.
    this.lenses ??= vscode.languages.registerCodeLensProvider([{ scheme: 'file' }, { scheme: 'untitled' }], this);
    this.fire(document.uri);
  }

  /** Opens the comparison of a document with its edit. @param preserveFocus leaves the focus where it is */
  async open(uri: vscode.Uri, preserveFocus = false): Promise<void> {
    const title = t('{0} (Current ↔ Proposed)', vscode.workspace.asRelativePath(uri));
    await vscode.commands.executeCommand('vscode.diff', uri, shownAs(uri), title, { preview: true, preserveFocus });
  }

  /** Takes the edit of a document away, with its comparison. */
  async remove(uri: vscode.Uri): Promise<void> {
    const shown = shownAs(uri).toString();
    if (!this.edits.delete(shown)) return;
    this.fire(uri);
    await closeComparisons(({ modified }) => modified.toString() === shown);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const edit = this.edits.get(uri.toString());
    return edit === undefined ? '' : otherText({ inPlace: false, hunks: edit.hunks }, linesOf(edit.document)).join(endingOf(edit.document));
  }

  provideCodeLenses({ uri, lineCount }: vscode.TextDocument): vscode.CodeLens[] {
    return (this.edits.get(shownAs(uri).toString())?.hunks ?? []).flatMap((hunk) => lensesOf(uri, hunk, lineCount));
  }

  dispose(): void {
    for (const part of [...this.registered, this.contentChanged, this.lensesChanged]) part.dispose();
    this.lenses?.dispose();
  }

  private fire(uri: vscode.Uri): void {
    this.contentChanged.fire(shownAs(uri));
    this.lensesChanged.fire();
  }
}

/** Closes the tabs of comparisons, without taking the focus. Those stay that VS Code would ask about, as they alone show a file with unsaved changes. */
export async function closeComparisons(isMeant: (input: vscode.TabInputTextDiff) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const inText = new Set(tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : [])));
  const done = tabs.filter(
    ({ input, isDirty }) => input instanceof vscode.TabInputTextDiff && isMeant(input) && (!isDirty || inText.has(input.modified.toString())),
  );
  await vscode.window.tabGroups.close(done, true);
}

/** The address under which a document is shown with its edit. */
function shownAs(uri: vscode.Uri): vscode.Uri {
  return uri.with({ scheme: EDIT_SCHEME });
}

function lensesOf(uri: vscode.Uri, { id, line, added, removed, touched }: PendingHunk, lineCount: number): readonly vscode.CodeLens[] {
  const at = Math.min(line, lineCount - 1);
  const range = new vscode.Range(at, 0, at, 0);
  const lens = (title: string, tooltip: string, command: string): vscode.CodeLens =>
    new vscode.CodeLens(range, { title, tooltip, command, arguments: [uri, id] });
  const counts = `+${added.length} −${removed.length}`;
  return [
    // Lines that the user has changed meanwhile are not replaced.
    ...(touched ? [] : [lens(`$(check) ${t('Keep')}`, t('Apply this change'), 'gnomon.keepStagedHunk')]),
    lens(`$(discard) ${t('Discard')}`, t('Discard this change'), 'gnomon.undoStagedHunk'),
    lens(touched ? t('{0}, edited by you', counts) : counts, t('Show this change'), 'gnomon.previewEdit'),
  ];
}
