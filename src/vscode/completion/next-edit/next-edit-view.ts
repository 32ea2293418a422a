import * as vscode from 'vscode';
import type { LineReplacement } from '../../../completion/next-edit/line-replacement.js';
import { previewOf } from '../../../completion/next-edit/preview.js';
import { t } from '../../../domain/l10n.js';
import { ChangePreview } from './change-preview.js';

/** The context of keys: `here` while the cursor is at the change that is shown, `elsewhere` while it is not. */
const CONTEXT = 'gnomon.nextEdit';

type Where = 'here' | 'elsewhere';

/** Shows the next edit: at its lines, at the cursor with the key that leads there, in the status bar, and to the conditions of keys. */
export class NextEditView implements vscode.Disposable {
  private readonly preview = new ChangePreview();
  private readonly lenses = new NextEditLenses();
  private readonly hint = vscode.window.createTextEditorDecorationType({ rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed });
  private readonly item = vscode.window.createStatusBarItem('gnomon.nextEdit', vscode.StatusBarAlignment.Right, 98);
  private shown: { readonly editor: vscode.TextEditor; readonly where: Where } | undefined;

  constructor() {
    // VS Code shows an item at once, with its first text, when there has been one with the same id.
    this.item.hide();
    this.item.name = t('Gnomon Next Edit');
  }

  /** Shows a change, in place of the one before. @param jumped whether the user went to it */
  show(editor: vscode.TextEditor, change: LineReplacement, jumped: boolean): void {
    if (this.shown !== undefined && this.shown.editor !== editor) this.clear(this.shown.editor);
    const cursor = editor.selection.active.line;
    const pieces = previewOf(change, editor.document.lineCount);
    const where = isAt(change, cursor) || pieces.some(({ line }) => line === cursor) ? 'here' : 'elsewhere';
    this.note({ editor, where });
    this.preview.show(editor, change, pieces);
    editor.setDecorations(this.hint, where === 'here' ? [] : [hintAt(editor.document, cursor, change)]);
    this.lenses.show(jumped && where === 'here' ? { uri: editor.document.uri, line: change.first } : undefined);
    this.tell(change, where);
  }

  /** Shows nothing. */
  hide(): void {
    if (this.shown === undefined) return;
    this.clear(this.shown.editor);
    this.lenses.show(undefined);
    this.item.hide();
    this.note(undefined);
  }

  dispose(): void {
    this.hide();
    for (const part of [this.preview, this.lenses, this.hint, this.item]) part.dispose();
  }

  private clear(editor: vscode.TextEditor): void {
    this.preview.clear(editor);
    editor.setDecorations(this.hint, []);
  }

  private note(shown: NextEditView['shown']): void {
    if (shown?.where !== this.shown?.where) void vscode.commands.executeCommand('setContext', CONTEXT, shown?.where);
    this.shown = shown;
  }

  private tell(change: LineReplacement, where: Where): void {
    const line = lineOf(change) + 1;
    const words = where === 'here' ? t('The next edit is at the cursor. Press Tab to accept it or Escape to dismiss it.') : t('The next edit is on line {0}. Press Tab to go to it or Escape to dismiss it.', line);
    this.item.text = `$(arrow-right) ${t('Next edit: line {0}', line)}`;
    this.item.tooltip = words;
    this.item.accessibilityInformation = { label: words, role: 'button' };
    this.item.command = where === 'here' ? 'gnomon.acceptNextEdit' : 'gnomon.jumpToNextEdit';
    this.item.show();
  }
}

function hintAt(document: vscode.TextDocument, cursor: number, change: LineReplacement): vscode.DecorationOptions {
  const line = lineOf(change);
  const after = {
    contentText: line < cursor ? t('⇥ Tab to go to line {0} ↑', line + 1) : t('⇥ Tab to go to line {0} ↓', line + 1),
    margin: '0 0 0 2ch',
    color: new vscode.ThemeColor('editorInlayHint.foreground'),
    backgroundColor: new vscode.ThemeColor('editorInlayHint.background'),
  };
  const { end } = document.lineAt(cursor).range;
  return { range: new vscode.Range(end, end), renderOptions: { after } };
}

/** The line at which a change is looked for: the one above lines that are added. */
function lineOf({ first, before }: LineReplacement): number {
  return before.length === 0 ? Math.max(0, first - 1) : first;
}

function isAt(change: LineReplacement, cursor: number): boolean {
  return cursor >= lineOf(change) && cursor <= Math.max(change.first, change.first + change.before.length - 1);
}

/** Where the lenses stand. */
interface LensPlace {
  readonly uri: vscode.Uri;
  readonly line: number;
}

/** "Accept | Dismiss" above the next edit that the user went to. */
class NextEditLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private registration: vscode.Disposable | undefined;
  private place: LensPlace | undefined;

  /** Shows them at a place, or nowhere. */
  show(place: LensPlace | undefined): void {
    if (place?.line === this.place?.line && place?.uri.toString() === this.place?.uri.toString()) return;
    this.place = place;
    if (place === undefined) {
      this.registration?.dispose();
      this.registration = undefined;
    } else this.registration ??= vscode.languages.registerCodeLensProvider('*', this);
    this.changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (this.place?.uri.toString() !== document.uri.toString()) return [];
    const line = Math.min(this.place.line, document.lineCount - 1);
    const range = new vscode.Range(line, 0, line, 0);
    return [
      new vscode.CodeLens(range, { title: `$(check) ${t('Accept Edit')}`, tooltip: t('Accept this edit (Tab)'), command: 'gnomon.acceptNextEdit' }),
      new vscode.CodeLens(range, { title: `$(close) ${t('Dismiss Edit')}`, tooltip: t('Dismiss this edit and do not suggest it again (Escape)'), command: 'gnomon.dismissNextEdit' }),
    ];
  }

  dispose(): void {
    this.registration?.dispose();
    this.changed.dispose();
  }
}
