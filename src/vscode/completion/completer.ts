import * as vscode from 'vscode';
import { Backoff } from '../../completion/backoff.js';
import { type CompletionInput, fittingEdits, notIn, snippetBudget } from '../../completion/completion-input.js';
import type { Extent } from '../../completion/extent.js';
import type { LineReplacement } from '../../completion/next-edit/line-replacement.js';
import type { NextEditInput } from '../../completion/next-edit/next-edit-input.js';
import { readAnswer } from '../../completion/next-edit/ask-next-edit.js';
import type { Place } from '../../completion/place.js';
import { type RecentEdit, RecentEdits } from '../../completion/recent-edits.js';
import { type RelatedDocument, type Snippet, SnippetFinder } from '../../completion/snippets.js';
import { Suggester } from '../../completion/suggester.js';
import type { Suggestion } from '../../completion/suggestion.js';
import type { Clock } from '../../domain/clock.js';
import { errorMessage, isAbortError, ProviderError } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import { waitOnTheClock } from '../../engine/turn/pauses.js';
import { AskModel } from './ask-model.js';
import { COMPLETIONS, completionSettings } from './completion-settings.js';
import type { CompletionState } from './completion-state.js';
import { Exclusions, isSuggestedIn } from './exclusions.js';
import { displayPath } from '../mentions/workspace-paths.js';
import { systemClock } from '../../node/system-clock.js';
import type { SuggestionModels } from './choose-model.js';
import type { Showing } from '../../domain/workspace/showing.js';

/** Services of inline suggestions in this window: models and file rules, recent edits, and the status shown. */
export interface CompleterDeps extends CompletionDeps {
  readonly state: CompletionState;
  readonly edits: RecentEdits;
  /** Subscription to document edits, disposed with the suggestions. */
  readonly subscription: vscode.Disposable;
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes suggestions from what is in the editors of this window. Errors are shown in the status bar only. */
export class Completer implements vscode.Disposable {
  private readonly backoff: Backoff;
  private readonly model: AskModel;
  private readonly exclusions: Exclusions;
  private readonly finder = new SnippetFinder();
  private readonly suggester: Suggester;
  private readonly subscription: vscode.Disposable;
  /** Set while VS Code asks for what is offered already: no model is asked then. */
  private offering = false;

