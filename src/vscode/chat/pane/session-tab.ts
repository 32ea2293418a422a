import * as vscode from 'vscode';
import type { Place } from '../../../chat/pane/place.js';

/** Characters of a title that a tab shows. */
const MAX_TITLE = 40;

/** What the conversation in a tab does, for the picture beside its title. */
export type TabLook = 'idle' | 'working' | 'waiting' | 'unread';

/** An editor tab with a conversation. */
export class SessionTab implements Place {
  readonly panel: vscode.WebviewPanel;
  /** Its name, by which it is known again when it comes back with the window. */
  readonly name: string;
  private readonly extensionUri: vscode.Uri;
  private look: TabLook | undefined;
  /** A panel that is closed throws at every question. */
  private closed = false;

  constructor(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, name: string) {
    this.panel = panel;
    this.name = name;
    this.extensionUri = extensionUri;
    panel.onDidDispose(() => (this.closed = true));
  }

  get visible(): boolean {
    return !this.closed && this.panel.visible;
  }

  reveal(): Promise<void> {
    if (!this.closed) this.panel.reveal();
    return Promise.resolve();
  }

  /** Shows the title of the conversation and what it does. */
  show(title: string, look: TabLook): void {
    if (this.closed) return;
    const short = title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE).trimEnd()}…` : title;
    if (this.panel.title !== short) this.panel.title = short;
    if (this.look === look) return;
    this.look = look;
    const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(this.extensionUri, 'media', 'tab', `${look}-${theme}.svg`);
    this.panel.iconPath = { light: icon('light'), dark: icon('dark') };
  }

  /** Closes the tab. */
  close(): void {
    this.panel.dispose();
  }
}
