import * as vscode from 'vscode';
import { panelHtml } from './panel-html.js';

/** Id of the chat view in the manifest. */
export const CHAT_VIEW = 'gnomon.chat';

/** What answers a page. */
export interface PanelPort {
  /** Takes a message of the page, not yet checked. */
  receive(raw: unknown): void;
  /** Ends all work for the page. */
  dispose(): void;
}

/** Takes over a webview that VS Code opened; called each time the view is made anew. */
export type ConnectPanel = (webview: vscode.Webview) => Promise<PanelPort>;

/** The chat in the sidebar. The page is shown at once; what answers it is loaded behind it. */
export class ChatViewProvider implements vscode.WebviewViewProvider {
  private readonly extensionUri: vscode.Uri;
  private readonly connect: ConnectPanel;
  private readonly failed: (error: unknown) => void;
  private view: vscode.WebviewView | undefined;

  constructor(extensionUri: vscode.Uri, connect: ConnectPanel, failed: (error: unknown) => void) {
    this.extensionUri = extensionUri;
    this.connect = connect;
    this.failed = failed;
  }

  /** Whether the person sees the chat. */
  get visible(): boolean {
    return this.view?.visible === true;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const connected = this.connect(view.webview);
    view.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview')],
    };
    view.webview.html = panelHtml(view.webview, this.extensionUri);
    // What the page says before its answerer is loaded waits in the promise, in order.
    view.webview.onDidReceiveMessage((raw: unknown) => {
      connected.then((port) => port.receive(raw)).catch(this.failed);
    });
    view.onDidDispose(() => {
      if (this.view === view) this.view = undefined;
      connected.then((port) => port.dispose()).catch(this.failed);
    });
  }
}
