import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { ViewActivity } from '../../protocol/view-state.js';

interface Look {
  readonly text: string;
  readonly tooltip: string;
}

const LOOKS: Readonly<Record<ViewActivity, () => Look>> = {
  idle: () => ({ text: '$(comment-discussion) Gnomon', tooltip: t('Gnomon is ready. Open the chat.') }),
  running: () => ({ text: '$(loading~spin) Gnomon', tooltip: t('Gnomon is working. Open the chat.') }),
  waiting: () => ({ text: '$(bell-dot) Gnomon', tooltip: t('Gnomon is waiting for your permission. Open the chat.') }),
};

/** Status bar item: the state of the conversation and the number of pending approvals; a click opens it. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('gnomon.status', vscode.StatusBarAlignment.Right, 100);
  private activity: ViewActivity | undefined;
  private waiting = 0;

  constructor() {
    this.item.name = 'Gnomon';
    this.show('idle');
    this.item.show();
  }

  /** Shows a state. */
  show(activity: ViewActivity): void {
    if (activity === this.activity) return;
    this.activity = activity;
    this.draw(activity);
  }

  /** Shows how many calls wait for the user, in all conversations. */
  count(waiting: number): void {
    if (waiting === this.waiting) return;
    this.waiting = waiting;
    this.draw(this.activity ?? 'idle');
  }

  dispose(): void {
    this.item.dispose();
  }

  private draw(activity: ViewActivity): void {
    const { text, tooltip } = this.waiting > 0 ? waitingLook(this.waiting) : LOOKS[activity]();
    const attention = this.waiting > 0 || activity === 'waiting';
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: tooltip, role: 'button' };
    this.item.backgroundColor = attention ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.command = this.waiting > 0 ? 'gnomon.showNextApproval' : 'gnomon.focusChat';
  }
}

function waitingLook(waiting: number): Look {
  const text = `$(bell-dot) ${t('Gnomon needs you ({0})', waiting)}`;
  const tooltip =
    waiting === 1
      ? t('1 Gnomon request needs your attention. Go to the request.')
      : t('{0} Gnomon requests need your attention. Go to the next request.', waiting);
  return { text, tooltip };
}
