import { it } from 'vitest';
import { htmlToMarkdown } from '../../../src/tool/html-markdown.js';
const { signal } = new AbortController();
it('x', async () => {
  const run = async (name: string, html: string, wanted = 1e9) => {
    const s = performance.now(); let worst = 0, last = s;
    const t = setInterval(() => { const n = performance.now(); worst = Math.max(worst, n - last); last = n; }, 1);
    const r = await htmlToMarkdown(html, 'https://a.example/x/', wanted, signal);
    worst = Math.max(worst, performance.now() - last);
    clearInterval(t); console.log(name, html.length, r.text.length, Math.round(performance.now() - s) + 'ms worst gap ' + Math.round(worst), JSON.stringify(r.text.slice(0, 80)));
  };
  await run('warm', '<p>x</p>');
  const M = 5_000_000;
  for (const [n, unit] of Object.entries({ div: '<div>', b: '<b>', a: '<a href=x>', quote: '<blockquote>', ul: '<ul><li>', bid: '<b><p>', td: '<table><tr><td>', lt: '<', ltx: '<x ', q: '<a b="', amp: '&', br: 'a<br>', close: '</p>', pre: '<pre>', code: '<code>x', comment: '<!-- x -->', star: '*_`[', space: '  \n', p: '<p>x</p>', li: '<li>x', word: 'word ', hr: '<hr>', nl: '\n', tick:'`', script: '<script>', nav: '<nav>x</nav>y', img: '<img alt="x*">', eq: '<a ="', cdata:'<![CDATA[' }))
    await run(n, unit.repeat(M / unit.length));
  await run('nest10k', '<div>'.repeat(10000) + 'deep' + '</div>'.repeat(10000));
  await run('ulwrap', '<ul>' + '<li>x</li>'.repeat(500000) + '</ul>');
  await run('pre', '<pre>' + 'line\n'.repeat(1000000) + '</pre>');
  await run('page', '<p>word word <b>bold</b></p>'.repeat(180000), 40001);
}, 600000);
