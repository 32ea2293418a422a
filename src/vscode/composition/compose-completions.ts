import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { Completer } from '../completion/completer.js';
import { registerCompletionCommands } from '../completion/completion-commands.js';
import { completionSettings } from '../completion/completion-settings.js';
import { CompletionState } from '../completion/completion-state.js';
import { CompletionStatusItem } from '../completion/status-item.js';
import type { Runtime } from './runtime.js';

/** The rest of the extension, which is loaded with the first suggestion, and the log. */
interface Deps {
  readonly load: () => Promise<Runtime>;
  readonly log: Log;
}

/**
 * Registers inline suggestions, which are off by default. The provider is loaded once they are on, the implementation with
 * the first suggestion.
 */
export function composeCompletions(load: () => Promise<Runtime>, log: Log): vscode.Disposable {
  const state = new CompletionState();
  let running: Suggestions | undefined;
  const follow = (): void => {
    if (completionSettings.isOn() === (running !== undefined)) return;
    running?.dispose();
    running = completionSettings.isOn() ? new Suggestions(state, { load, log }) : undefined;
  };
  follow();
  const commands = registerCompletionCommands(state, async (current) => {
    const [{ models }, { pickModel }] = await Promise.all([load(), import('../commands/pick-model.js')]);
    return pickModel(models, current, t('Select a model for inline suggestions'));
  });
  const stop = new vscode.Disposable(() => running?.dispose());
  return vscode.Disposable.from(stop, commands, state.onDidChange(follow), new CompletionStatusItem(state), state);
}

/** Suggestions while they are switched on. */
class Suggestions implements vscode.Disposable {
  private surfaces: vscode.Disposable | undefined;
  private loading: Promise<Completer> | undefined;
  private disposed = false;

  constructor(
    private readonly state: CompletionState,
    private readonly deps: Deps,
  ) {
    this.register().catch((error: unknown) => deps.log.error('Suggestions could not be started', error));
  }

  dispose(): void {
    this.disposed = true;
    this.surfaces?.dispose();
    this.loading?.then((made) => made.dispose()).catch(() => undefined); // What could not be loaded was reported when it was asked for.
  }

  private async register(): Promise<void> {
    const [{ registerInlineProvider }, { switchNextEdits }] = await Promise.all([
      import('../completion/inline-provider.js'),
      import('../completion/next-edit/next-edit-switch.js'),
    ]);
    if (this.disposed) return;
    const deps = { state: this.state, completer: () => this.completer(), log: this.deps.log };
    this.surfaces = vscode.Disposable.from(registerInlineProvider(deps), switchNextEdits(deps));
  }

  /** After a failure the next call tries again. */
  private completer(): Promise<Completer> {
    this.loading ??= this.create().catch((error: unknown) => {
      this.loading = undefined;
      this.deps.log.error('Suggestions could not be started', error);
      this.state.report({ text: t('Gnomon failed to start. See the log for details.'), needsKey: false });
      throw error;
    });
    return this.loading;
  }

  private async create(): Promise<Completer> {
    const { load, log } = this.deps;
    const [runtime, { createCompleter }] = await Promise.all([load(), import('../completion/completer.js')]);
    return createCompleter(runtime.completion, this.state, log);
  }
}
