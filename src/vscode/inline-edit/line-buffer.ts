import { present } from '../../domain/present.js';
import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { InlineEditEvent, InlineEditState } from '../../inline-edit/edit-state.js';
import { type LineEdit, shiftOf } from '../../inline-edit/line-edit.js';
import type { EditStore } from './edit-store.js';

/** Retries of an edit when the user typed just before it. */
const MAX_TRIES = 20;

/** A range of characters and what takes its place. */
interface RangeEdit {
  readonly range: vscode.Range;
  readonly text: string;
}

/** Edits that were sent to the document and have not arrived yet. */
interface Awaited {
  /** The text of the document without them. */
  readonly before: string;
  readonly edits: readonly RangeEdit[];
  /** Dispatched when the document has them. */
  readonly made?: InlineEditEvent;
}

/** Changes whole lines of one document, and dispatches all other changes of it as the user's. */
export class LineBuffer implements vscode.Disposable {
  private readonly watching: vscode.Disposable;
  private awaited: Awaited | undefined;
  /** Whether the edits from {@link begin} on are one step to undo. */
  private step: 'closed' | 'open' | 'broken' = 'closed';

  constructor(
    readonly document: vscode.TextDocument,
    private readonly store: EditStore,
  ) {
    this.watching = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) this.changed(event);
    });
  }

  dispose(): void {
    this.watching.dispose();
  }

  /** The editor that shows the document, if one is visible. */
  get editor(): vscode.TextEditor | undefined {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    if (activeTextEditor?.document === this.document) return activeTextEditor;
    return visibleTextEditors.find(({ document }) => document === this.document);
  }

  /** Begins a step: all that follows is undone at once, as long as the editor stays visible and the user does not type. */
  begin(): void {
    this.step = 'closed';
  }

  /**
   * Makes edits that lie apart from each other.
   * @param edits says where they are; asked again when the user typed meanwhile.
   * @param made is dispatched once, at the moment when the document has them.
   * @throws Error when the document does not take them.
   */
  async apply(edits: (state: InlineEditState) => readonly LineEdit[], made: InlineEditEvent): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      if (this.document.isClosed) throw new Error(t('The file was closed. Open it and try again.'));
      const ranges = edits(this.store.state).map((edit) => rangeEditOf(this.document, edit));
      if (ranges.length === 0) return;
      const awaited = { before: this.document.getText(), edits: ranges, made };
      this.awaited = awaited;
      const taken = await this.send(ranges);
      const arrived = this.awaited !== awaited;
      this.awaited = undefined;
      if (arrived) return;
      if (taken) throw refusal();
    }
    throw refusal();
  }

  /** Ends the step, so that what the user types next is another one. */
  async end(): Promise<void> {
    const { editor } = this;
    // A change of nothing: only the mark behind it counts.
    if (editor !== undefined && this.step === 'open')
      await editor.edit((edit) => edit.setEndOfLine(this.document.eol), { undoStopBefore: false, undoStopAfter: true });
    if (this.step === 'open') this.step = 'closed';
  }

  /** Undoes the step as the user would, which needs the focus. @returns whether that could be done; the document is as it was then. */
  async takeBack(before: string): Promise<boolean> {
    const { editor } = this;
    if (this.step !== 'open' || editor === undefined) return false;
    await this.end();
    await vscode.window.showTextDocument(this.document, { preserveFocus: false, ...present({ viewColumn: editor.viewColumn }) });
    this.awaited = { before: '', edits: [] };
    await vscode.commands.executeCommand('undo');
    this.awaited = undefined;
    return this.document.getText() === before;
  }

  private async send(edits: readonly RangeEdit[]): Promise<boolean> {
    const { editor } = this;
    if (editor === undefined) return this.sendHidden(edits);
    const undoStopBefore = this.step !== 'open';
    this.step = this.step === 'broken' ? 'broken' : 'open';
    try {
      return await editor.edit(
        (builder) => {
          for (const { range, text } of edits) builder.replace(range, text);
        },
        { undoStopBefore, undoStopAfter: false },
      );
    } catch {
      // Its tab was hidden at this moment.
      return this.sendHidden(edits);
    }
  }

  private async sendHidden(edits: readonly RangeEdit[]): Promise<boolean> {
    this.step = 'broken';
    const edit = new vscode.WorkspaceEdit();
    for (const { range, text } of edits) edit.replace(this.document.uri, range, text);
    return vscode.workspace.applyEdit(edit);
  }

  /** Documents that no editor shows are given smaller edits that come to the same text. */
  private isOurs(changes: readonly vscode.TextDocumentContentChangeEvent[], { edits, before }: Awaited): boolean {
    const eol = endingOf(this.document);
    if (edits.length === 0) return false;
    return isSame(changes, edits, eol) || textAfter(before, edits, eol) === this.document.getText();
  }

  private changed({ contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0) return;
    const { awaited } = this;
    const undone = awaited?.edits.length === 0 && reason === vscode.TextDocumentChangeReason.Undo;
    if (awaited !== undefined && (undone || this.isOurs(contentChanges, awaited))) {
      this.awaited = undefined;
      if (awaited.made !== undefined) this.store.dispatch(awaited.made);
      return;
    }
    if (this.step === 'open') this.step = 'broken';
    // They come from the end of the document to its beginning, so that none moves the next.
    for (const { range, text } of contentChanges) this.store.dispatch({ type: 'typed', shift: shiftOf({ start: range.start, end: range.end, text }) });
  }
}

function refusal(): Error {
  return new Error(t('The editor rejected the change, so the file was not changed.'));
}

function isSame(changes: readonly vscode.TextDocumentContentChangeEvent[], edits: readonly RangeEdit[], eol: string): boolean {
  if (changes.length !== edits.length) return false;
  return edits.every(({ range, text }) => changes.some((change) => change.range.isEqual(range) && change.text.replace(/\r\n|\r|\n/g, eol) === text));
}

/** The ending of a document's lines. */
export function endingOf(document: vscode.TextDocument): string {
  return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

/** The lines of a document, without their endings. */
export function linesOf(document: vscode.TextDocument): readonly string[] {
  return document.getText().split(endingOf(document));
}

/** Converts an edit of whole lines to a range edit of a document. The last line has no ending: there the ending before it goes along. */
function rangeEditOf(document: vscode.TextDocument, { start, end, lines }: LineEdit): RangeEdit {
  const eol = endingOf(document);
  const atEnd = document.lineAt(document.lineCount - 1).range.end;
  if (end < document.lineCount) return { range: new vscode.Range(start, 0, end, 0), text: lines.map((line) => line + eol).join('') };
  if (start === 0) return { range: new vscode.Range(new vscode.Position(0, 0), atEnd), text: lines.join(eol) };
  return { range: new vscode.Range(document.lineAt(start - 1).range.end, atEnd), text: lines.map((line) => eol + line).join('') };
}

/** A text with edits that lie apart from each other. */
function textAfter(before: string, edits: readonly RangeEdit[], eol: string): string {
  const starts = [0];
  for (let at = before.indexOf(eol); at >= 0; at = before.indexOf(eol, at + eol.length)) starts.push(at + eol.length);
  const offsetOf = ({ line, character }: vscode.Position): number => (starts[line] ?? before.length) + character;
  const fromTheEnd = edits.toSorted((a, b) => b.range.start.compareTo(a.range.start));
  return fromTheEnd.reduce((text, { range, text: fresh }) => text.slice(0, offsetOf(range.start)) + fresh + text.slice(offsetOf(range.end)), before);
}
