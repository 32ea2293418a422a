import * as vscode from 'vscode';
import { typedInto } from '../../inline-edit/early-words.js';

/** How often it is tried to take keys out while more of them come. */
const ATTEMPTS = 5;

/**
 * What is typed into a document between a key that opens a box and the moment in which the box has the focus. VS Code opens it a
 * moment later than a quick user types, and much later on a busy machine.
 */
export class EarlyKeys {
  private readonly document: vscode.TextDocument;
  private readonly before: string;

  constructor(document: vscode.TextDocument) {
    this.document = document;
    this.before = document.getText();
  }

  /** Takes what was typed out of the document. @returns what it was; empty without any */
  async take(): Promise<string> {
    const { document, before } = this;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { start, removed, typed } = typedInto(before, document.getText());
      const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
      if (editor === undefined || (removed === '' && typed === '')) return '';
      const range = new vscode.Range(document.positionAt(start), document.positionAt(start + typed.length));
      // A part of the step of Undo in which its last word was typed, so that Undo does not bring that back. It fails when another key came in between.
      if (await editor.edit((edit) => edit.replace(range, removed), { undoStopBefore: false, undoStopAfter: false })) return typed;
    }
    return '';
  }
}
