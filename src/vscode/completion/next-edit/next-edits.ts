import * as vscode from 'vscode';
import { asSuggestion, holds, type LineReplacement, textEditOf } from '../../../completion/next-edit/line-replacement.js';
import { NextEditFlow, type NextEditState, type Offer, type Question } from '../../../completion/next-edit/next-edit-flow.js';
import type { Log } from '../../../domain/log.js';
import { waitOnTheClock } from '../../../engine/turn/pauses.js';
import type { Completer } from '../completer.js';
import { completionSettings } from '../completion-settings.js';
import type { CompletionState } from '../completion-state.js';
import { placeAt } from '../../../completion/place.js';
import { isSuggestedIn } from '../exclusions.js';
import type { NextEditControls } from './next-edit-controls.js';
import { NextEditView } from './next-edit-view.js';
import { type Edit, EditHistory } from '../../../completion/next-edit/edit-history.js';
import type { Finding, NextEditInput } from '../../../completion/next-edit/next-edit-input.js';
import { displayPath } from '../../mentions/workspace-paths.js';

/** Debounce before a prediction is requested, in milliseconds; longer than for a suggestion at the cursor, which comes first. */
const PAUSE_MS = 400;

/** The state of suggestions, and the completer that predicts edits, which is loaded on the first request. */
export interface NextEditDeps {
  readonly state: CompletionState;
  /** The implementation that calls models, loaded with the first request. */
  readonly completer: () => Promise<Pick<Completer, 'nextEdit' | 'offer'>>;
  readonly log: Log;
}

/** The largest document whose edits are followed, in lines and in characters. */
const MAX_LINES = 20_000;
const MAX_CHARACTERS = 1_000_000;

/** Recent edits of a document, which the prediction is based on. */
interface Followed {
  readonly document: vscode.TextDocument;
  /** Line replacements in the order in which they were made. */
  readonly done: readonly LineReplacement[];
  readonly reason: vscode.TextDocumentChangeReason | undefined;
}

/** Follows what is edited in the documents that are in view. */
class FollowedEdits implements vscode.Disposable {
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

/** Predicts the user's next edit, and shows it in the active editor. */
export class NextEdits implements vscode.Disposable, NextEditControls {
  private readonly edits: FollowedEdits;
  private readonly view = new NextEditView();
  private readonly flow: NextEditFlow;
  private readonly subscription: vscode.Disposable;
  /** While a change that was accepted comes into the text: the next one is asked for at once. */
  private accepting = false;

  constructor(private readonly deps: NextEditDeps) {
    this.flow = new NextEditFlow({
      begin: () => this.begin(),
      wait: waitOnTheClock,
      takeOver: (offer) => this.takeOver(offer),
      changed: (state) => this.draw(state),
    });
    this.edits = new FollowedEdits(
      (followed) => this.changed(followed),
      (document) => this.flow.forget(document),
    );
    this.subscription = vscode.Disposable.from(
      this.edits,
      this.view,
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.moved(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.entered(editor)),
      deps.state.onDidChange(() => {
        const document = vscode.window.activeTextEditor?.document;
        if (document === undefined || !this.isWanted(document)) this.flow.drop();
      }),
    );
    deps.state.nextEdits = this;
  }

  dispose(): void {
    this.deps.state.nextEdits = undefined;
    this.flow.drop();
    this.subscription.dispose();
  }

  jump(): boolean {
    const editor = vscode.window.activeTextEditor;
    const offer = this.flow.jump();
    if (offer === undefined || editor?.document.uri.toString() !== offer.document) return false;
    const { line, character } = textEditOf(offer.change, this.linesOf(editor.document)).start;
    const spot = new vscode.Position(line, character);
    editor.selection = new vscode.Selection(spot, spot);
    editor.revealRange(new vscode.Range(spot, spot), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return true;
  }

  accept(): boolean {
    const editor = vscode.window.activeTextEditor;
    const offer = this.flow.accept();
    if (offer === undefined || editor?.document.uri.toString() !== offer.document) return false;
    this.apply(editor, offer.change).catch((error: unknown) => this.deps.log.warn(`The next edit could not be made: ${String(error)}`));
    return true;
  }

  dismiss(): boolean {
    const isShown = this.flow.state.kind === 'shown';
    this.flow.dismiss();
    return isShown;
  }

  /** One step to undo, beside which nothing changes. */
  private async apply(editor: vscode.TextEditor, change: LineReplacement): Promise<void> {
    const lines = this.linesOf(editor.document);
    if (!holds(change, lines)) return;
    const { start, end, text } = textEditOf(change, lines);
    this.accepting = true;
    try {
      await editor.edit((builder) => builder.replace(new vscode.Range(start.line, start.character, end.line, end.character), text));
    } finally {
      this.accepting = false;
    }
  }

  private changed({ document, done, reason }: Followed): void {
    const name = document.uri.toString();
    if (document !== vscode.window.activeTextEditor?.document) return;
    if (reason === vscode.TextDocumentChangeReason.Undo) for (const { before, after } of done) this.flow.undone(name, { before: after, after: before });
    if (reason !== undefined || done.length === 0 || !this.isWanted(document)) this.flow.drop();
    else void this.flow.edited(this.accepting ? 0 : Math.max(PAUSE_MS, completionSettings.pauseMs()));
  }

  private moved(editor: vscode.TextEditor): void {
    if (editor !== vscode.window.activeTextEditor) return;
    this.flow.moved(editor.selection.active.line);
    if (this.flow.state.kind === 'shown') this.draw(this.flow.state);
  }

  private entered(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined) this.flow.drop();
  }

