import { describe, expect, test } from 'vitest';
import { panelPage } from '../../../../src/chat/pane/panel-page.js';

const SOURCE = 'https://*.vscode-cdn.net';
const shipped = (): string => panelPage({ source: SOURCE, file: (name) => `https://file+.vscode-resource.vscode-cdn.net/x/dist/webview/${name}` });

/** The elements of a page: names and attributes of its opening tags, in order. */
function elements(html: string): readonly { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[] {
  return Array.from(html.matchAll(/<([a-z]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/g), ([, name = '', attributes = '']) => ({
    name,
    attributes: Object.fromEntries(Array.from(attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/g), ([, key = '', value = '']) => [key, value])),
  }));
}

function named(html: string, name: string): readonly Readonly<Record<string, string>>[] {
  return elements(html).flatMap((element) => (element.name === name ? [element.attributes] : []));
}

/** The directives of the page's policy with their sources. */
function policy(html: string): ReadonlyMap<string, readonly string[]> {
  const metas = named(html, 'meta').filter((meta) => meta['http-equiv'] === 'Content-Security-Policy');
  expect(metas).toHaveLength(1);
  const directives = (metas[0]?.['content'] ?? '').split(';').map((directive) => directive.trim().split(/\s+/));
  expect(new Set(directives.map(([name]) => name)).size).toBe(directives.length);
  return new Map(directives.map(([name = '', ...sources]) => [name, sources]));
}

describe('view-07 the shipped page', () => {
  test('nothing is allowed that is not named, and nothing is connected, framed, based or submitted', () => {
    const directives = policy(shipped());
    for (const name of ['default-src', 'connect-src', 'frame-src', 'base-uri', 'form-action']) expect(directives.get(name), name).toEqual(["'none'"]);
  });

  test('no script or style is inline, evaluated or from elsewhere; no image is from the web', () => {
    const html = shipped();
    const directives = policy(html);
    const nonce = named(html, 'script')[0]?.['nonce'] ?? '';
    expect(directives.get('script-src')).toEqual([`'nonce-${nonce}'`, SOURCE]);
    expect(directives.get('style-src')).toEqual([SOURCE]);
    expect(directives.get('font-src')).toEqual([SOURCE]);
    // Images that the person attached, made by the page itself.
    expect(directives.get('img-src')).toEqual([SOURCE, 'blob:']);
    for (const [name, sources] of directives) {
      const forbidden =
        name === 'img-src' ? /^(?:'unsafe-.*'|'strict-dynamic'|https?:|wss?:|\*|data:)$/ : /^(?:'unsafe-.*'|'strict-dynamic'|https?:|wss?:|\*|data:|blob:)$/;
      for (const source of sources) expect(source, name).not.toMatch(forbidden);
    }
  });

  test('every script has the nonce and a file, and nothing else is in the page', () => {
    const html = shipped();
    expect(elements(html).map(({ name }) => name)).toEqual(['html', 'head', 'meta', 'meta', 'meta', 'title', 'link', 'body', 'div', 'script']);
    expect(html).not.toMatch(/<style|\son[a-z]+=|\sstyle=|javascript:/i);
    expect(html).toMatch(/<script [^>]*><\/script>/);
    for (const script of named(html, 'script'))
      expect(script).toMatchObject({
        type: 'module',
        nonce: expect.stringMatching(/./) as string,
        src: expect.stringMatching(/\/dist\/webview\/main\.js$/) as string,
      });
  });

  test('what its script imports comes along with it', () => {
    const html = panelPage({ source: SOURCE, file: (name) => `https://x.test/${name}`, imports: ['chunks/a-1.js', 'chunks/b-2.js'] });
    expect(
      named(html, 'link')
        .filter(({ rel }) => rel === 'modulepreload')
        .map(({ href }) => href),
    ).toEqual(['https://x.test/chunks/a-1.js', 'https://x.test/chunks/b-2.js']);
  });

  test('the nonce is fresh and of at least 128 bits', () => {
    const nonces = Array.from({ length: 100 }, () => named(shipped(), 'script')[0]?.['nonce'] ?? '');
    expect(new Set(nonces).size).toBe(nonces.length);
    for (const nonce of nonces) expect(Buffer.from(nonce, 'base64url').length).toBeGreaterThanOrEqual(16);
    for (const nonce of nonces) expect(nonce).toMatch(/^[\w-]{22,}$/);
  });

  test('no development server is named', () => {
    const addresses = shipped().match(/\b(?:https?|wss?):\/\/[^"'\s;]+/g) ?? [];
    expect(addresses.filter((address) => !/^https:\/\/(?:\*|file\+\.vscode-resource)\.vscode-cdn\.net(?:\/|$)/.test(address))).toEqual([]);
    expect(shipped()).not.toMatch(/localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0/);
  });

  test('English needs no texts; those of another language are data, whatever they say', () => {
    expect(named(shipped(), 'html')).toEqual([{ lang: 'en' }]);
    expect(named(shipped(), 'div')).toEqual([{ id: 'app' }]);
    const entries = { 'Say “{0}”': `"><script>alert('1')</script> &quot; <b> > & \n ü` };
    const html = panelPage({ source: SOURCE, file: (name) => name, texts: { language: 'de', entries } });
    expect(named(html, 'html')).toEqual([{ lang: 'de' }]);
    expect(elements(html).map(({ name }) => name)).toEqual(elements(shipped()).map(({ name }) => name));
    const written = named(html, 'div')[0]?.['data-texts'] ?? '';
    const read = written.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    expect(JSON.parse(read)).toEqual(entries);
  });
});
