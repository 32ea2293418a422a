import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import { type DrawnHunk, type DrawnText, inPlaceDiff } from '../../edits/in-place-diff.js';
import { present } from '../../domain/present.js';
import type { FileReview } from '../../edits/ledger-entry.js';
import type { Ledger } from '../../edits/ledger.js';
import { withoutTabs } from '../../text/columns.js';
import { showName } from '../../text/show.js';
import { pathOf } from '../workspace/paths.js';

/** Lines of each side that the hover shows. */
const MAX_HOVER_LINES = 60;
/** Columns of a tab where an editor does not say. */
const TAB_SIZE = 4;

/** Whether what pends is colored in editors. */
export interface ColorChoice {
  wanted(): boolean;
  /** Calls back when that has changed. */
  onDidChange(listener: () => void): vscode.Disposable;
}

/** The decorations of changes that pend, in the colors of VS Code's own comparisons. */
class ChangeLooks implements vscode.Disposable {
  private types = create();

  /** Lines that were added. */
  get added(): vscode.TextEditorDecorationType {
    return this.types.added;
  }

  /** Words of those that differ from what was there. */
  get words(): vscode.TextEditorDecorationType {
    return this.types.words;
  }

  /** Text that is gone; what is shown of it comes with each place. */
  get removed(): vscode.TextEditorDecorationType {
    return this.types.removed;
  }

  /** Where lines are gone and none came, which only the overview shows. */
  get gone(): vscode.TextEditorDecorationType {
    return this.types.gone;
  }

  /** Where the pointer finds out about a change; looks like nothing. */
  get asked(): vscode.TextEditorDecorationType {
    return this.types.asked;
  }

  /** Makes them anew, for another kind of theme. What was drawn goes away. */
  renew(): void {
    this.dispose();
    this.types = create();
  }

  dispose(): void {
    for (const type of Object.values(this.types)) type.dispose();
  }
}

/** Decoration for removed words, in front of those that replaced them. */
function removedWords(contentText: string): vscode.DecorationInstanceRenderOptions {
  return { before: { contentText, textDecoration: 'line-through', ...removedText() } };
}

/** Decoration for a removed line, to the right of the code. @param margin columns between them */
function removedRow(contentText: string, margin: number): vscode.DecorationInstanceRenderOptions {
  return { after: { contentText, margin: `0 0 0 ${margin}ch`, ...removedText() } };
}

type Types = Readonly<Record<'added' | 'words' | 'removed' | 'gone' | 'asked', vscode.TextEditorDecorationType>>;

function create(): Types {
  const rangeBehavior = vscode.DecorationRangeBehavior.ClosedClosed;
  const overviewRulerLane = vscode.OverviewRulerLane.Left;
  const type = (options: vscode.DecorationRenderOptions): vscode.TextEditorDecorationType =>
    vscode.window.createTextEditorDecorationType({ rangeBehavior, ...options });
  const color = (name: string): vscode.ThemeColor => new vscode.ThemeColor(name);
  return {
    added: type({
      isWholeLine: true,
      backgroundColor: color('diffEditor.insertedLineBackground'),
      overviewRulerColor: color('editorOverviewRuler.addedForeground'),
      overviewRulerLane,
      ...edge('1px dashed', 'diffEditor.insertedTextBorder'),
    }),
    words: type({ backgroundColor: color('diffEditor.insertedTextBackground'), ...edge('1px solid', 'diffEditor.insertedTextBorder') }),
    removed: type({}),
    asked: type({}),
    gone: type({ overviewRulerColor: color('editorOverviewRuler.deletedForeground'), overviewRulerLane }),
  };
}

