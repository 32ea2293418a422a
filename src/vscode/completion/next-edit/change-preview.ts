import * as vscode from 'vscode';
import type { LineReplacement } from '../../../completion/next-edit/line-replacement.js';
import type { PreviewPiece } from '../../../completion/next-edit/preview.js';
import { previewOf } from '../../../completion/next-edit/preview.js';
import { t } from '../../../domain/l10n.js';

/** Characters of code that are shown beside a line; the hover shows all. */
const MAX_BESIDE = 100;
/** What cannot be seen at the end of a line is a space that does not break. */
const SPACE = '\u00A0';
const TAB = SPACE.repeat(4);

/** Shows a change that is not made yet at the lines that it is about: what goes, and behind it what comes. No line of the text is used for that. */
export class ChangePreview implements vscode.Disposable {
  private readonly removed = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
    textDecoration: 'line-through',
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.modifiedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    ...borderOf('diffEditor.removedTextBorder'),
  });
  private readonly added = vscode.window.createTextEditorDecorationType({
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.modifiedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

  /** Shows a change in an editor, in place of the one before. */
  show(editor: vscode.TextEditor, change: LineReplacement): void {
    const pieces = previewOf(change, editor.document.lineCount);
    const hoverMessage = hoverOf(change);
    const rangeOf = ({ line, from, to }: PreviewPiece): vscode.Range => editor.document.validateRange(new vscode.Range(line, from, line, to));
    editor.setDecorations(this.removed, pieces.filter(({ from, to }) => to > from).map((piece) => ({ range: rangeOf(piece), hoverMessage })));
    const inLine = pieces.filter(({ added }) => added !== '').map((piece) => ({ range: rangeOf(piece), hoverMessage, renderOptions: { after: note(plain(piece.added), '') } }));
    const below = pieces.filter(({ lines }) => lines.length > 0).map((piece) => {
      const { end } = editor.document.lineAt(piece.line).range;
      return { range: new vscode.Range(end, end), hoverMessage, renderOptions: { after: note(plain(wordsOf(piece)), '0 0 0 1ch') } };
    });
    editor.setDecorations(this.added, [...inLine, ...below]);
  }

  /** Shows nothing in an editor. */
  clear(editor: vscode.TextEditor): void {
    for (const type of [this.removed, this.added]) editor.setDecorations(type, []);
  }

  dispose(): void {
    this.removed.dispose();
    this.added.dispose();
  }
}

function note(contentText: string, margin: string): vscode.ThemableDecorationAttachmentRenderOptions {
  return { contentText, margin, backgroundColor: new vscode.ThemeColor('diffEditor.insertedTextBackground'), ...borderOf('diffEditor.insertedTextBorder') };
}

/** Themes with high contrast have no background for what goes and comes. */
function borderOf(color: string): { readonly border?: string; readonly borderColor?: vscode.ThemeColor } {
  const { HighContrast, HighContrastLight } = vscode.ColorThemeKind;
  const { kind } = vscode.window.activeColorTheme;
  return kind === HighContrast || kind === HighContrastLight ? { border: '1px dashed', borderColor: new vscode.ThemeColor(color) } : {};
}

/** The first of the lines that come, and how many more. */
function wordsOf({ lines, above }: PreviewPiece): string {
  const [first = ''] = lines;
  const code = `${above ? '↥' : '↵'} ${first.trim()}`.slice(0, MAX_BESIDE);
  const more = lines.length - 1;
  if (more === 0) return code;
  return more === 1 ? t('{0} and 1 more line', code) : t('{0} and {1} more lines', code, more);
}

function plain(text: string): string {
  const shown = text.length > MAX_BESIDE * 2 ? `${text.slice(0, MAX_BESIDE * 2)}…` : text;
  return shown.replaceAll(' ', SPACE).replaceAll('\t', TAB);
}

/** The change as a diff, with what can be done about it. What the model wrote stands in a block of code and nowhere else. */
function hoverOf({ before, after }: LineReplacement): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(`${t('The next edit that Gnomon foresees:')}\n`);
  hover.isTrusted = { enabledCommands: ['gnomon.acceptNextEdit', 'gnomon.dismissNextEdit'] };
  hover.appendCodeblock([...before.map((line) => `- ${line}`), ...after.map((line) => `+ ${line}`)].join('\n'), 'diff');
  return hover.appendMarkdown(`\n[${t('Accept edit')}](command:gnomon.acceptNextEdit) | [${t('Dismiss edit')}](command:gnomon.dismissNextEdit)`);
}
