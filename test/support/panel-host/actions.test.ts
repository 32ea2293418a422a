import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ViewItem } from '../../../src/protocol/view-state.js';
import { violations } from './axe.js';
import { afterGuard, PanelRig, postsOf, sticksOut } from './rig.js';
import { answerWith, call, state, user } from './scene-parts.js';
import { richConversation } from './transcript-scenes.js';
import { callNamed } from '../call-named.js';

/** A green image of 10 × 10. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';

/** How many images the rich conversation has. */
const IMAGES = 3;

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

async function openRich(): Promise<Page> {
  const page = await rig.open({ width: 400, height: 3_000 });
  await page.evaluate((next) => globalThis.panelHost.show(next, 's'), richConversation);
  await page.getByRole('article', { name: 'You' }).first().waitFor();
  return page;
}

/** Answers with an image, or with none, once all that there are were asked for. */
async function sendImages(page: Page, base64: string | undefined, session = 's'): Promise<void> {
  await page.waitForFunction((count) => globalThis.panelHost.posts.filter(({ type }) => type === 'load_image').length === count, IMAGES);
  await page.evaluate(
    ([text, name]) => {
      const image = text === '' ? {} : { image: { mimeType: 'image/png', data: Uint8Array.from(atob(text ?? ''), (char) => char.charCodeAt(0)) } };
      for (const { type, ...which } of globalThis.panelHost.posts)
        if (type === 'load_image') globalThis.panelHost.post({ type: 'image', session: name, ...which, ...image });
    },
    [base64 ?? '', session],
  );
}