function removedText(): vscode.ThemableDecorationAttachmentRenderOptions {
  return { backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'), ...edge('1px dashed', 'diffEditor.removedTextBorder') };
}

/** Themes with high contrast have no background for what was added and removed. */
function edge(border: string, color: string): { readonly border?: string; readonly borderColor?: vscode.ThemeColor } {
  const { HighContrast, HighContrastLight } = vscode.ColorThemeKind;
  const { kind } = vscode.window.activeColorTheme;
  return kind === HighContrast || kind === HighContrastLight ? { border, borderColor: new vscode.ThemeColor(color) } : {};
}

/** Colors in the editors what the agent has added and removed, as long as that is neither kept nor undone. No line of the text is ever used for that. */
export class ChangeMarks implements vscode.Disposable {
  private readonly looks = new ChangeLooks();
  /** Changes that are just being made, in place of those that pend, by document. */
  private readonly live = new Map<string, readonly DrawnHunk[]>();
  /** The review whose decorations an editor has now, to skip drawing them again. */
  private readonly drawn = new WeakMap<vscode.TextEditor, FileReview | readonly DrawnHunk[] | undefined>();
  private readonly watching: vscode.Disposable;

  constructor(
    private readonly pending: Pick<Ledger, 'files' | 'onDidChange'>,
    private readonly choice: ColorChoice,
  ) {
    const redraw = (): void => this.draw(vscode.window.visibleTextEditors);
    this.watching = vscode.Disposable.from(
      { dispose: pending.onDidChange(redraw) },
      choice.onDidChange(redraw),
      vscode.window.onDidChangeVisibleTextEditors(redraw),
      // An editor has no column before it is in its place.
      vscode.window.onDidChangeTextEditorViewColumn(redraw),
      vscode.window.onDidChangeTextEditorOptions(({ textEditor }) => this.drawAnew([textEditor])),
      vscode.window.onDidChangeActiveColorTheme(() => {
        this.looks.renew();
        this.drawAnew(vscode.window.visibleTextEditors);
      }),
    );
  }

  /** Shows changes of a document that are just being made, in place of those that pend. */
  showLive(uri: vscode.Uri, hunks: readonly DrawnHunk[]): void {
    this.live.set(uri.toString(), hunks);
    this.draw(vscode.window.visibleTextEditors);
  }

  /** Shows what pends in a document again. */
  follow(uri: vscode.Uri): void {
    this.live.delete(uri.toString());
    this.draw(vscode.window.visibleTextEditors);
  }

  dispose(): void {
    this.watching.dispose();
    this.looks.dispose();
  }

  private drawAnew(editors: readonly vscode.TextEditor[]): void {
    for (const editor of editors) this.drawn.delete(editor);
    this.draw(editors);
  }

  private draw(editors: readonly vscode.TextEditor[]): void {
    const files = this.choice.wanted() ? new Map(this.pending.files().map((file) => [file.path, file])) : undefined;
    for (const editor of editors) {
      const wanted = this.wantedIn(editor, files);
      if (wanted === this.drawn.get(editor)) continue;
      this.drawn.set(editor, wanted);
      this.drawHunks(editor, wanted === undefined ? [] : 'hunks' in wanted ? wanted.hunks.map(withoutEndings) : wanted);
    }
  }

  /** @param files what pends, by path, as far as it is to be colored */
  private wantedIn(
    { document: { uri }, viewColumn }: vscode.TextEditor,
    files: ReadonlyMap<string, FileReview> | undefined,
  ): FileReview | readonly DrawnHunk[] | undefined {
    // Those without a column are sides of a comparison or lie within another editor: they have colors of their own.
    if (viewColumn === undefined) return undefined;
    return this.live.get(uri.toString()) ?? (uri.scheme === 'file' ? files?.get(pathOf(uri)) : undefined);
  }

  private drawHunks(editor: vscode.TextEditor, all: readonly DrawnHunk[]): void {
    const { document } = editor;
    const hunks = all.filter(({ line }) => line <= document.lineCount);
    const { words, rows } = inPlaceDiff(hunks, textOf(editor));
    const end = (line: number): vscode.Position => document.lineAt(Math.min(line, document.lineCount - 1)).range.end;
    editor.setDecorations(
      this.looks.added,
      hunks.flatMap(({ line, count }) =>
        count === 0 || line >= document.lineCount ? [] : [new vscode.Range(line, 0, Math.min(line + count, document.lineCount) - 1, 0)],
      ),
    );
    editor.setDecorations(
      this.looks.words,
      words.filter(({ from, to }) => to > from).map(({ line, from, to }) => new vscode.Range(line, from, line, to)),
    );
    editor.setDecorations(
      this.looks.gone,
      hunks.filter(({ count }) => count === 0).map((hunk) => placeOf(document, hunk)),
    );
    editor.setDecorations(
      this.looks.asked,
      hunks.filter(({ removed }) => removed.length > 0).map((hunk) => ({ range: placeOf(document, hunk), hoverMessage: hoverOf(document, hunk) })),
    );
    editor.setDecorations(this.looks.removed, [
      ...words
        .filter(({ gone }) => gone !== '')
        .map(({ line, from, to, gone }) => ({ range: new vscode.Range(line, from, line, to), renderOptions: removedWords(gone) })),
      ...rows.map(({ line, margin, text }) => ({ range: new vscode.Range(end(line), end(line)), renderOptions: removedRow(text, margin) })),
    ]);
  }
}

function withoutEndings({ line, count, removed, by }: DrawnHunk): DrawnHunk {
  return { line, count, removed: removed.map((each) => each.replace(/\r?\n$/, '')), ...present({ by }) };
}

function textOf({ document, options }: vscode.TextEditor): DrawnText {
  const { tabSize } = options;
  return { lineCount: document.lineCount, tabSize: typeof tabSize === 'number' ? tabSize : TAB_SIZE, lineAt: (line) => document.lineAt(line).text };
}

/** Where a change is asked about with the pointer: its first line, or the one before which lines are gone. */
function placeOf(document: vscode.TextDocument, { line }: DrawnHunk): vscode.Range {
  return document.lineAt(Math.min(line, document.lineCount - 1)).range;
}

/** All of a change, as a comparison. */
function hoverOf(document: vscode.TextDocument, { line, count, removed, by }: DrawnHunk): vscode.MarkdownString {
  const now = Array.from({ length: Math.min(count, document.lineCount - line) }, (_, index) => document.lineAt(line + index).text);
  const side = (sign: string, lines: readonly string[]): readonly string[] => [
    ...lines.slice(0, MAX_HOVER_LINES).map((each) => `${sign}${showName(withoutTabs(each, TAB_SIZE))}`),
    ...(lines.length > MAX_HOVER_LINES ? ['…'] : []),
  ];
  // What a model calls its work is no Markdown.
  const hover = new vscode.MarkdownString().appendText(by === undefined ? t('Changed by Gnomon, pending:') : t('Changed by {0}, pending:', by.name));
  return hover.appendMarkdown('\n').appendCodeblock([...side('-', removed), ...side('+', now)].join('\n'), 'diff');
}
