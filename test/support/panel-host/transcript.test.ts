import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PanelRig, postsOf, settled, showAnswer, showHistory } from './rig.js';
import { SHAPES } from './texts.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

describe('the transcript', () => {
  test('what Markdown says beside its words is kept: numbers, alignment, languages, tasks', async () => {
    const page = await rig.open();
    await showAnswer(page, '7. seven\n8. eight\n   ```py\n   x\n   ```\n\n| a | b |\n|--:|:-:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n```ts\ny\n```\n');
    const article = page.getByRole('article', { name: 'Gnomon' });
    await article.locator('.code-head', { hasText: 'ts' }).waitFor();
    expect(await article.locator('ol').getAttribute('start')).toBe('7');
    expect(await article.locator('td').evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign))).toEqual(['right', 'center']);
    expect(await article.locator('.code-head span').allTextContents()).toEqual(['py', 'ts']);
    expect(await article.getByRole('checkbox').evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).checked))).toEqual([true, false]);
  });

  test('view-16 Copy Code copies exactly the code, rendered at once and streamed', async () => {
    const code = 'if (a < b && "c") {\n\n\treturn `<img>`;   \n}';
    for (const language of ['ts', '']) {
      const page = await rig.open();
      const inList = `1. one\n   \`\`\`\n   nested\n   \`\`\`\n`;
      await showAnswer(page, `\`\`\`${language}\n${code}\n\`\`\`\n\n${inList}`);
      const buttons = page.getByRole('button', { name: 'Copy Code' });
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
    // 72,000 characters: more than each of the bounds at which the page cuts, groups or stops to color what it shows.
    await page.evaluate((name) => globalThis.panelHost.stream({ shape: name, deltas: 6_000 }), shape);
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
    const jump = page.getByRole('button', { name: 'Jump to Latest' });
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

  test('without frames, as in a hidden tab, events are applied and acknowledged all the same', async () => {
    const page = await rig.open({
      before: () => {
        let frames = 0;
        const real = window.requestAnimationFrame.bind(window);
        window.requestAnimationFrame = (callback) => ((frames += 1) > 40 ? frames : real(callback));
      },
    });
    await page.evaluate(() => {
      for (let count = 0; count < 50; count += 1) requestAnimationFrame(() => undefined);
    });
    await showAnswer(page, 'seen without a frame');
    await page.getByText('seen without a frame').waitFor();
  });

  test('notices offer their ways out', async () => {
    const page = await rig.open({ scene: 'trouble' });
    const names = {
      'Set API Key': 'set_api_key',
      'Select Model': 'select_model',
      'Open Settings': 'open_settings',
      'Show Log': 'show_log',
      Retry: 'retry',
      Continue: 'continue',
    };
    for (const name of Object.keys(names)) await page.getByRole('button', { name, exact: true }).click();
    expect(await postsOf(page)).toEqual(Object.values(names).map((action) => ({ type: 'notice_action', action })));
  });

  test('history: closing by Escape without a stop, opening', async () => {
    const page = await rig.open({ scene: 'running' });
    await showHistory(page);
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await showHistory(page);
    await page.getByRole('button', { name: 'Back to Chat' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await showHistory(page);
    await page.getByRole('button', { name: /^Move the settings/ }).click();
    expect(await postsOf(page)).toEqual([
      { type: 'list_history' },
      { type: 'close_history' },
      { type: 'list_history' },
      { type: 'close_history' },
      { type: 'list_history' },
      { type: 'close_history' },
      { type: 'open_session', id: 'h3' },
    ]);
  });
});

test('a failure of the page is reported and told, and the panel stays', async () => {
  const page = await rig.open({ scene: 'conversation' });
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('something broke');
    });
  });
  await page.getByRole('alert').filter({ hasText: 'could not be displayed' }).waitFor();
  expect(await postsOf(page)).toMatchObject([{ type: 'report_error', message: expect.stringContaining('something broke') as string }]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('What are we building').waitFor({ state: 'hidden' });
  expect(await page.getByRole('article').count()).toBe(2);
});
