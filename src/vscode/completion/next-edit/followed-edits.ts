import * as vscode from 'vscode';
import { EditHistory } from '../../../completion/next-edit/edit-history.js';
import type { LineReplacement } from '../../../completion/next-edit/line-replacement.js';
import { isSuggestedIn } from '../exclusions.js';

/** The largest document whose edits are followed, in lines and in characters. */
const MAX_LINES = 20_000;
const MAX_CHARACTERS = 1_000_000;

/** What became of a document. */
export interface Followed {
  readonly document: vscode.TextDocument;
  /** What was done to its lines, one after the other. */
  readonly done: readonly LineReplacement[];
  readonly reason: vscode.TextDocumentChangeReason | undefined;
}

/** Follows what is edited in the documents that are in view. */
export class FollowedEdits implements vscode.Disposable {
  readonly history = new EditHistory();
  private readonly subscription: vscode.Disposable;

  /** @param changed notified of each change @param closed notified of each document that is gone, by its name */
  constructor(changed: (followed: Followed) => void, closed: (document: string) => void) {
    for (const { document } of vscode.window.visibleTextEditors) this.follow(document);
    this.subscription = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(({ document }) => this.follow(document))),
      vscode.workspace.onDidChangeTextDocument((event) => {
        const followed = this.note(event);
        if (followed !== undefined) changed(followed);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.history.forget(uri.toString());
        closed(uri.toString());
      }),
    );
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private follow(document: vscode.TextDocument): void {
    const name = document.uri.toString();
    if (!isSuggestedIn(document) || isTooLarge(document)) return;
    this.history.follow(name, this.history.linesOf(name) ?? linesOf(document));
  }

  private note({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): Followed | undefined {
    const name = document.uri.toString();
    if (contentChanges.length === 0 || this.history.linesOf(name) === undefined) return undefined;
    // Each refers to the text before all of them, so the last one is applied first.
    const inOrder = [...contentChanges].sort((a, b) => b.rangeOffset - a.rangeOffset);
    const now = performance.now();
    const done = inOrder.flatMap(({ range, text }) => this.history.note(name, { start: range.start, end: range.end, text }, now) ?? []);
    if (this.isInStep(document)) return { document, done, reason };
    this.history.forget(name);
    this.follow(document);
    return { document, done: [], reason };
  }

  /** Whether the lines are those of the document, as far as that shows at once: nothing is built on lines that are not. */
  private isInStep(document: vscode.TextDocument): boolean {
    const lines = this.history.linesOf(document.uri.toString());
    const { latest } = this.history;
    if (lines?.length !== document.lineCount) return false;
    return latest?.document !== document.uri.toString() || latest.after.every((line, index) => document.lineAt(latest.first + index).text === line);
  }
}

function isTooLarge(document: vscode.TextDocument): boolean {
  return document.lineCount > MAX_LINES || document.offsetAt(document.lineAt(document.lineCount - 1).range.end) > MAX_CHARACTERS;
}

function linesOf(document: vscode.TextDocument): readonly string[] {
  return document.getText().split(/\r\n|\r|\n/);
}
