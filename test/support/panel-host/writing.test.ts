import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ViewElicitation } from '../../../src/protocol/elicitation.js';
import type { ViewItem } from '../../../src/protocol/view-state.js';
import { afterGuard, delivered, PanelRig, postsOf, settled, showAnswer } from './rig.js';
import { answerWith, call, state, user } from './scene-parts.js';
import { form, page as webPage, sample } from './servers-scenes.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const sentTexts = async (page: Page): Promise<readonly string[]> => (await postsOf(page)).flatMap((post) => (post.type === 'send' ? [post.text] : []));
/** What was posted, but for what is written being stored and sent. */
const others = async (page: Page): Promise<readonly string[]> =>
  (await postsOf(page)).map(({ type }) => type).filter((type) => type !== 'save_draft' && type !== 'send');

/** Every card that Ctrl+Enter answers. */
const CARDS: Readonly<Record<string, string | ViewElicitation>> = {
  'a command': 'asked',
  'an edit': 'edit',
  'several edits': 'edits',
  'a question': 'question',
  'several choices': 'choices',
  'an address': 'address',
  'a web search': 'websearch',
  'a form of a server': { ...form, asked: { mode: 'form', message: 'Go?', fields: [] } },
  'a page of a server': webPage('https://pay.example.com/'),
  'a request of a server': sample('short'),
};

async function openCard(name: string): Promise<Page> {
  const card = CARDS[name] ?? '';
  const page = await rig.open({ height: 1_300, scene: typeof card === 'string' ? card : 'running' });
  if (typeof card !== 'string') await page.evaluate((elicitation) => globalThis.panelHost.post({ type: 'elicitations', elicitations: [elicitation] }), card);
  await page.locator('[data-card]').first().waitFor();
  await afterGuard(page);
  return page;
}

describe('while a message is written', () => {
  test.each(Object.keys(CARDS))('Ctrl+Enter sends the message and answers nothing: %s', async (name) => {
    const page = await openCard(name);
    const box = boxOf(page);
    await box.fill('please also check the docs');
    await page.getByRole('log').press('Control+Enter');
    await delivered(page);
    expect([await others(page), await sentTexts(page)]).toEqual([[], []]);
    await box.press('Control+Enter');
    await expect.poll(() => sentTexts(page)).toEqual(['please also check the docs']);
    expect(await others(page)).toEqual([]);
  });

  test('what is attached alone counts as a message', async () => {
    const page = await openCard('a command');
    await page.evaluate(() => globalThis.panelHost.post({ type: 'attachments', attachments: [{ id: 'x', name: 'a.png', kind: 'file' }] }));
    await page.getByRole('list', { name: 'Attached files' }).waitFor();
    await boxOf(page).press('Control+Enter');
    await expect.poll(async () => (await postsOf(page)).filter(({ type }) => type === 'send').length).toBe(1);
    expect(await others(page)).toEqual([]);
  });

  test('the key answers from within the card, and from the empty box', async () => {
    const inside = await openCard('a command');
    await boxOf(inside).fill('later');
    await inside.getByRole('button', { name: 'Deny' }).focus();
    await inside.keyboard.press('Control+Enter');
    expect(await others(inside)).toEqual(['answer_approval']);
  });

  test.each(['a command', 'a question'])('the Enter that answers in words leaves no line break in the message box: %s', async (name) => {
    const page = await openCard(name);
    const tell = page.getByRole('button', { name: 'Tell Gnomon what to do instead' });
    if ((await tell.count()) > 0) await tell.click();
    const field = page.locator('[data-card] input[type=text]').first();
    await field.fill('no');
    await field.press('Enter');
    expect(await others(page)).toHaveLength(1);
    await expect.poll(() => boxOf(page).evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await boxOf(page).inputValue()).toBe('');
  });
});

describe('what was just sent', () => {
  const long: ViewItem[] = [user('first'), answerWith([{ type: 'text', text: 'line\n\n'.repeat(120) }])];

  async function scrolledUp(): Promise<Page> {
    const page = await rig.open();
    await page.evaluate((view) => globalThis.panelHost.show(view, 's'), state(long));
    const log = page.getByRole('log');
    await log.hover();
    await page.mouse.wheel(0, -1_500);
    await page.getByRole('button', { name: 'Jump to Latest' }).waitFor();
    await settled(page);
    return page;
  }

  test('is shown although the response begins in the same update, or ends in it', async () => {
    const page = await scrolledUp();
    const added: readonly ViewItem[] = [
      { ...user('and now?'), id: 'mine' },
      { ...answerWith([{ type: 'text', text: 'Now this.' }]), id: 'theirs' },
    ];
    await page.evaluate((items) => globalThis.panelHost.events(...items.map((item) => ({ type: 'item_added' as const, item }))), added);
    await page.getByRole('button', { name: 'Jump to Latest' }).waitFor({ state: 'hidden' });
    await expect.poll(() => page.getByText('and now?').evaluate((element) => element.getBoundingClientRect().bottom < innerHeight)).toBe(true);
  });

  test('moves nothing when only the response grows', async () => {
    const page = await scrolledUp();
    const top = (): Promise<number> => page.getByRole('log').evaluate((element) => element.scrollTop);
    const before = await top();
    await page.evaluate((item) => globalThis.panelHost.events({ type: 'item_added', item }), {
      ...answerWith([{ type: 'text', text: 'more\n\n'.repeat(40) }]),
      id: 'theirs',
    });
    await settled(page);
    expect(Math.abs((await top()) - before)).toBeLessThan(3);
    expect(await page.getByRole('button', { name: 'Jump to Latest' }).isVisible()).toBe(true);
  });
});