  private begin(): Question | undefined {
    const editor = vscode.window.activeTextEditor;
    const { latest } = this.edits.history;
    if (editor === undefined || latest === undefined || latest.document !== editor.document.uri.toString()) return undefined;
    const { document, selection, selections } = editor;
    const cursor = selection.active.line;
    // What changes elsewhere than at the cursor is not the user's doing.
    const isAtCursor = cursor >= latest.first - 1 && cursor <= latest.first + latest.after.length;
    if (!isAtCursor || !selection.isEmpty || selections.length > 1 || !this.isWanted(document)) return undefined;
    const moment = { document, lines: this.linesOf(document), cursor, latest, edits: this.edits.history.all };
    return { document: latest.document, line: cursor, answer: (signal) => this.ask(moment, signal) };
  }

  private async ask(moment: Moment, signal: AbortSignal): Promise<LineReplacement | undefined> {
    const edited = new Set(moment.edits.map(({ document }) => document));
    const others = vscode.workspace.textDocuments.filter((other) => other !== moment.document && edited.has(other.uri.toString()));
    try {
      const completer = await this.deps.completer();
      return await completer.nextEdit([moment.document, ...others], (shown) => nextEditInputOf(moment, shown), signal);
    } catch {
      // What could not be loaded was reported already.
      return undefined;
    }
  }

  /** Shows an edit that only inserts text at the cursor as VS Code's own ghost text. */
  private takeOver({ document: name, change }: Offer): boolean {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.toString() !== name) return true;
    const { document, selection } = editor;
    const suggestion = asSuggestion(change, selection.active, document.lineAt(selection.active.line).text);
    if (suggestion === undefined || !vscode.workspace.getConfiguration('editor', document).get<boolean>('inlineSuggest.enabled', true)) return false;
    const place = placeAt(document, { position: selection.active, selected: undefined, path: pathOf(document) });
    const show = (): Thenable<unknown> => vscode.commands.executeCommand('editor.action.inlineSuggest.trigger');
    void this.deps
      .completer()
      .then((completer) => completer.offer(place, suggestion, show))
      .catch((error: unknown) => this.deps.log.warn(`The next edit could not be shown: ${String(error)}`));
    return true;
  }

  private draw(state: NextEditState): void {
    const editor = vscode.window.activeTextEditor;
    if (state.kind !== 'shown' || editor?.document.uri.toString() !== state.offer.document) this.view.hide();
    else this.view.show(editor, state.offer.change, state.jumped);
  }

  private isWanted({ languageId }: vscode.TextDocument): boolean {
    return this.deps.state.availability(languageId) === 'on' && completionSettings.hasNextEdits();
  }

  private linesOf({ uri }: vscode.TextDocument): readonly string[] {
    return this.edits.history.linesOf(uri.toString()) ?? [];
  }
}

/** Findings of a language server that go along. */
const MAX_FINDINGS = 8;

/** Where the user is, and what they did. */
interface Moment {
  readonly document: vscode.TextDocument;
  readonly lines: readonly string[];
  /** Line of the cursor. */
  readonly cursor: number;
  readonly latest: Edit;
  /** The edits, the latest last, also those of other documents. */
  readonly edits: readonly Edit[];
}

/** The model's input. @param shown the documents that it may be shown */
function nextEditInputOf({ document, lines, cursor, latest, edits }: Moment, shown: readonly vscode.TextDocument[]): NextEditInput {
  const told = edits.flatMap(({ document: name, before, after }) => {
    const other = shown.find(({ uri }) => uri.toString() === name);
    return other === undefined ? [] : [{ path: pathOf(other), before, after }];
  });
  return { path: pathOf(document), language: document.languageId, lines, cursor, latest, edits: told, findings: findingsIn(document, cursor) };
}

/** The path of a document in the prompt. */
function pathOf({ uri }: vscode.TextDocument): string {
  return uri.scheme === 'file' ? displayPath(uri) : uri.path;
}

/** Errors, those nearest to the cursor. */
function findingsIn({ uri, lineCount }: vscode.TextDocument, cursor: number): readonly Finding[] {
  const errors = vscode.languages
    .getDiagnostics(uri)
    .filter(({ severity, range }) => severity === vscode.DiagnosticSeverity.Error && range.start.line < lineCount);
  const distance = ({ range }: vscode.Diagnostic): number => Math.abs(range.start.line - cursor);
  return errors
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, MAX_FINDINGS)
    .map(({ range, message }) => ({ line: range.start.line, text: message }));
}