describe('what can be done with messages', () => {
  test('an answer: copied, asked for again, gone on from', async () => {
    const page = await openRich();
    const tools = page.getByRole('article', { name: 'Gnomon' }).first().getByRole('toolbar', { name: 'Response actions' });
    await tools.getByRole('button', { name: 'Copy as Markdown' }).click();
    // It says so for a while only.
    await Promise.all([
      tools.getByRole('button', { name: 'Copied' }).waitFor(),
      page.evaluate(() => globalThis.panelHost.post({ type: 'copied', item: 'a1' })),
    ]);
    await tools.getByRole('button', { name: 'Copy as Markdown' }).waitFor();
    await tools.getByRole('button', { name: 'Regenerate' }).press('Enter');
    await tools.getByRole('button', { name: 'Fork from Here' }).press('Enter');
    expect((await postsOf(page)).filter(({ type }) => type !== 'load_image')).toEqual([
      { type: 'copy_item', item: 'a1' },
      { type: 'retry_item', item: 'a1' },
      { type: 'fork_item', item: 'a1' },
    ]);
  });

  test('the tools are seen with the focus, come after the text, and arrows go through them', async () => {
    const page = await openRich();
    const tools = page.getByRole('article', { name: 'Gnomon' }).first().getByRole('toolbar', { name: 'Response actions' });
    expect(await tools.evaluate((element) => getComputedStyle(element).opacity)).toBe('0');
    await tools.getByRole('button').first().focus();
    await expect.poll(() => tools.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
    const focused = (): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    for (const [key, name] of [
      ['ArrowRight', 'Regenerate'],
      ['End', 'Details'],
      ['ArrowRight', 'Copy as Markdown'],
      ['ArrowLeft', 'Details'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(name);
    }
    // The toolbar is one stop of the Tab key: the button that was used last.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Details');
    expect(await tools.getByRole('button').evaluateAll((buttons) => buttons.filter((button) => (button as HTMLButtonElement).tabIndex === 0).length)).toBe(1);
    const order = await page
      .getByRole('article', { name: 'Gnomon' })
      .last()
      .evaluate((article) => {
        const all = [...article.querySelectorAll('button, a, [tabindex]')];
        return all.findIndex((element) => element.closest('footer') !== null) > all.findLastIndex((element) => element.closest('pre') !== null);
      });
    expect(order).toBe(true);
  });

  test('what an answer took is told on demand', async () => {
    const page = await openRich();
    const details = page.getByRole('button', { name: 'Details' }).first();
    await details.click();
    expect(await details.getAttribute('aria-expanded')).toBe('true');
    const text = await page.locator('dl').innerText();
    for (const words of ['Claude Sonnet 4.5', '11,004', '9,800 (89%)', '380', '$0.02', '18 s']) expect(text).toContain(words);
    await details.click();
    await page.locator('dl').waitFor({ state: 'detached' });
  });

  test('a message is said differently: Enter sends, Shift+Enter is a new line, Escape leaves it as it was', async () => {
    const page = await openRich();
    const mine = page.getByRole('article', { name: 'You' }).first();
    await mine.getByRole('button', { name: 'Edit and Resend' }).click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    expect(await box.inputValue()).toBe('What is wrong with median?');
    await box.pressSequentially(' No');
    await box.press('Escape');
    await box.waitFor({ state: 'detached' });
    expect((await postsOf(page)).filter(({ type }) => type === 'stop' || type === 'resend_item')).toEqual([]);
    await mine.getByRole('button', { name: 'Edit and Resend' }).press('Enter');
    expect(await box.inputValue()).toBe('What is wrong with median?');
    await box.fill('Why');
    await box.press('Shift+Enter');
    await box.pressSequentially('so?');
    await box.press('Enter');
    await box.waitFor({ state: 'detached' });
    expect(await postsOf(page)).toContainEqual({ type: 'resend_item', item: 'u0', text: 'Why\nso?' });
    await mine.getByRole('button', { name: 'Copy Message' }).click();
    expect(await postsOf(page)).toContainEqual({ type: 'copy_item', item: 'u0' });
  });

  test('nothing is asked again while a turn runs', async () => {
    const page = await rig.open({ width: 400 });
    const view = state([user('one'), answerWith([{ type: 'text', text: 'First.' }]), user('two', 'u2'), answerWith([], { id: 'a3', status: 'streaming' })], {
      activity: 'running',
    });
    await page.evaluate((next) => globalThis.panelHost.show(next, 's'), view);
    await page.getByRole('button', { name: 'Regenerate' }).waitFor({ state: 'attached' });
    expect(await page.getByRole('button', { name: 'Regenerate' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Edit and Resend' }).first().isDisabled()).toBe(true);
    expect(await page.getByRole('toolbar', { name: 'Response actions' }).count()).toBe(1);
  });

  test('a branch says where it comes from, and leads back', async () => {
    const page = await openRich();
    await page.getByText('Forked from “The first try at the median”').waitFor();
    await page.getByRole('button', { name: 'Go to Original' }).click();
    expect(await postsOf(page)).toContainEqual({ type: 'open_session', id: 'parent' });
  });
});

describe('calls and thoughts', () => {
  test('calls that only read are one row that unfolds; one that failed is not in it', async () => {
    const page = await openRich();
    const group = page.getByRole('group', { name: 'Read 3 files, searched twice' });
    await group.waitFor();
    expect(await page.getByRole('group', { name: callNamed('read src/median.js') }).count()).toBe(0);
    await page.getByRole('group', { name: callNamed('bash npm test') }).waitFor();
    await group.getByRole('button').click();
    await group.getByRole('group', { name: callNamed('read src/median.js') }).waitFor();
    expect(await group.getByRole('group').count()).toBe(5);
  });

  test('calls are not folded under the eyes of whoever watches, only when the answer goes on to something else', async () => {
    const page = await rig.open();
    const reads = ['a', 'b', 'c'].map((subject) => call({ name: 'read', subject }));
    await page.evaluate(
      (next) => globalThis.panelHost.show(next, 's'),
      state([user('x'), answerWith(reads, { id: 'a', status: 'streaming' })], { activity: 'running' }),
    );
    await page.getByRole('group', { name: callNamed('read c') }).waitFor();
    await page.evaluate(() => globalThis.panelHost.events({ type: 'block_added', item: 'a', block: { type: 'text', text: 'So.' } }));
    await page.getByRole('group', { name: 'Read 3 files' }).waitFor();
  });

  test('a thought says how long it took', async () => {
    const page = await openRich();
    await page.getByRole('button', { name: 'Thought for 12 s' }).click();
    await page.getByText('The person wants to know what is wrong.').waitFor();
  });
});

describe('images', () => {
  test('are asked for when they are near, shown small, and open large by keyboard', async () => {
    const page = await openRich();
    await expect
      .poll(async () => (await postsOf(page)).filter(({ type }) => type === 'load_image'))
      .toEqual(
        expect.arrayContaining([
          { type: 'load_image', item: 'u0', index: 0 },
          { type: 'load_image', item: 'a1', call: 'c-read-shot.png', index: 0 },
          { type: 'load_image', item: 'a1', call: 'c-read-shot.png', index: 1 },
        ]),
      );
    await sendImages(page, PNG);
    const small = page.getByRole('list', { name: 'Attached images' }).getByRole('button', { name: 'Open Image 1' });
    await small.press('Enter');
    const large = page.getByRole('dialog', { name: 'Image 1' });
    await large.getByRole('img', { name: 'Image 1' }).waitFor();
    expect(await large.getByRole('img').evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(10);
    await page.keyboard.press('Escape');
    await large.waitFor({ state: 'hidden' });
    expect(await postsOf(page)).not.toContainEqual({ type: 'stop' });
    expect(rig.strangeRequests.filter((url) => !url.startsWith('blob:'))).toEqual([]);
  });

  test('one that cannot be shown says so; one of another conversation or another kind is ignored', async () => {
    const page = await openRich();
    await sendImages(page, PNG, 'another session');
    await page.evaluate(() => {
      const data = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
      globalThis.panelHost.post({ type: 'image', session: 's', item: 'u0', index: 0, image: { mimeType: 'image/svg+xml', data } });
    });
    await page.getByText('Image 1 cannot be displayed.').waitFor();
    expect(await page.getByRole('article').getByRole('img').count()).toBe(0);
    await sendImages(page, undefined);
    await page.getByText('Image 2 cannot be displayed.').waitFor();
  });
});

describe('accessibility of all of it', () => {
  test('axe finds nothing, in any theme', async () => {
    const page = await openRich();
    await page.locator('.hl-keyword').first().waitFor();
    await page.evaluate(() => {
      const asked = globalThis.panelHost.posts.flatMap((message) => (message.type === 'find_files' ? message.paths : []));
      globalThis.panelHost.post({ type: 'files', asked, found: asked });
    });
    await sendImages(page, PNG);
    await page.getByRole('button', { name: 'Thought for 12 s' }).click();
    await page.getByRole('group', { name: 'Read 3 files, searched twice' }).getByRole('button').first().click();
    for (const details of await page.getByRole('button', { name: 'Details' }).all()) await details.click();
    await page.getByRole('button', { name: 'Edit and Resend' }).last().click();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'open_search' }));
    await page.getByRole('textbox', { name: 'Find', exact: true }).waitFor();
    // What is only seen under the pointer is looked at too.
    await page.evaluate(() => {
      for (const tools of document.querySelectorAll<HTMLElement>('.tools')) tools.style.opacity = '1';
    });
    expect(await violations(page)).toEqual([]);
  });
});

describe('a plan that was made in Plan mode', () => {
  const facts = { rounds: 1, usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 }, planned: true as const };
  const planned = (over: object = {}): object => ({
    mode: 'plan',
    items: [user('Plan it'), answerWith([{ type: 'text', text: 'First this.' }], { facts })],
    ...over,
  });

  async function openPlan(view = planned()): Promise<Page> {
    const page = await rig.open({ width: 300 });
    await page.evaluate((next) => globalThis.panelHost.show(next, 's'), view);
    await page.getByText('First this.').waitFor();
    return page;
  }

  test('is carried out with one press, in the mode that asks, and the draft stays', async () => {
    const page = await openPlan();
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('later');
    const card = page.getByRole('group', { name: 'Plan ready' });
    await afterGuard(page);
    await card.getByRole('button', { name: 'Build It' }).click();
    expect(await postsOf(page)).toEqual([
      { type: 'set_mode', mode: 'default' },
      { type: 'send', sendId: expect.any(String) as string, text: 'Build it', attachments: [], now: false, anyway: true, aside: true },
    ]);
    expect(await box.inputValue()).toBe('later');
  });

  test('is carried out by Ctrl+Enter from anywhere, but not by a key that was down before, and not while something is written', async () => {
    const page = await openPlan();
    const box = page.getByRole('textbox', { name: 'Message' });
    await afterGuard(page);
    await box.fill('x');
    await page.getByRole('log').press('Control+Enter');
    expect(await postsOf(page)).toEqual([]);
    await box.fill('');
    await page.getByRole('log').press('Control+Enter');
    expect((await postsOf(page)).map(({ type }) => type)).toEqual(['set_mode', 'send']);
  });

  test('can be carried out in the other mode that changes files, and in no other', async () => {
    const page = await openPlan();
    await afterGuard(page);
    await page.getByRole('button', { name: 'Choose a Mode to Build In' }).click();
    const modes = page.getByRole('group', { name: 'Build in' }).getByRole('button');
    expect(await modes.count()).toBe(2);
    await modes.filter({ hasText: 'Accept edits' }).click();
    expect(await postsOf(page)).toContainEqual({ type: 'set_mode', mode: 'acceptEdits' });
  });

  test('is kept as it is for more planning: the card goes, and the cursor is in the message box', async () => {
    const page = await openPlan();
    await page.getByRole('button', { name: 'Keep Planning' }).click();
    await page.getByRole('group', { name: 'Plan ready' }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    expect(await postsOf(page)).toEqual([]);
  });

  test.each<[string, object]>([
    ['another mode is chosen', planned({ mode: 'default' })],
    ['a turn runs', planned({ activity: 'running' })],
    ['something was said since', planned({ items: [user('Plan it'), answerWith([{ type: 'text', text: 'First this.' }], { facts }), user('No', 'u3')] })],
    [
      'it was not made in Plan mode',
      planned({ items: [user('Plan it'), answerWith([{ type: 'text', text: 'First this.' }], { facts: { ...facts, planned: undefined } })] }),
    ],
    ['it was cut off', planned({ items: [user('Plan it'), answerWith([{ type: 'text', text: 'First this.' }], { facts, status: 'interrupted' })] })],
  ])('is not offered when %s', async (_, view) => {
    const page = await openPlan(view);
    expect(await page.getByRole('group', { name: 'Plan ready' }).count()).toBe(0);
  });
});

test('a checkpoint stands above a message whose turn changed files, and brings them back', async () => {
  const page = await rig.open({ width: 300 });
  const wrote = call({ name: 'edit', subject: 'src/a.ts' });
  const view = state([
    user('one'),
    answerWith([wrote, call({ name: 'write', subject: 'b.ts' })]),
    user('two', 'u2'),
    answerWith([{ type: 'text', text: 'Nothing.' }], { id: 'a3' }),
  ]);
  await page.evaluate((next) => globalThis.panelHost.show(next, 's'), view);
  const line = page.getByRole('group', { name: 'Checkpoint' });
  await line.getByText('Checkpoint · 2 files').waitFor();
  expect(await line.count()).toBe(1);
  await line.getByRole('button', { name: 'Restore Files to Before This Message' }).click();
  expect(await postsOf(page)).toEqual([{ type: 'restore_files', item: 'u0', rewind: false }]);
  // The same is not offered twice.
  expect(await page.getByRole('article', { name: 'You' }).first().getByRole('button', { name: 'Restore Files to Before This Message' }).count()).toBe(0);
  expect(await page.getByRole('article', { name: 'You' }).last().getByRole('button', { name: 'Restore Files to Before This Message' }).count()).toBe(1);
  const icons = await page
    .getByRole('toolbar', { name: 'Message actions' })
    .last()
    .locator('svg path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));
  expect([icons.length, new Set(icons).size]).toEqual([4, 4]);
});

describe('the look of a conversation', () => {
  test('what is said stands on the right, lines about calls have no frames, and actions lie over nothing', async () => {
    const page = await openRich();
    await page.setViewportSize({ width: 300, height: 3_000 });
    const places = await page.evaluate(() => {
      const log = document.querySelector('[role=log] .content')?.getBoundingClientRect();
      const mine = document.querySelector('article[aria-label=You]')?.getBoundingClientRect();
      const frames = [...document.querySelectorAll('.call > button, .group > button, .thinking > button')].map((row) => getComputedStyle(row).borderTopWidth);
      return { right: (log?.right ?? 0) - (mine?.right ?? 1), share: (mine?.width ?? 0) / (log?.width ?? 1), frames };
    });
    expect(places.right).toBeLessThan(1);
    expect(places.share).toBeLessThanOrEqual(0.87);
    expect(new Set(places.frames)).toEqual(new Set(['0px']));
    const covered = await page.getByRole('toolbar', { name: /^(?:Response|Message) actions$/ }).evaluateAll(
      (bars) =>
        bars.filter((bar) => {
          const area = bar.getBoundingClientRect();
          const texts = [...document.querySelectorAll('article :is(p, .plain-text, .words)')].filter(
            (element) => !bar.contains(element) && element.textContent !== '',
          );
          return texts
            .map((element) => element.getBoundingClientRect())
            .some((text) => text.left < area.right && text.right > area.left && text.top < area.bottom - 1 && text.bottom > area.top + 1);
        }).length,
    );
    expect(covered).toBe(0);
  });

  test('in a tab the column is no wider than 800 px, and in the middle', async () => {
    const page = await openRich();
    await page.setViewportSize({ width: 1_200, height: 900 });
    const { width, left, right } = await page.locator('[role=log] .content').evaluate((element) => {
      const box = element.getBoundingClientRect();
      return { width: box.width, left: box.left, right: innerWidth - box.right };
    });
    expect(width).toBe(800);
    expect(Math.abs(left - right)).toBeLessThan(20);
  });

  test('output keeps its columns and scrolls sideways', async () => {
    const page = await rig.open({ width: 300 });
    const output = `-rw-r--r-- 1 user group 12345 Jan  1 00:00 a-file-with-a-long-name.txt\n${'-rw-r--r-- 1 user group 1 Jan  1 00:00 b\n'.repeat(3)}`;
    await page.evaluate(
      (next) => globalThis.panelHost.show(next, 's'),
      state([user('ls'), answerWith([call({ name: 'bash', subject: 'ls -la', output, exitCode: 0, durationMs: 40 })])]),
    );
    await page.getByRole('button', { name: /^Ran ls -la/ }).click();
    const box = page.getByRole('group', { name: 'Output' });
    expect(await box.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
    expect(await box.evaluate((element) => element.clientHeight)).toBeLessThan(6 * 20);
    expect(await sticksOut(page)).toEqual([]);
  });

  test('one fact has one message: a failed answer without a word, and a wait that counts alone', async () => {
    const page = await rig.open({ width: 300 });
    const notice = { kind: 'notice' as const, id: 'n1', level: 'error' as const, text: 'No API key is set.', actions: ['set_api_key' as const] };
    await page.evaluate(
      (next) => globalThis.panelHost.show(next, 's'),
      state([user('Hi'), answerWith([], { status: 'failed', summary: '1 round · 0.0 s' }), notice]),
    );
    const alert = page.getByRole('alert').filter({ hasText: 'No API key is set.' });
    await alert.getByRole('button', { name: 'Set API Key' }).waitFor();
    expect((await page.getByRole('log').innerText()).split('\n').filter((line) => line.trim() !== '')).toEqual(['Hi', 'No API key is set.', 'Set API Key']);
    expect(await alert.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
  });

  test('a failure that was tried again is one quiet line: only the last one is an alert', async () => {
    const page = await rig.open({ width: 300 });
    const failed = (id: string): ViewItem => ({
      kind: 'notice',
      id,
      level: 'error',
      text: 'The connection was lost. Try again, or continue.',
      actions: ['continue', 'retry'],
    });
    const answer = (id: string): ViewItem => ({ ...answerWith([], { status: 'failed' }), id });
    await page.evaluate(
      (next) => globalThis.panelHost.show(next, 's'),
      state([user('Hi'), answer('a1'), failed('n1'), answer('a2'), failed('n2'), answer('a3'), failed('n3')]),
    );
    const log = page.getByRole('log');
    await log.getByRole('alert').waitFor();
    expect(await log.getByRole('alert').count()).toBe(1);
    const retried = log.getByRole('note').filter({ hasText: 'Retried:' });
    expect(await retried.count()).toBe(2);
    expect((await retried.first().boundingBox())?.height).toBeLessThanOrEqual(16);
    expect(await retried.getByRole('button').count()).toBe(0);
    await log.getByRole('button', { name: 'Retry', exact: true }).click();
    expect(await postsOf(page)).toEqual([{ type: 'notice_action', action: 'retry' }]);
  });

  test('a notice leads to the page that helps', async () => {
    const page = await rig.open({ width: 300 });
    const notice = {
      kind: 'notice' as const,
      id: 'n1',
      level: 'error' as const,
      text: 'No credit.',
      actions: [],
      link: { text: 'Open Billing', address: 'https://console.example.com/billing' },
    };
    await page.evaluate((next) => globalThis.panelHost.show(next, 's'), state([user('Hi'), notice]));
    await page.getByRole('link', { name: 'Open Billing' }).click();
    expect(await postsOf(page)).toEqual([{ type: 'open_link', url: 'https://console.example.com/billing' }]);
  });
});
