import { present } from '../../../domain/present.js';
import * as vscode from 'vscode';
import { panelPage } from '../../../chat/pane/panel-page.js';
import type { PanelPort } from '../../../chat/pane/panel.js';
import { textsInUse } from '../../../domain/l10n.js';

/** The resources of a page, and the connection that answers it once the extension is loaded. */
export interface PageDeps {
  readonly extensionUri: vscode.Uri;
  /** Loads what answers the page. */
  readonly connect: () => Promise<PanelPort>;
  readonly failed: (error: unknown) => void;
  /** Name of the editor tab. */
  readonly tab?: string;
}

/** Names of the files that the script of the page imports; the build puts them here. */
declare const PANEL_IMPORTS: readonly string[];

/** The page of a chat panel in a webview of VS Code. @param tab name of the editor tab that it is in. */
function panelHtml(webview: vscode.Webview, extensionUri: vscode.Uri, tab?: string): string {
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString();
  const texts = textsInUse();
  return panelPage({ source: webview.cspSource, file, imports: PANEL_IMPORTS, ...present({ tab, texts }) });
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
