import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from '../../../../src/tool/html/html-markdown.js';
import { htmlPieces } from '../../../../src/tool/html/html-pieces.js';
import { hardPage, HTML_PIECES } from '../../../support/worst-inputs.js';

const { signal } = new AbortController();
const ALL = 100_000_000;
const markdown = async (html: string): Promise<string> => (await htmlToMarkdown(html, 'https://site.example/docs/page', ALL, signal)).text;

describe('a page as Markdown', () => {
  it.each([
    ['headings and paragraphs', '<h1>One</h1><p>two<p>three</p><div>four</div>five', '# One\n\ntwo\n\nthree\n\nfour\n\nfive'],
    ['emphasis', 'a <b>bold</b>, <em>soft</em>, <del>gone</del>, <code>x_y</code>', 'a **bold**, *soft*, ~~gone~~, `x_y`'],
    ['lists', '<ul><li>a<ul><li>b</ul><li>c</ul><ol><li>d</ol>', '-   a\n    -   b\n-   c\n\n1.  d'],
    ['code', '<pre class=x><code><span>if (a &lt; b)\n\n\n  <b>c</b>;</span></code></pre>', '```\nif (a < b)\n\n\n  c;\n```'],
    ['code of lines', '<pre><div>a</div><div>b</div></pre>', '```\na\nb\n```'],
    ['tables', '<table><thead><tr><th>A<th>B</thead><tr><td>1<p>x</p><td>2|3</table>', '| A | B |\n| --- | --- |\n| 1 x | 2\\|3 |'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n> \n> b'],
    ['entities', '<p>&lt;b&gt; &amp;amp; &nbsp;&eacute;</p>', '<b> &amp; \u00a0é'],
    ['text that looks like Markdown', '<p>*a* [b](c) # d</p>', '\\*a\\* \\[b\\](c) # d'],
    ['a lone <', '<p>1 < 2 <3</p>', '1 < 2 <3'],
    ['nothing', '', ''],
  ])('%s', async (_, html, expected) => {
    expect(await markdown(html)).toBe(expected);
  });

  it('links are whole, and only those of the web', async () => {
    expect(await markdown('<a href="../a?b=1&amp;c=(2)">x</a> <a href=//other.example>y</a>')).toBe(
      '[x](https://site.example/a?b=1&c=%282%29) [y](https://other.example/)',
    );
    for (const href of ['javascript:alert(1)', '#top', 'data:text/html,x', `/${'x'.repeat(600)}`, 'http://[']) {
      expect(await markdown(`<a href="${href}">x</a>`)).toBe('x');
    }
  });

  it('images are their description, never something that could be asked for', async () => {
    expect(await markdown('<p>a <img src="https://evil.example/?secret" alt="a *chart*"> b<img src=x></p>')).toBe('a (image: a \\*chart\\*) b');
    expect(await markdown('<p>![x](https://evil.example/?secret)</p>')).not.toMatch(/!\[/);
  });

  it('scripts, styles, menus and forms are left out', async () => {
    const noise =
      '<script>if (a<b) "</p>"</script><style>p{}</style><nav><ul><li>Home</ul></nav><svg><text>x</text></svg><!-- <p>no</p> --><button>Buy</button>';
    expect(await markdown(`<title>T</title>${noise}<p>text</p>${noise}`)).toBe('T\n\ntext');
    expect(await markdown('<p>a</p><script>never ends')).toBe('a');
  });

  it('stops when it has enough', async () => {
    const html = '<p>word word word</p>'.repeat(50_000);
    const start = await htmlToMarkdown(html, 'https://site.example/', 1_000, signal);
    expect(start.end).toBe('more');
    expect(start.text.length).toBeLessThan(20_000);
  });
});

describe('hostile pages', () => {
  it.each(HTML_PIECES)('what stands before 10,000 times %s is kept, and the stack not overflown', async (piece) => {
    expect(await markdown(hardPage(piece))).toMatch(/^before/);
  });

  it('10,000 nested elements keep their text', async () => {
    expect(await markdown(`${'<div>'.repeat(10_000)}deep${'</div>'.repeat(10_000)}`)).toBe('deep');
    expect(await markdown(`${'<blockquote>'.repeat(10_000)}deep`)).toMatch(/deep$/);
  });

  it('become pieces that are small, well nested and not deep, and hold all words', () => {
    const tag = fc.constantFrom(
      'p',
      'div',
      'b',
      'a',
      'ul',
      'ol',
      'li',
      'table',
      'tr',
      'td',
      'th',
      'pre',
      'code',
      'blockquote',
      'h2',
      'br',
      'hr',
      'img',
      'x',
      'i',
    );
    const bit = fc.oneof(
      tag.map((name) => `<${name}>`),
      tag.map((name) => `</${name}>`),
      fc.constantFrom('word ', ' < ', '&amp;', '<!-- c -->', 'x'.repeat(5_000)),
    );
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 60 }), (bits) => {
        const html = bits.join('');
        const pieces = [...htmlPieces(html)];
        expect(pieces.join('').split('word').length).toBe(html.split('word').length);
        for (const piece of pieces) {
          expect(piece.length).toBeLessThan(30_000);
          const open: string[] = [];
          for (const [, slash, name = ''] of piece.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
            if (name === 'br' || name === 'hr') continue;
            if (slash === '/') expect(open.pop()).toBe(name);
            else open.push(name);
            expect(open.length).toBeLessThan(30);
          }
          expect(open).toEqual([]);
        }
      }),
    );
  });
});