describe('right-to-left text', () => {
  const HEBREW =
    'שלום! זה טקסט בעברית עם `code` באמצע.\n\n`npm test` ראשון\n\n- אחד\n- two\n\n> ציטוט\n\n| א | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1;\n```\n\nAnd English again.';

  test('is laid out from the right, code in it from the left, and English around it stays', async () => {
    const page = await rig.open();
    await showAnswer(page, HEBREW);
    const article = page.getByRole('article', { name: 'Gnomon' });
    await article.locator('.code-head').waitFor();
    const look = (selector: string, index = 0): Promise<string> =>
      article
        .locator(selector)
        .nth(index)
        .evaluate((element) => getComputedStyle(element).direction);
    for (const selector of ['p:has-text("שלום")', 'p:has-text("ראשון")', 'ul', 'blockquote', 'table'])
      expect([selector, await look(selector)]).toEqual([selector, 'rtl']);
    for (const selector of ['p code', 'pre', 'pre code', 'p:has-text("English")']) expect([selector, await look(selector)]).toEqual([selector, 'ltr']);
    // The first word stands to the right of the code, and the entry's mark to the right of its text.
    const places = await article
      .locator('p')
      .first()
      .evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element.firstChild ?? element);
        return [range.getBoundingClientRect().left, element.querySelector('code')?.getBoundingClientRect().right ?? 0];
      });
    expect(places[0]).toBeGreaterThanOrEqual(places[1] ?? 0);
    expect(await article.locator('ul').evaluate((list) => [getComputedStyle(list).paddingRight, getComputedStyle(list).paddingLeft])).toEqual(['22px', '0px']);
  });

  test('the cells of a table stand at the side of its direction, whatever they begin with', async () => {
    const page = await rig.open({ width: 480 });
    const words = ['שלום', 'two words', '`code`', '12', 'אחת and two'];
    const table = (title: string, mark: string): string =>
      [`| ${title} | b |`, `|${mark}|---|`, ...words.map((word) => `| ${word} | a longer one |`)].join('\n');
    await showAnswer(page, ['א', 'a'].flatMap((title) => ['---', ':---', '---:', ':---:'].map((mark) => table(`${title} with many words`, mark))).join('\n\n'));
    await page.locator('table').nth(7).waitFor();
    const sides = await page.locator('table').evaluateAll((tables) =>
      tables.map((element) =>
        [...element.querySelectorAll('tr > :first-child')].map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          const [text, box] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
          const [left, right] = [Math.round(text.left - box.left), Math.round(box.right - text.right)];
          // The space between two columns is 16 pixels wide.
          return Math.min(left, right) === 0
            ? left < right
              ? 'left'
              : 'right'
            : Math.abs(left - right) <= 18
              ? 'center'
              : left < right
                ? 'left, apart'
                : 'right, apart';
        }),
      ),
    );
    // The title fills its cell.
    const seen = sides.map((cells) => [...new Set(cells.slice(1))]);
    expect(seen).toEqual([['right'], ['right'], ['left, apart'], ['center'], ['left'], ['left'], ['right, apart'], ['center']]);
  });

  test('each paragraph of a message has its own direction, in the box as well', async () => {
    const page = await rig.open();
    await page.evaluate((view) => globalThis.panelHost.show(view, 's'), state([user('שלום עולם\nplain English')]));
    const lines = await page
      .getByRole('article', { name: 'You' })
      .locator('.chunk')
      .first()
      .evaluate((element) => {
        const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
        const { left, right } = element.getBoundingClientRect();
        const at = (start: number, end: number): DOMRect => {
          const range = document.createRange();
          if (text !== null) range.setStart(text, start);
          if (text !== null) range.setEnd(text, end);
          return range.getBoundingClientRect();
        };
        return { hebrew: right - at(0, 1).right, english: at(10, 11).left - left };
      });
    expect([Math.round(lines.hebrew), Math.round(lines.english)]).toEqual([0, 0]);
    await boxOf(page).fill('שלום');
    expect(await boxOf(page).evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  });
});

describe('the end of a long request', () => {
  test.each([300, 480])('with Allow in view and nothing over it, at %d pixels', async (width) => {
    const page = await rig.open({ width, height: 760, scene: 'empty' });
    const diff = `@@ -1,37 +1,37 @@\n${Array.from({ length: 37 }, (_, line) => `-old ${line}\n+new ${line}`).join('\n')}\n`;
    await page.evaluate(
      ({ items, asked }) => {
        const view = globalThis.panelHost.state;
        return globalThis.panelHost.show({ ...view, activity: 'waiting', items: [...items, asked] }, 's');
      },
      {
        items: [user('first'), answerWith([{ type: 'text', text: 'line\n\n'.repeat(60) }])],
        asked: {
          ...answerWith(
            [
              call({
                id: 'asked',
                name: 'edit',
                subject: 'src/a.ts',
                status: 'awaiting_approval',
                preview: { kind: 'diff', path: '/home/ada/a.ts', diff, created: false },
                approval: { reasons: [] },
              }),
            ],
            { status: 'streaming' },
          ),
          id: 'a2',
        },
      },
    );
    const prompt = page.getByRole('group', { name: 'Permission required', exact: true });
    await prompt.getByRole('button', { name: 'Scroll to End' }).click();
    const allow = prompt.getByRole('button', { name: 'Allow', exact: true });
    await expect.poll(() => allow.getAttribute('aria-disabled')).not.toBe('true');
    await settled(page);
    const top = await allow.evaluate((element) => {
      const { left, top: y, width: w, height } = element.getBoundingClientRect();
      return [y, y + height].map((edge) => element.contains(document.elementFromPoint(left + w / 2, Math.round(edge + (edge === y ? 2 : -2)))));
    });
    expect(top).toEqual([true, true]);
    expect(await page.getByRole('button', { name: 'Jump to Latest' }).count()).toBe(0);
  });
});
