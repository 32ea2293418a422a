import * as vscode from 'vscode';
import { t } from '../../../domain/l10n.js';
import type { LineEdit, LineShift } from '../../../inline-edit/line-edit.js';
import { shiftOf } from '../../../inline-edit/line-edit.js';
import type { RangeEdit } from './line-range.js';
import { endingOf, rangeEditOf, textAfter } from './line-range.js';

/** How often an edit is tried again that came too late, as the person typed just then. */
const MAX_TRIES = 20;

/** Edits that belong together. */
export interface LineBatch {
  /** Where they are in the document as it is now, apart from each other; asked for again when somebody typed meanwhile. */
  readonly edits: () => readonly LineEdit[];
  /** Called once, at the moment when the document has them. */
  readonly made: () => void;
}

interface Awaited {
  /** The text of the document without them. */
  readonly before: string;
  readonly edits: readonly RangeEdit[];
  readonly made: () => void;
}

/** Changes whole lines of one document, and tells what anybody else changes in it. */
export class LineBuffer implements vscode.Disposable {
  readonly document: vscode.TextDocument;
  private readonly typed: (shift: LineShift) => void;
  private readonly watching: vscode.Disposable;
  private awaited: Awaited | undefined;
  /** Whether the edits from {@link begin} on are one step to undo. */
  private step: 'closed' | 'open' | 'broken' = 'closed';

  /** @param typed is told of each change that is not made here. */
  constructor(document: vscode.TextDocument, typed: (shift: LineShift) => void) {
    this.document = document;
    this.typed = typed;
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

  /** Begins a step: all that follows is undone at once, as long as the editor stays visible and nobody types. */
  begin(): void {
    this.step = 'closed';
  }

  /** Makes edits. @throws Error when the document does not take them. */
  async apply(batch: LineBatch): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      if (this.document.isClosed) throw new Error(t('The file was closed. Open it and ask again.'));
      const edits = batch.edits().map((edit) => rangeEditOf(this.document, edit));
      if (edits.length === 0) return;
      let made = false;
      this.awaited = {
        before: this.document.getText(),
        edits,
        made: () => {
          made = true;
          batch.made();
        },
      };
      const taken = await this.send(edits);
      this.awaited = undefined;
      if (has(made)) return;
      if (taken) throw refusal();
    }
    throw refusal();
  }

  /** Ends the step, so that what the person types next is one of its own. */
  async end(): Promise<void> {
    const { editor } = this;
    // A change of nothing: only the mark behind it counts.
    if (editor !== undefined && this.step === 'open') await editor.edit((edit) => edit.setEndOfLine(this.document.eol), { undoStopBefore: false, undoStopAfter: true });
    if (this.step === 'open') this.step = 'closed';
  }

  /** Takes the step back as the person would. @returns whether that could be done; the document is as it was then. */
  async takeBack(before: string): Promise<boolean> {
    const { editor } = this;
    if (this.step !== 'open' || editor === undefined) return false;
    await this.end();
    await vscode.window.showTextDocument(this.document, { preserveFocus: false, ...(editor.viewColumn === undefined ? {} : { viewColumn: editor.viewColumn }) });
    this.awaited = { before: '', edits: [], made: () => undefined };
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
      return await editor.edit((builder) => {
        for (const { range, text } of edits) builder.replace(range, text);
      }, { undoStopBefore, undoStopAfter: false });
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
      awaited.made();
      return;
    }
    if (this.step === 'open') this.step = 'broken';
    // They come from the end of the document to its beginning, so that none moves the next.
    for (const { range, text } of contentChanges) this.typed(shiftOf({ start: range.start, end: range.end, text }));
  }
}

/** What a listener may have changed meanwhile. */
function has(flag: boolean): boolean {
  return flag;
}

function refusal(): Error {
  return new Error(t('The editor did not take the change, so it was left alone.'));
}

function isSame(changes: readonly vscode.TextDocumentContentChangeEvent[], edits: readonly RangeEdit[], eol: string): boolean {
  if (changes.length !== edits.length) return false;
  return edits.every(({ range, text }) => changes.some((change) => change.range.isEqual(range) && change.text.replace(/\r\n|\r|\n/g, eol) === text));
}
