import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { Review } from '../edits/create-review.js';
import { pathOf } from '../workspace/paths.js';

/** Characters of removed code that are shown beside the line. */
const MAX_BESIDE = 80;
/** Lines of removed code that the hover shows. */
const MAX_HOVER_LINES = 60;

/** A change that pends, as it is shown in the editor. */
export interface Mark {
  /** Its first line now, from 0, and how many it has. */
  readonly line: number;
  readonly count: number;
  /** The lines that it replaced, without their endings. */
  readonly removed: readonly string[];
}

/** Shows in the editors what inline edits added and removed, as long as that is neither kept nor undone. No line of the text is ever used for that. */
export class Marks implements vscode.Disposable {
  private readonly pending: Pick<Review['pending'], 'files' | 'onDidChange'>;
  private readonly byDocument = new Map<string, readonly Mark[]>();
  /** The documents whose marks are the hunks that pend. */
  private readonly followed = new Map<string, vscode.Uri>();
  private readonly added = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    ...borderOfLines(),
  });
  private readonly removed = vscode.window.createTextEditorDecorationType({ rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed });
  private readonly watching = vscode.window.onDidChangeVisibleTextEditors((editors) => {
    for (const editor of editors) this.draw(editor);
  });

  private readonly stop: () => void;

  constructor(pending: Pick<Review['pending'], 'files' | 'onDidChange'>) {
    this.pending = pending;
    this.stop = pending.onDidChange(() => {
      for (const uri of [...this.followed.values()]) this.look(uri);
    });
  }

  /** Shows the hunks of a document that pend, and follows them. */
  follow(uri: vscode.Uri): void {
    this.followed.set(uri.toString(), uri);
    this.look(uri);
  }

  /** Shows the hunks of a document that are just being made, in place of those that pended before. */
  showLive(uri: vscode.Uri, hunks: readonly Mark[]): void {
    this.followed.delete(uri.toString());
    this.show(uri, hunks);
  }

  dispose(): void {
    this.stop();
    this.watching.dispose();
    this.added.dispose();
    this.removed.dispose();
  }

  private look(uri: vscode.Uri): void {
    const hunks = this.pending.files().find(({ path }) => path === pathOf(uri))?.hunks ?? [];
    this.show(uri, hunks.map(({ line, count, removed }) => ({ line, count, removed: removed.map((each) => each.replace(/\r?\n$/, '')) })));
    if (hunks.length === 0) this.followed.delete(uri.toString());
  }

  private show(uri: vscode.Uri, marks: readonly Mark[]): void {
    const key = uri.toString();
    if (marks.length === 0 && !this.byDocument.has(key)) return;
    if (marks.length === 0) this.byDocument.delete(key);
    else this.byDocument.set(key, marks);
    for (const editor of vscode.window.visibleTextEditors) if (editor.document.uri.toString() === key) this.draw(editor);
  }

  private draw(editor: vscode.TextEditor): void {
    const marks = this.byDocument.get(editor.document.uri.toString()) ?? [];
    const last = editor.document.lineCount - 1;
    editor.setDecorations(this.added, marks.flatMap(({ line, count }) => (count === 0 ? [] : [new vscode.Range(line, 0, Math.min(line + count - 1, last), 0)])));
    editor.setDecorations(this.removed, marks.flatMap((mark) => (mark.removed.length === 0 ? [] : [removedNote(editor.document, mark)])));
  }
}

/** Themes with high contrast have no background for lines that were added. */
function borderOfLines(): vscode.DecorationRenderOptions {
  const { HighContrast, HighContrastLight } = vscode.ColorThemeKind;
  const { kind } = vscode.window.activeColorTheme;
  return kind === HighContrast || kind === HighContrastLight ? { border: '1px dashed', borderColor: new vscode.ThemeColor('diffEditor.insertedTextBorder') } : {};
}

/** Shows the removed lines beside the first of the new ones; where there are none, beside the line before. */
function removedNote(document: vscode.TextDocument, { line, count, removed }: Mark): vscode.DecorationOptions {
  const beside = Math.min(Math.max(0, count === 0 ? line - 1 : line), document.lineCount - 1);
  const [only = ''] = removed;
  const single = removed.length === 1 && only.trim() !== '';
  const words = removed.length === 1 ? t('− 1 line removed') : t('− {0} lines removed', removed.length);
  const after = {
    contentText: single ? `− ${only.trim().slice(0, MAX_BESIDE)}` : words,
    margin: '0 0 0 3ch',
    ...(single ? { textDecoration: 'line-through' } : {}),
    color: new vscode.ThemeColor('descriptionForeground'),
    backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
  };
  return { range: document.lineAt(beside).range, hoverMessage: hoverOf(document.languageId, removed), renderOptions: { after } };
}

function hoverOf(language: string, removed: readonly string[]): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(`${t('Removed by Gnomon, pending:')}\n`);
  return hover.appendCodeblock(removed.slice(0, MAX_HOVER_LINES).join('\n'), language);
}
