import { randomBytes } from 'node:crypto';
import type { TextsInUse } from '../../domain/l10n.js';

/** Random bytes of the word that a page knows its own scripts by. */
const NONCE_BYTES = 16;

/** Where the page of a chat panel gets its files. */
export interface PanelFiles {
  /** The origin of the panel's own files, as a source of a content security policy. */
  readonly source: string;
  /** Address of one of those files by its name. */
  readonly file: (name: string) => string;
  /** Names of the files that the script of the page imports, which the browser gets along with it. */
  readonly imports?: readonly string[];
  /** Name of the editor tab that the page is in; it consists of letters, digits, `-` and `_`. */
  readonly tab?: string;
  /** The language of the page; English when absent. */
  readonly texts?: TextsInUse;
}

/**
 * The page of a chat panel: no inline script or style, nothing from any other origin.
 *
 * Scripts need the nonce, fresh for every page, or come from the extension's own folder (the chunks that the first one imports).
 */
export function panelPage({ source, file, imports = [], tab, texts }: PanelFiles): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const preloads = imports.map((name) => `\n<link rel="modulepreload" href="${file(name)}">`);
  return `<!DOCTYPE html>
<html lang="${quotable(texts?.language ?? 'en')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(source, nonce)}">
<title>Gnomon</title>
<link rel="stylesheet" href="${file('main.css')}">${preloads.join('')}
</head>
<body${tab === undefined ? '' : ` data-tab="${tab}"`}>
<div id="app"${texts === undefined ? '' : ` data-texts="${quotable(JSON.stringify(texts.entries))}"`}></div>
<script type="module" nonce="${nonce}" src="${file('main.js')}"></script>
</body>
</html>`;
}

/** Escapes a text for an attribute. */
function quotable(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function contentSecurityPolicy(source: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${source}`,
    `style-src ${source}`,
    `font-src ${source}`,
    // Images that the user attached are made by the page itself.
    `img-src ${source} blob:`,
    "connect-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
