import * as vscode from 'vscode';
import type { ViewActivity } from '../../protocol/view-state.js';

const LOOKS: Readonly<Record<ViewActivity, { readonly text: string; readonly tooltip: string }>> = {
  idle: { text: '$(comment-discussion) Gnomon', tooltip: 'Gnomon is ready. Open the chat.' },
  running: { text: '$(loading~spin) Gnomon', tooltip: 'Gnomon is working. Open the chat.' },
  waiting: { text: '$(bell-dot) Gnomon', tooltip: 'Gnomon waits for your permission. Open the chat.' },
};

/** What the conversation is doing, in the status bar; a click opens the chat. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('gnomon.status', vscode.StatusBarAlignment.Right, 100);
  private activity: ViewActivity | undefined;

  constructor() {
    this.item.name = 'Gnomon';
    this.item.command = 'gnomon.focusChat';
    this.show('idle');
    this.item.show();
  }

  /** Shows a state and makes it known to `when` clauses as `gnomon.running`. */
  show(activity: ViewActivity): void {
    if (activity === this.activity) return;
    this.activity = activity;
    const { text, tooltip } = LOOKS[activity];
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: tooltip, role: 'button' };
    this.item.backgroundColor = activity === 'waiting' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    void vscode.commands.executeCommand('setContext', 'gnomon.running', activity !== 'idle');
  }

  dispose(): void {
    this.item.dispose();
  }
}
