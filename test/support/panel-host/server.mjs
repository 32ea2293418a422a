/**
 * Serves the production bundle of the chat panel in a page of its own, with a stand-in for VS Code and the host.
 *
 *     const host = await startPanelHost();                 // needs dist/webview, made by `npm run build`
 *     await page.goto(host.url({ theme: 'light' }));
 *     await page.evaluate(() => panelHost.scene('conversation'));
 *     const figures = await page.evaluate(() => panelHost.stream({ shape: 'list' }));
 *     await host.close();
 *
 * What `panelHost` can do is written in `page.ts`, the scenes are in `scenarios.ts`, the shapes of text in `texts.ts`.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
/** @type {Readonly<Record<string, string>>} */
const TYPES = { '.js': 'text/javascript', '.css': 'text/css' };

/**
 * What a page is made with.
 * @typedef {object} PageOptions
 * @property {'dark' | 'light' | 'high-contrast' | 'high-contrast-light'} [theme]
 * @property {string} [language]
 * @property {string} [texts] translations that the host puts into the page, as JSON or what should be; none unless given
 */

/**
 * A running server.
 * @typedef {object} PanelHostServer
 * @property {(options?: PageOptions) => string} url address of a page; the same for the same options
 * @property {string} emptyUrl address of a page with nothing in it, at the same origin
 * @property {() => Promise<void>} close
 */

/**
 * Starts the server on a free port of the loopback interface.
 * @param {{ dist?: string, kept?: boolean }} [options] `dist` is the folder of the bundle; `dist/webview` of the repository unless given;
 *   `kept` says that it does not change, so that a browser loads it once
 * @returns {Promise<PanelHostServer>}
 */
export async function startPanelHost({ dist = join(here, '../../../dist/webview'), kept = false } = {}) {
  const [stub, panelPage] = await Promise.all([bundleStub(), loadPanelPage()]);
  /** Translations of pages, by their places in it: they are too long for an address. @type {string[]} */
  const translations = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const translation = { language: searchParams.get('language') ?? 'en', texts: translations[Number(searchParams.get('texts') ?? -1)] };
    answer(pathname, { dist: resolve(dist), stub, html: () => html(panelPage, translation) }).then(
      ({ type, body }) => response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': kept ? 'max-age=3600' : 'no-store' }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    emptyUrl: `http://127.0.0.1:${port}/empty`,
    url: ({ theme = 'dark', language = 'en', texts } = {}) => {
      if (texts !== undefined && !translations.includes(texts)) translations.push(texts);
      const translation = texts === undefined ? '' : `&language=${language}&texts=${translations.indexOf(texts)}`;
      return `http://127.0.0.1:${port}/?theme=${theme}${translation}`;
    },
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  };
}

/** @typedef {typeof import('../../../src/chat/pane/panel-page.js').panelPage} PanelPage */

/**
 * The function of the extension that makes the page: what is tested is what is shipped.
 * @returns {Promise<PanelPage>}
 */
async function loadPanelPage() {
  const entry = join(here, '../../../src/chat/pane/panel-page.ts');
  const result = await build({ entryPoints: [entry], bundle: true, format: 'esm', platform: 'node', write: false, target: 'node20' });
  const code = Buffer.from(result.outputFiles[0]?.contents ?? []).toString('base64');
  /** @type {{ panelPage: PanelPage }} */
  const module = await import(`data:text/javascript;base64,${code}`);
  return module.panelPage;
}

async function bundleStub() {
  const result = await build({ entryPoints: [join(here, 'page.ts')], bundle: true, format: 'iife', write: false, target: 'chrome138' });
  return result.outputFiles[0]?.text ?? '';
}

/**
 * @param {string} path
 * @param {{ dist: string, stub: string, html: () => string }} content
 * @returns {Promise<{ type: string, body: string | Buffer }>}
 */
async function answer(path, { dist, stub, html: page }) {
  if (path === '/') return { type: 'text/html', body: page() };
  if (path === '/empty') return { type: 'text/html', body: '' };
  if (path === '/stub.js') return { type: 'text/javascript', body: stub };
  const file = resolve(dist, `.${path}`);
  if (!file.startsWith(dist)) throw new Error('outside of the bundle');
  return { type: TYPES[extname(file)] ?? 'application/octet-stream', body: await readFile(file) };
}

/**
 * The page that the extension makes, with the stand-in in front of the panel's script.
 * @param {PanelPage} panelPage
 * @param {{ language: string, texts: string | undefined }} translation
 */
function html(panelPage, { language, texts }) {
  const page = panelPage({ source: "'self'", file: (name) => `/${name}` });
  const nonce = /nonce="([^"]+)"/.exec(page)?.[1] ?? '';
  // The browser asks for an icon by itself unless it is told that there is none.
  const whole = page.replace('<link ', '<link rel="icon" href="data:,">\n$&').replace('<script ', `<script nonce="${nonce}" src="/stub.js"></script>\n$&`);
  if (texts === undefined) return whole;
  const attribute = texts.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return whole.replace(/<html lang="[^"]*"/, `<html lang="${language}"`).replace(/<div id="app"[^>]*>/, () => `<div id="app" data-texts="${attribute}">`);
}
