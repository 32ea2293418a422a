import * as vscode from 'vscode';
import { textsInUse } from '../../../domain/l10n.js';
import { panelPage } from '../../../chat/pane/panel-page.js';

/** Names of the files that the script of the page imports; the build puts them here. */
declare const PANEL_IMPORTS: readonly string[];

/** The page of a chat panel in a webview of VS Code. @param tab name of the editor tab that it is in. */
export function panelHtml(webview: vscode.Webview, extensionUri: vscode.Uri, tab?: string): string {
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString();
  const texts = textsInUse();
  return panelPage({
    source: webview.cspSource,
    file,
    imports: PANEL_IMPORTS,
    ...(tab === undefined ? {} : { tab }),
    ...(texts === undefined ? {} : { texts }),
  });
}
