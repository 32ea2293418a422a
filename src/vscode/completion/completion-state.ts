import * as vscode from 'vscode';
import type { NextEditControls } from './next-edit/next-edit-controls.js';
import { COMPLETIONS, completionSettings } from './completion-settings.js';

/** Longest snooze, in milliseconds: a timer runs no longer. */
const LONGEST_SNOOZE_MS = 2 ** 31 - 1;

/** Availability of suggestions in a file, with the reason where they are off. */
export type Availability = 'on' | 'off' | 'notTrusted' | 'languageOff' | 'snoozed';

/** Problem that prevents suggestions, such as a missing key, as the user sees it. */
export interface CompletionProblem {
  readonly text: string;
  /** Whether a key is what is missing. */
  readonly needsKey: boolean;
}

/** State of suggestions in this window: on, off, or snoozed, and the problem that prevents them. */
export class CompletionState implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;
  private readonly left = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private currentProblem: CompletionProblem | undefined;

  /** Commands for the predicted edit, while prediction is on. */
  nextEdits: NextEditControls | undefined;

  /** Fires when something is different. */
  readonly onDidChange = this.changed.event;

  constructor() {
    this.subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(COMPLETIONS)) return;
      this.currentProblem = undefined;
      this.changed.fire();
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    this.changed.dispose();
  }

  /** The problem that prevents suggestions; `undefined` for none. */
  get problem(): CompletionProblem | undefined {
    return this.currentProblem;
  }

  /** Whether there are suggestions in files of a language. */
  availability(language: string): Availability {
    if (!completionSettings.isOn()) return 'off';
    if (!vscode.workspace.isTrusted) return 'notTrusted';
    if (this.timer !== undefined) return 'snoozed';
    return completionSettings.isLanguageOn(language) ? 'on' : 'languageOff';
  }

  /** Makes suggestions pause for some time; for none, ends that. */
  snooze(ms: number): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (ms > 0) this.timer = setTimeout(() => this.snooze(0), Math.min(ms, LONGEST_SNOOZE_MS));
    this.changed.fire();
  }

  /** Tells what is wrong; `undefined` when nothing is any more. */
  report(problem: CompletionProblem | undefined): void {
    if (problem?.text === this.currentProblem?.text) return;
    this.currentProblem = problem;
    this.changed.fire();
  }

  /** Whether a document is left out, since it may not be shown to a model. */
  isLeftOut(document: vscode.TextDocument): boolean {
    return this.left.has(document.uri.toString());
  }

  /** Notes whether a document is left out. */
  leaveOut(document: vscode.TextDocument, out: boolean): void {
    const uri = document.uri.toString();
    if (this.left.has(uri) === out) return;
    if (out) this.left.add(uri);
    else this.left.delete(uri);
    this.changed.fire();
  }
}