  constructor(private readonly deps: CompleterDeps) {
    this.backoff = new Backoff(deps.clock);
    this.model = new AskModel(deps, deps.clock);
    this.exclusions = new Exclusions(deps);
    this.suggester = new Suggester({
      ask: (place, extent, signal) => this.ask(place, extent, signal),
      wait: waitOnTheClock,
      pauseMs: completionSettings.pauseMs,
      ready: () => this.backoff.ready,
    });
    this.subscription = vscode.Disposable.from(
      deps.subscription,
      new vscode.Disposable(deps.models.onDidChange(() => this.anew())),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(COMPLETIONS)) return;
        this.suggester.reset();
        this.anew();
      }),
    );
  }

  dispose(): void {
    this.subscription.dispose();
    this.suggester.reset();
  }

  /** The inline suggestion for a place; `undefined` for none. Never rejects. @param asked whether the user asked for it */
  async suggest(place: Place, asked: boolean, signal: AbortSignal): Promise<Suggestion | undefined> {
    if (this.offering) return this.suggester.known(place);
    try {
      return await this.suggester.suggest(place, asked, signal);
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  /** Has something suggested at a place, unless something else is. @param show has VS Code ask for it */
  async offer(place: Place, suggestion: Suggestion, show: () => Thenable<unknown>): Promise<void> {
    if (!this.suggester.offer(place, suggestion)) return;
    this.offering = true;
    try {
      await show();
    } finally {
      this.offering = false;
    }
  }

  /**
   * The edit that a model predicts; `undefined` when there is none, or no model may be asked. Never rejects.
   * @param documents the one it is about, then those in which the user edited too
   * @param inputOf makes the model's input from the documents that it may be shown
   */
  async nextEdit(
    documents: readonly vscode.TextDocument[],
    inputOf: (shown: readonly vscode.TextDocument[]) => NextEditInput,
    signal: AbortSignal,
  ): Promise<LineReplacement | undefined> {
    try {
      const [document] = documents;
      if (document === undefined || !this.backoff.ready || this.deps.isEditedInPlace(document)) return undefined;
      const shown = await this.exclusions.shown(documents);
      this.deps.state.leaveOut(document, !shown.includes(document));
      if (!shown.includes(document) || signal.aborted) return undefined;
      const input = inputOf(shown);
      const answer = await this.model.askNext(input, signal);
      if (answer === undefined) return undefined;
      this.succeeded();
      return readAnswer(answer, input);
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  private async ask(place: Place, extent: Extent, signal: AbortSignal): Promise<string | undefined> {
    const input = await this.inputAt(place, extent);
    if (input === undefined || signal.aborted) return undefined;
    const answer = await this.model.ask(input, signal);
    this.succeeded();
    return answer;
  }

  /** The model's input; `undefined` when the document may not be shown to a model. */
  private async inputAt(place: Place, extent: Extent): Promise<CompletionInput | undefined> {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === place.document);
    if (document === undefined) return undefined;
    const shown = await this.exclusions.shown([document, ...openBeside(document)]);
    this.deps.state.leaveOut(document, !shown.includes(document));
    if (!shown.includes(document)) return undefined;
    const edits = fittingEdits(notIn(place, editedLines(this.deps.edits.all, shown)));
    const related = shown.filter((other) => other !== document).map(relatedDocument);
    this.finder.keepOnly(related.map(({ path }) => path));
    return { place, extent, edits, snippets: await this.finder.find(place.prefix, related, snippetBudget(edits)) };
  }

  private succeeded(): void {
    this.backoff.succeeded();
    this.deps.state.report(undefined);
  }

  /** Another model may be asked, and one that failed may work now. */
  private anew(): void {
    this.model.forget();
    this.backoff.succeeded();
  }

  private failed(error: unknown): void {
    if (isAbortError(error)) return;
    this.backoff.failed(error);
    this.deps.log.warn(`No suggestion was made: ${errorMessage(error)}`);
    this.deps.state.report({ text: errorMessage(error), needsKey: error instanceof ProviderError && error.kind === 'no_key' });
  }
}

/** Open documents that are looked at. */
const MAX_DOCUMENTS = 6;
/** Lines of a document from which on it is not looked at. */
const MAX_LINES = 5_000;

/** Other documents that are open in the window and may help with one: those in view first, then those of its language. */
function openBeside(document: vscode.TextDocument): readonly vscode.TextDocument[] {
  const visible = new Set(vscode.window.visibleTextEditors.map((editor) => editor.document));
  const tabs = new Set(
    vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ input }) => (input instanceof vscode.TabInputText ? input.uri.toString() : '')),
  );
  const rank = (other: vscode.TextDocument): number => (visible.has(other) ? 0 : other.languageId === document.languageId ? 1 : 2);
  const others = vscode.workspace.textDocuments.filter(
    (other) => other !== document && other.uri.scheme === 'file' && other.lineCount <= MAX_LINES && (visible.has(other) || tabs.has(other.uri.toString())),
  );
  return others.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_DOCUMENTS);
}

/** A document as parts are looked for in it. */
function relatedDocument(document: vscode.TextDocument): RelatedDocument {
  return { path: displayPath(document.uri), version: document.version, text: () => document.getText().replaceAll('\r\n', '\n') };
}

/** The lines of edits in some documents as they are now. */
function editedLines(edits: readonly RecentEdit[], documents: readonly vscode.TextDocument[]): readonly Snippet[] {
  return edits.flatMap((edit) => {
    const document = documents.find(({ uri }) => uri.toString() === edit.document);
    if (document === undefined) return [];
    const end = Math.min(edit.end, document.lineCount);
    const lines = Array.from({ length: Math.max(0, end - edit.first) }, (_, index) => document.lineAt(edit.first + index).text);
    const text = lines.join('\n');
    return text.trim() === '' ? [] : [{ path: displayPath(document.uri), text }];
  });
}

/** Builds what makes suggestions, and follows what the user edits from then on. */
export function createCompleter(deps: CompletionDeps, state: CompletionState, log: Log): Completer {
  const { edits, subscription } = followEdits();
  return new Completer({ ...deps, state, edits, subscription, clock: systemClock, log });
}

/** Follows where the user edits in this window. */
function followEdits(): { readonly edits: RecentEdits; readonly subscription: vscode.Disposable } {
  const edits = new RecentEdits();
  const subscription = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!isSuggestedIn(document)) return;
      for (const { range, text } of contentChanges) {
        const before = range.end.line - range.start.line + 1;
        edits.note({ document: document.uri.toString(), first: range.start.line, before, after: text.split('\n').length });
      }
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => edits.forget(uri.toString())),
  );
  return { edits, subscription };
}

/** Services of the rest of the extension that suggestions use. */
export interface CompletionDeps extends Showing, SuggestionModels {
  /** Whether a document is being edited in place: what changes in it then is not the user's doing. */
  readonly isEditedInPlace: (document: vscode.TextDocument) => boolean;
}
