import * as vscode from 'vscode';
import { COMPLETIONS, completionSettings } from '../completion-settings.js';
import type { NextEditDeps, NextEdits as Running } from './next-edits.js';

/** Predicts next edits while the settings say so; the implementation is loaded then. */
export function switchNextEdits(deps: NextEditDeps): vscode.Disposable {
  let running: Running | undefined;
  let disposed = false;
  const isWanted = (): boolean => !disposed && completionSettings.hasNextEdits();
  const follow = async (): Promise<void> => {
    if (isWanted() === (running !== undefined)) return;
    running?.dispose();
    running = undefined;
    if (!isWanted()) return;
    const { NextEdits } = await import('./next-edits.js');
    // The settings may have changed meanwhile.
    if (isWanted()) running ??= new NextEdits(deps);
  };
  const followed = (): void => void follow().catch((error: unknown) => deps.log.error('Next edits could not be started', error));
  followed();
  const watching = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(COMPLETIONS)) followed();
  });
  return new vscode.Disposable(() => {
    disposed = true;
    watching.dispose();
    running?.dispose();
  });
}
