import * as vscode from 'vscode';
import { t } from '../../../domain/l10n.js';
import { mountPage } from './mount-page.js';
import type { PanelPort } from '../../../chat/pane/panel.js';
import { type Place, introduce, isWanted } from '../../../chat/pane/place.js';
import type { ViewTitle } from '../../../chat/pane/view-title.js';

/** Id of the chat view in the manifest. */
export const CHAT_VIEW = 'gnomon.chat';

/** Takes over a webview that VS Code opened; called each time the view is made anew. */
export type ConnectPanel = (webview: vscode.Webview) => Promise<PanelPort>;

/** Services of the sidebar view: its page resources, and the connection that loads the rest of the extension. */
export interface ChatViewDeps {
  readonly extensionUri: vscode.Uri;
  readonly connect: ConnectPanel;
  readonly failed: (error: unknown) => void;
  /** Called when the view came into view or went out of it. */
  readonly moved: () => void;
}

/** The chat in the sidebar. The page is shown at once; what answers it is loaded behind it. */
export class ChatViewProvider implements vscode.WebviewViewProvider, Place {
  private view: vscode.WebviewView | undefined;
  private badge: vscode.ViewBadge | undefined;
  private title: string | undefined;
  private description: string | undefined;

  constructor(private readonly deps: ChatViewDeps) {}

  get visible(): boolean {
    return this.view?.visible === true;
  }

  /** Shows the view in a window that was opened for that, and when Gnomon is there for the first time: then it leaves the focus where it is. */
  async introduce(memory: vscode.Memento): Promise<void> {
    if (await isWanted(memory, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath)) return this.reveal();
    const startup = vscode.workspace.getConfiguration('workbench').get('startupEditor');
    return introduce(memory, startup, () => vscode.commands.executeCommand(`${CHAT_VIEW}.focus`, { preserveFocus: true }));
  }

  async reveal(): Promise<void> {
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
  }

  /** Shows at the icon of the chat how many calls wait for the user, in all conversations, as the status bar does. */
  showWaiting(calls: number): void {
    const tooltip = calls === 1 ? t('1 request needs your attention') : t('{0} requests need your attention', calls);
    this.badge = calls === 0 ? undefined : { value: calls, tooltip };
    if (this.view !== undefined) this.view.badge = this.badge;
  }

  /** Shows what the view is about in its title, and what happens there beside it. VS Code puts the name of the container in front. */
  show({ title, description }: ViewTitle): void {
    if (title === this.title && description === this.description) return;
    this.title = title;
    this.description = description;
    if (this.view !== undefined) Object.assign(this.view, { title, description });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { extensionUri, connect, failed, moved } = this.deps;
    this.view = view;
    view.badge = this.badge;
    if (this.title !== undefined) Object.assign(view, { title: this.title, description: this.description });
    const page = mountPage(view.webview, { extensionUri, connect: () => connect(view.webview), failed });
    view.onDidChangeVisibility(moved);
    view.onDidDispose(() => {
      if (this.view === view) this.view = undefined;
      page.dispose();
    });
  }
}
