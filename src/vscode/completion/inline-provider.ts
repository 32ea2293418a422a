import * as vscode from 'vscode';
import { displayPath } from '../mentions/workspace-paths.js';
import type { Completer } from './completer.js';
import type { CompletionState } from './completion-state.js';
import { placeAt } from '../../completion/place.js';
import { isTooLarge, SUGGESTED_SCHEMES } from './exclusions.js';

/** The state of suggestions, such as on or off, and the completer, which is loaded on the first request. */
export interface InlineProviderDeps {
  readonly state: CompletionState;
  /** The implementation of suggestions, loaded with the first request. */
  readonly completer: () => Promise<Pick<Completer, 'suggest'>>;
}

/** Lets VS Code ask for suggestions as a user types. */
export function registerInlineProvider(deps: InlineProviderDeps): vscode.Disposable {
  const selector = SUGGESTED_SCHEMES.map((scheme) => ({ scheme }));
  return vscode.languages.registerInlineCompletionItemProvider(selector, {
    provideInlineCompletionItems: (document, position, context, token) => provide(deps, document, { position, context, token }),
  });
}

interface Asked {
  readonly position: vscode.Position;
  readonly context: vscode.InlineCompletionContext;
  readonly token: vscode.CancellationToken;
}

async function provide(
  { state, completer }: InlineProviderDeps,
  document: vscode.TextDocument,
  { position, context, token }: Asked,
): Promise<vscode.InlineCompletionItem[]> {
  const asked = context.triggerKind === vscode.InlineCompletionTriggerKind.Invoke;
  if (!isWanted(state, document, asked)) return [];
  const { selectedCompletionInfo: selected } = context;
  const path = document.uri.scheme === 'file' ? displayPath(document.uri) : document.uri.path;
  const place = placeAt(document, { position, selected, path });
  const suggestion = await (await completer()).suggest(place, asked, signalOf(token));
  if (suggestion === undefined || token.isCancellationRequested) return [];
  const start = selected?.range.start ?? position;
  const end = selected?.range.end ?? position;
  const range = new vscode.Range(start, end.translate(0, suggestion.replaces));
  return [new vscode.InlineCompletionItem((selected?.text ?? '') + suggestion.text, range)];
}

/** In a snooze there is nothing unless the user asks for it. */
function isWanted(state: CompletionState, document: vscode.TextDocument, asked: boolean): boolean {
  const availability = state.availability(document.languageId);
  return (availability === 'on' || (asked && availability === 'snoozed')) && !isTooLarge(document);
}

function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
