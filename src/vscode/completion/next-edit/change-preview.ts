import * as vscode from 'vscode';
import type { LineReplacement } from '../../../completion/next-edit/line-replacement.js';
import type { PreviewPiece } from '../../../completion/next-edit/preview.js';
import { t } from '../../../domain/l10n.js';

/** Characters that are shown of a line that comes below another, and of what comes within one; the hover shows all. */
const MAX_BELOW = 60;
const MAX_WITHIN = 200;
/** What cannot be seen at the end of a line is a space that does not break. */
const SPACE = '\u00A0';
const TAB = SPACE.repeat(4);

/** Shows a change that is not made yet at the lines that it is about: what goes, and behind it what comes. No line of the text is used for that. */
export class ChangePreview implements vscode.Disposable {
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
    editor.setDecorations(this.removed, pieces.filter(({ from, to }) => to > from).map((piece) => rangeOf(document, piece)));
    editor.setDecorations(this.lines, [...new Set(pieces.map(({ line }) => line))].map((line) => ({ range: document.lineAt(line).range, hoverMessage })));
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

/** What comes, in one note for each place: of two at the same one an editor shows only one. */
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
