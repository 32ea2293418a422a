import * as vscode from 'vscode';
import { panelHtml } from '../panel-html.js';

/** What answers a page. */
export interface PanelPort {
  /** Takes a message of the page, not yet checked. */
  receive(raw: unknown): void;
  /** Ends all work for the page. */
  dispose(): void;
}

/** What {@link mountPage} is given. */
export interface PageParts {
  readonly extensionUri: vscode.Uri;
  /** What will answer the page. */
  readonly port: Promise<PanelPort>;
  readonly failed: (error: unknown) => void;
  /** Name of the editor tab. */
  readonly tab?: string;
}

/** Shows the page of the chat in a webview at once; what it says before its answerer is loaded waits, in order. */
export function mountPage(webview: vscode.Webview, { extensionUri, port, failed, tab }: PageParts): void {
  webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')] };
  webview.html = panelHtml(webview, extensionUri, tab);
  webview.onDidReceiveMessage((raw: unknown) => {
    port.then((answerer) => answerer.receive(raw)).catch(failed);
  });
}
