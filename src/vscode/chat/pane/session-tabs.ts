import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { mountPage } from './mount-page.js';
import type { PanelPort } from '../../../chat/pane/panel.js';
import type { Place, Places } from '../../../chat/pane/place.js';

/** Type of the editor tabs with conversations; also in the activation events of the manifest. */
export const SESSION_TAB = 'gnomon.session';

/** Valid name of a tab, which is embedded in its page. */
const TAB_NAME = /^[\w-]{1,64}$/;

/** Characters of a title that a tab shows. */
const MAX_TITLE = 40;

/** State of the conversation in a tab, shown by the icon of the tab. */
type TabLook = 'idle' | 'working' | 'waiting' | 'unread';

/** An editor tab with a conversation. */
export class SessionTab implements Place {
  private look: TabLook | undefined;
  /** A panel that is closed throws at every question. */
  private closed = false;

  constructor(
    readonly panel: vscode.WebviewPanel,
    private readonly extensionUri: vscode.Uri,
    /** Its name, by which it is known again when it comes back with the window. */
    readonly name: string,
  ) {
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

/** Services of chat tabs: page resources, the registry of open places, and the connection for each tab. */
export interface TabDeps {
  readonly extensionUri: vscode.Uri;
  readonly places: Places;
  /** Takes over a tab. @param id of the conversation to show; absent for a new one. */
  readonly connect: (tab: SessionTab, id: string | undefined) => Promise<PanelPort>;
  readonly failed: (error: unknown) => void;
}

/** The conversations in editor tabs. Their pages are shown at once; what answers them is loaded behind them. */
export class SessionTabs implements vscode.WebviewPanelSerializer {
  private readonly shown = new Set<SessionTab>();

  constructor(private readonly deps: TabDeps) {}

  /** The tab that is the active editor. */
  get active(): SessionTab | undefined {
    return [...this.shown].find(({ panel }) => panel.active);
  }

  /** Opens a tab beside what is open. @param id of the conversation to show; absent for a new one. */
  open(id: string | undefined): void {
    const column = vscode.window.tabGroups.activeTabGroup.viewColumn;
    this.take(vscode.window.createWebviewPanel(SESSION_TAB, 'Gnomon', column), { id });
  }

  /** A tab is back after a reload; its page stored which conversation it showed. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    this.take(panel, { id: storedText(state, 'session'), name: storedText(state, 'tab') });
    return Promise.resolve();
  }

  private take(panel: vscode.WebviewPanel, { id, name = randomUUID() }: { readonly id: string | undefined; readonly name?: string | undefined }): void {
    const { extensionUri, places, connect, failed } = this.deps;
    const tab = new SessionTab(panel, extensionUri, TAB_NAME.test(name) ? name : randomUUID());
    this.shown.add(tab);
    tab.show(panel.title, 'idle');
    const page = mountPage(panel.webview, { extensionUri, connect: () => connect(tab, id), failed, tab: tab.name });
    if (panel.active) places.activate(tab);
    panel.onDidChangeViewState(() => {
      if (panel.active) places.activate(tab);
      places.moved();
    });
    panel.onDidDispose(() => {
      this.shown.delete(tab);
      places.remove(tab);
      page.dispose();
    });
  }
}

/** Reads a string from the saved state of a page, which is not trusted. */
function storedText(state: unknown, name: 'session' | 'tab'): string | undefined {
  const value: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, name) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
