import * as vscode from 'vscode';
import type { PanelPort } from '../../../chat/pane/panel.js';
import { panelHtml } from './panel-html.js';

/** Dependencies of {@link mountPage}. */
export interface PageDeps {
  readonly extensionUri: vscode.Uri;
  /** Loads what answers the page. */
  readonly connect: () => Promise<PanelPort>;
  readonly failed: (error: unknown) => void;
  /** Name of the editor tab. */
  readonly tab?: string;
}

/**
 * Shows the page of the chat in a webview at once. What answers it is loaded when it says its first word, so that the page
 * is drawn first; what it says until then waits, in order. Returns what ends all work for the page.
 */
export function mountPage(webview: vscode.Webview, { extensionUri, connect, failed, tab }: PageDeps): vscode.Disposable {
  webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')] };
  webview.html = panelHtml(webview, extensionUri, tab);
  let port: Promise<PanelPort> | undefined;
  const listening = webview.onDidReceiveMessage((raw: unknown) => {
    port ??= connect();
    port.then((answerer) => answerer.receive(raw)).catch(failed);
  });
  return {
    dispose: () => {
      listening.dispose();
      port?.then((answerer) => answerer.dispose()).catch(failed);
    },
  };
}
