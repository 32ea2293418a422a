import * as vscode from 'vscode';
import type { Log } from '../domain/log.js';
import type { Completer } from './completion/completer.js';
import { registerCompletionCommands } from './completion/completion-commands.js';
import { completionSettings } from './completion/completion-settings.js';
import { CompletionState } from './completion/completion-state.js';
import { registerInlineProvider } from './completion/inline-provider.js';
import { CompletionStatusItem } from './completion/status-item.js';
import type { Runtime } from './runtime.js';

/** Registers suggestions as one types: off until they are switched on. What makes them is loaded with the first that is asked for. */
export function composeCompletions(load: () => Promise<Runtime>, log: Log): vscode.Disposable {
  const state = new CompletionState();
  let running: { readonly stop: () => void } | undefined;
  const follow = (): void => {
    if (completionSettings.isOn() === (running !== undefined)) return;
    running?.stop();
    running = completionSettings.isOn() ? start(state, load, log) : undefined;
  };
  follow();
  const commands = registerCompletionCommands(state, async (current) => (await load()).pickSuggestionModel(current));
  const stop = new vscode.Disposable(() => running?.stop());
  return vscode.Disposable.from(stop, commands, state.onDidChange(follow), new CompletionStatusItem(state), state);
}

function start(state: CompletionState, load: () => Promise<Runtime>, log: Log): { readonly stop: () => void } {
  let loading: Promise<Completer> | undefined;
  const completer = (): Promise<Completer> => (loading ??= create(state, load, log));
  const provider = registerInlineProvider({ state, completer });
  return {
    stop: () => {
      provider.dispose();
      void loading?.then((made) => made.dispose());
    },
  };
}

async function create(state: CompletionState, load: () => Promise<Runtime>, log: Log): Promise<Completer> {
  const [runtime, { createCompleter }] = await Promise.all([load(), import('./completion/create-completer.js')]);
  return createCompleter(runtime.completionPorts, state, log);
}
