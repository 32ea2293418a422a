import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/**
 * The page of a chat panel: no inline script or style, nothing from any other origin.
 *
 * Scripts need the fresh 128-bit nonce or come from the extension's own folder (the chunks that the first one imports).
 */
export function panelHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(webview.cspSource, nonce)}">
<title>Gnomon</title>
<link rel="stylesheet" href="${file('main.css')}">
</head>
<body>
<div id="app"></div>
<script type="module" nonce="${nonce}" src="${file('main.js')}"></script>
</body>
</html>`;
}

function contentSecurityPolicy(source: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${source}`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source} data:`,
    "connect-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
