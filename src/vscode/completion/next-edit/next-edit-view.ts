import * as vscode from 'vscode';
import type { LineReplacement } from '../../../completion/next-edit/line-replacement.js';
import { type PreviewPiece, previewOf } from '../../../completion/next-edit/preview.js';
import { t } from '../../../domain/l10n.js';

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
    const words =
      where === 'here'
        ? t('The next edit is at the cursor. Press Tab to accept it or Escape to dismiss it.')
        : t('The next edit is on line {0}. Press Tab to go to it or Escape to dismiss it.', line);
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
    // Stays registered: an editor that has no provider left goes on showing the last lenses.
    if (place !== undefined) this.registration ??= vscode.languages.registerCodeLensProvider('*', this);
    this.changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (this.place?.uri.toString() !== document.uri.toString()) return [];
    const line = Math.min(this.place.line, document.lineCount - 1);
    const range = new vscode.Range(line, 0, line, 0);
    return [
      new vscode.CodeLens(range, { title: `$(check) ${t('Accept Edit')}`, tooltip: t('Accept this edit (Tab)'), command: 'gnomon.acceptNextEdit' }),
      new vscode.CodeLens(range, {
        title: `$(close) ${t('Dismiss Edit')}`,
        tooltip: t('Dismiss this edit and do not suggest it again (Escape)'),
        command: 'gnomon.dismissNextEdit',
      }),
    ];
  }

  dispose(): void {
    this.registration?.dispose();
    this.changed.dispose();
  }
}

/** Characters that are shown of a line that comes below another, and of what comes within one; the hover shows all. */
const MAX_BELOW = 60;
const MAX_WITHIN = 200;
/** No-break space, shown for spaces at the end of a line, which would be invisible. */
const SPACE = '\u00A0';
const TAB = SPACE.repeat(4);

/** Shows a change that is not made yet at the lines that it is about: what goes, and behind it what comes. No line of the text is used for that. */
class ChangePreview implements vscode.Disposable {
  private readonly removed = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
    textDecoration: 'line-through',
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    ...borderOf('diffEditor.removedTextBorder'),
  });
  private readonly added = vscode.window.createTextEditorDecorationType({ rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed });
  /** The lines: where they are, and all of the change for who asks. */
  private readonly lines = vscode.window.createTextEditorDecorationType({
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.modifiedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });

  /** Shows a change in an editor, in place of the one before. */
  show(editor: vscode.TextEditor, change: LineReplacement, pieces: readonly PreviewPiece[]): void {
    const { document } = editor;
    const hoverMessage = hoverOf(change);
    editor.setDecorations(
      this.removed,
      pieces.filter(({ from, to }) => to > from).map((piece) => rangeOf(document, piece)),
    );
    editor.setDecorations(
      this.lines,
      [...new Set(pieces.map(({ line }) => line))].map((line) => ({ range: document.lineAt(line).range, hoverMessage })),
    );
    editor.setDecorations(this.added, notesOf(document, pieces));
  }

  /** Shows nothing in an editor. */
  clear(editor: vscode.TextEditor): void {
    for (const type of [this.removed, this.added, this.lines]) editor.setDecorations(type, []);
  }

  dispose(): void {
    for (const type of [this.removed, this.added, this.lines]) type.dispose();
  }
}

function rangeOf(document: vscode.TextDocument, { line, from, to }: PreviewPiece): vscode.Range {
  return document.validateRange(new vscode.Range(line, from, line, to));
}

/** Decorations that preview the edit, one for each place: an editor shows only one of two at the same place. */
function notesOf(document: vscode.TextDocument, pieces: readonly PreviewPiece[]): vscode.DecorationOptions[] {
  const notes = new Map<string, { readonly spot: vscode.Position; readonly text: string }>();
  const add = (spot: vscode.Position, text: string): void => {
    const key = `${spot.line}:${spot.character}`;
    const there = notes.get(key);
    notes.set(key, { spot, text: there === undefined ? text : `${there.text} ${text.trimStart()}` });
  };
  for (const piece of pieces) {
    if (piece.added !== '') add(rangeOf(document, piece).end, piece.added);
    if (piece.lines.length > 0) add(document.lineAt(piece.line).range.end, ` ${wordsOf(piece)}`);
  }
  return [...notes.values()].map(({ spot, text }) => ({ range: new vscode.Range(spot, spot), renderOptions: { after: noteOf(plain(text)) } }));
}

function noteOf(contentText: string): vscode.ThemableDecorationAttachmentRenderOptions {
  return { contentText, backgroundColor: new vscode.ThemeColor('diffEditor.insertedTextBackground'), ...borderOf('diffEditor.insertedTextBorder') };
}

/** Themes with high contrast have no background for what goes and comes. */
function borderOf(color: string): { readonly border?: string; readonly borderColor?: vscode.ThemeColor } {
  const { HighContrast, HighContrastLight } = vscode.ColorThemeKind;
  const { kind } = vscode.window.activeColorTheme;
  return kind === HighContrast || kind === HighContrastLight ? { border: '1px dashed', borderColor: new vscode.ThemeColor(color) } : {};
}

/** The first of the lines that come and is not blank, and how many more. */
function wordsOf({ lines, above }: PreviewPiece): string {
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const code = cut(`${above ? '↥' : '↵'} ${first.trim()}`, MAX_BELOW);
  const more = lines.length - 1;
  if (more === 0) return code;
  return more === 1 ? t('{0} and 1 more line', code) : t('{0} and {1} more lines', code, more);
}

function plain(text: string): string {
  return cut(text, MAX_WITHIN).replaceAll(' ', SPACE).replaceAll('\t', TAB);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

/** The change as a diff, with the possible actions. What the model wrote is only in a code block. */
function hoverOf({ before, after }: LineReplacement): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(`${t('Predicted next edit:')}\n`);
  hover.isTrusted = { enabledCommands: ['gnomon.acceptNextEdit', 'gnomon.dismissNextEdit'] };
  hover.appendCodeblock([...before.map((line) => `- ${line}`), ...after.map((line) => `+ ${line}`)].join('\n'), 'diff');
  return hover.appendMarkdown(`\n[${t('Accept Edit')}](command:gnomon.acceptNextEdit) | [${t('Dismiss Edit')}](command:gnomon.dismissNextEdit)`);
}
