import type { Locator, Page } from 'playwright-core';
import type { ViewToolCall } from '../../../src/protocol/view-state.js';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { afterGuard, colorOf, delivered, PanelRig, postsOf, sticksOutAt } from './rig.js';
import { answerWith, call, state, user } from './scene-parts.js';
import { bundleOf } from '../page-texts.js';
import { says } from '../wording.js';
import { callNamed } from '../call-named.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Notes every text that a screen reader is told. */
async function listen(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Reflect.set(globalThis, 'heard', heard);
    for (const region of document.querySelectorAll('main > [aria-live], main > [role=alert]')) {
      new MutationObserver(() => region.textContent !== '' && heard.push(region.textContent)).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    }
  });
  return () => page.evaluate(() => Reflect.get(globalThis, 'heard') as string[]);
}

describe('stream-07 a wait before another attempt', () => {
  test('counts down, is told once, and can be cut short or canceled', async () => {
    const page = await rig.open({ scene: 'running', own: true });
    const heard = await listen(page);
    // Each text is there for a second, which on a busy machine may pass unseen: the clock of the page goes on when the test says so.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.evaluate(() =>
      globalThis.panelHost.events({
        type: 'meta',
        patch: { retry: { reason: 'The server is overloaded.', attempt: 2, maxAttempts: 8, at: Date.now() + 2_900 } },
      }),
    );
    await delivered(page);
    await page.clock.runFor(100);
    const group = page.getByRole('group', { name: 'Retrying…' });
    for (const text of ['Retrying in 3 s', 'Retrying in 2 s', 'Retrying in 1 s', 'Retrying now']) {
      await group.getByText(`${text} (2/8).`).waitFor();
      await page.clock.runFor(1_000);
    }
    await page.clock.resume();
    expect(await heard()).toEqual(['The server is overloaded. Retrying in 3 s (2/8).']);
    expect(await page.getByRole('timer').count()).toBe(0);
    await group.getByRole('button', { name: 'Retry Now' }).click();
    await group.getByRole('button', { name: 'Cancel' }).click();
    expect(await postsOf(page)).toEqual([{ type: 'retry_now' }, { type: 'stop' }]);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { retry: null } }));
    await group.waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  });

  test('what slow hooks do is shown below the conversation and spoken, and goes away with them', async () => {
    const page = await rig.open({ scene: 'running' });
    const status = page.locator('.hook-status');
    await status.waitFor({ state: 'attached' });
    expect(await status.boundingBox()).toMatchObject({ height: 0 });
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { hookStatus: 'Checking the \u202estyle' } }));
    await page.getByRole('status').filter({ hasText: 'Checking the \\u202Estyle' }).waitFor();
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { hookStatus: '' } }));
    await page.waitForFunction(() => document.querySelector('.hook-status')?.getBoundingClientRect().height === 0);
  });

  test('a wait of minutes is told in minutes', async () => {
    const page = await rig.open({ scene: 'retry' });
    await page.getByText(/^Retrying in 59:\d\d \(2\/8\)\.$/).waitFor();
  });
});

test('a model of which nothing comes for a minute is said to be silent, until something does', async () => {
  const page = await rig.open({ scene: 'empty', own: true });
  await page.clock.install();
  await page.evaluate(() =>
    globalThis.panelHost.events(
      { type: 'meta', patch: { activity: 'running' } },
      { type: 'item_added', item: { kind: 'answer', id: 'a0', blocks: [], status: 'streaming', time: '2026-01-01T00:00:00Z', summary: '' } },
    ),
  );
  await delivered(page);
  const words = page.getByText('The model has sent nothing for a minute.');
  await page.getByText('Working', { exact: true }).last().waitFor();
  await page.clock.runFor(59_000);
  expect(await words.count()).toBe(0);
  await page.clock.runFor(2_000);
  await words.waitFor();
  await page.evaluate(() => globalThis.panelHost.events({ type: 'block_added', item: 'a0', block: { type: 'text', text: 'Here I am.' } }));
  await words.waitFor({ state: 'detached' });
});

test('a call that runs for a while says how long, until it ends', async () => {
  const page = await rig.open({ scene: 'empty', own: true });
  await page.clock.install({ time: new Date('2026-01-01T00:10:00Z') });
  const running = call({ name: 'bash', subject: 'npm test', status: 'running' });
  const show = (over: Partial<ViewToolCall>): Promise<void> =>
    page.evaluate(
      (shown) => globalThis.panelHost.show(shown),
      state([user('Test it'), answerWith([{ ...running, call: { ...running.call, ...over } }], { status: 'streaming' })], { activity: 'running' }),
    );
  await show({ since: '2026-01-01T00:09:59Z' });
  const line = page.getByRole('button', { name: /^Running npm test/ });
  await line.waitFor();
  expect(await line.innerText()).not.toMatch(/\d s/);
  await page.clock.runFor(4_000);
  await line.getByText(/^· [45] s$/).waitFor();
  await page.clock.runFor(60_000);
  await line.getByText(/^· 1 min [3-6] s$/).waitFor();
  await show({ status: 'done', durationMs: 64_200 });
  await page.getByRole('button', { name: /^Ran npm test.+1 min 4 s/ }).waitFor();
});

test('what was denied or stopped is told in gray; red is for what failed', async () => {
  const page = await rig.open();
  const calls = [
    call({ name: 'edit', subject: 'src/a.ts', status: 'denied', problem: 'You denied it.' }),
    call({ name: 'bash', subject: 'sleep 100', status: 'cancelled' }),
    call({ name: 'bash', subject: 'npm test', status: 'failed', problem: 'The command ended with status 1.' }),
  ];
  await page.evaluate((shown) => globalThis.panelHost.show(shown), state([user('Go'), answerWith(calls)]));
  const line = (name: string): Locator => page.getByRole('group', { name, exact: true });
  const [denied, stopped, failed] = [line('Did not edit src/a.ts'), line('Stopped sleep 100'), line('Could not run npm test')];
  for (const theme of ['dark', 'light']) {
    await page.evaluate((name) => globalThis.panelHost.theme(name), theme);
    const gray = [
      denied.locator('.words'),
      denied.locator('svg'),
      denied.getByText('You denied it.'),
      stopped.locator('.words'),
      stopped.locator('svg'),
      failed.locator('.words'),
    ];
    for (const [index, part] of gray.entries()) await expect.poll(() => colorOf(part.first()), { message: `${theme}: ${index}` }).toBe('fg-quiet');
    for (const part of [failed.locator('svg'), failed.getByText('The command ended with status 1.')]) expect(await colorOf(part.first()), theme).toBe('danger');
  }
});

describe('questions', () => {
  test('the question is announced once, and takes neither the focus nor a key that is down', async () => {
    const page = await rig.open({ scene: 'empty' });
    const heard = await listen(page);
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.focus();
    await page.keyboard.down('Enter');
    await page.evaluate(() => globalThis.panelHost.scene('question'));
    const group = page.getByRole('group', { name: 'Question from Gnomon', exact: true });
    await group.waitFor();
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
    await group.getByRole('radio', { name: 'pnpm' }).check();
    await group.getByRole('button', { name: 'Answer' }).focus();
    // The key repeats for as long as it is down.
    await page.keyboard.down('Enter');
    await group.getByRole('textbox', { name: 'Enter your own answer' }).focus();
    await page.keyboard.down('Enter');
    expect(await postsOf(page)).toEqual([]);
    expect(await heard()).toEqual([expect.stringMatching(/^Question from Gnomon: Which package manager/)]);
  });

  test('it is answered by keyboard alone, once', async () => {
    const page = await rig.open({ scene: 'question' });
    const group = page.getByRole('group', { name: 'Question from Gnomon', exact: true });
    expect(await group.getByRole('button', { name: 'Answer' }).isDisabled()).toBe(true);
    await afterGuard(page);
    await group.getByRole('radio').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('with a space');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await postsOf(page)).toEqual([{ type: 'answer_question', callId: expect.any(String) as string, choices: ['pnpm'], text: 'with a space' }]);
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  });

  test('several can be chosen where the question lets them, in the order of the question', async () => {
    const page = await rig.open({ scene: 'choices' });
    const group = page.getByRole('group', { name: 'Question from Gnomon', exact: true });
    await afterGuard(page);
    for (const name of ['Tests', 'Lint', 'Types'])
      await group
        .getByRole('checkbox', { name })
        .focus()
        .then(() => page.keyboard.press('Space'));
    await group.getByRole('checkbox', { name: 'Lint' }).uncheck();
    await group.getByRole('button', { name: 'Answer' }).click();
    expect(await postsOf(page)).toMatchObject([{ type: 'answer_question', choices: ['Types', 'Tests'] }]);
  });

  test('it can be skipped, and what was answered stays to be read', async () => {
    const page = await rig.open({ scene: 'question' });
    await page.getByRole('button', { name: 'Skip' }).click();
    expect(await postsOf(page)).toMatchObject([{ type: 'dismiss_question' }]);
    await page.evaluate(() => globalThis.panelHost.scene('answered'));
    const line = page.getByRole('group', { name: callNamed('ask Which package manager') });
    await line.getByText('pnpm\nand remove the other lock file').waitFor();
    await line.getByRole('button').click();
    await line.getByText('Neither of them').waitFor();
    expect(await page.getByRole('group', { name: 'Question from Gnomon' }).count()).toBe(0);
  });

  test('what was answered is one line also when the chat comes from the disk, which has no more than that', async () => {
    const page = await rig.open();
    const asked = call({ name: 'ask', subject: 'Which package manager?', output: 'Skipped' });
    await page.evaluate((next) => globalThis.panelHost.show(next), state([user('Go'), answerWith([asked])]));
    const line = page.getByRole('group', { name: 'Asked: Which package manager?' });
    await line.getByText('Skipped', { exact: true }).waitFor();
    expect(await line.getByRole('button').isDisabled()).toBe(true);
    expect(await line.getByText('Skipped').count()).toBe(1);
  });
});

describe('the plan', () => {
  test('is a line that unfolds, says each state in words, and goes when all is done and the turn has ended', async () => {
    const page = await rig.open({ scene: 'plan' });
    const plan = page.getByRole('region', { name: 'Plan', exact: true });
    const toggle = plan.getByRole('button', { expanded: false });
    expect((await toggle.textContent())?.replace(/\s+/g, ' ').trim()).toBe(
      '3 of 7 Return the mean of the two middle values when there is an even count of them',
    );
    await toggle.press('Enter');
    const steps = await plan.getByRole('listitem').allTextContents();
    expect(steps.map((step) => step.trim().split(':')[0])).toEqual(['Done', 'Done', 'Done', 'In progress', 'To do', 'To do', 'To do']);
    await page.evaluate(() => {
      const todos = globalThis.panelHost.state.todos.map(({ text }) => ({ text, status: 'done' as const }));
      globalThis.panelHost.events({ type: 'meta', patch: { todos } });
    });
    await plan.getByText('all done').waitFor();
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { activity: 'idle' } }));
    await plan.waitFor({ state: 'hidden' });
  });

  test('nothing turns in it when the turn has ended, and it can be dismissed until there is another one, over a reload too', async () => {
    const page = await rig.open({ scene: 'plan' });
    const plan = page.getByRole('region', { name: 'Plan', exact: true });
    await plan.getByRole('button', { expanded: false }).click();
    await plan.locator('svg.spin').waitFor();
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { activity: 'idle' } }));
    await plan.locator('svg.spin').waitFor({ state: 'detached' });
    await page.evaluate(() => globalThis.panelHost.keep());
    await plan.getByRole('button', { name: 'Dismiss Plan' }).press('Enter');
    await plan.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    await page.reload();
    await page.getByRole('button', { name: /^Model/ }).waitFor();
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { todos: [{ text: 'Another one', status: 'in_progress' }] } }));
    await plan.getByText('Another one').waitFor();
  });
});

describe('summaries', () => {
  test('what happens is told once, what is stored is not, and the last one can be undone', async () => {
    const page = await rig.open({ scene: 'conversation' });
    const heard = await listen(page);
    const item = { kind: 'compaction' as const, id: 'c', trigger: 'manual' as const, summary: '', tokensBefore: 0, tokensAfter: 0, status: 'running' as const };
    await page.evaluate((running) => globalThis.panelHost.events({ type: 'item_added', item: running }), item);
    await page.getByText('Summarizing the chat…').waitFor();
    await page.evaluate((done) => globalThis.panelHost.events({ type: 'compaction', item: done }), {
      ...item,
      status: 'active' as const,
      summary: '**Short**',
      tokensBefore: 182_000,
      tokensAfter: 9_400,
    });
    const group = page.getByRole('group', { name: 'Chat summarized', exact: true });
    await group.getByText(says('compactedManually', '182k', '9.4k')).waitFor();
    await group.getByRole('button', { name: 'Summary' }).press('Enter');
    await group.locator('strong', { hasText: 'Short' }).waitFor();
    await group.getByRole('button', { name: 'Undo' }).click();
    expect(await postsOf(page)).toEqual([{ type: 'undo_compaction', item: 'c' }]);
    expect(await heard()).toEqual(['Chat summarized. Manual · 182k → 9.4k tokens']);
    await page.evaluate(() => globalThis.panelHost.scene('compaction'));
    await page.getByText('could not be summarized').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1);
    expect(await heard()).toHaveLength(1);
  });
});

describe('conf-20 instructions', () => {
  test.each(['instructions', 'begin'])('are named with what was taken out, and open: %s', async (scene) => {
    const page = await rig.open({ scene });
    const group = page.getByRole('group', { name: 'Instructions' });
    await group.getByText(says('hiddenCharactersRemoved', 'packages/imported/CLAUDE.md', '3 zero-width spaces, 12 tag characters')).waitFor();
    await group.getByText(says('instructionsTooLong', 'packages/a/AGENTS.md')).waitFor();
    await group.getByRole('button', { name: 'packages/a/AGENTS.md' }).click();
    expect(await postsOf(page)).toEqual([{ type: 'open_instruction', display: 'packages/a/AGENTS.md' }]);
  });

  test('are listed with the context: in their order with what each takes, and what was left out and why', async () => {
    const page = await rig.open({ scene: 'instructions' });
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { context: { used: 124_000, limit: 200_000 } } }));
    await page.getByRole('button', { name: /^Context/ }).click();
    const details = page.getByRole('dialog', { name: 'Context' });
    const rowsOf = (name: string): Promise<readonly string[]> =>
      details
        .getByRole('list', { name, exact: true })
        .getByRole('listitem')
        .evaluateAll((items) => items.map((item) => [...item.children].map(({ textContent }) => textContent).join(' | ')));
    expect(await rowsOf('Instructions')).toEqual(['AGENTS.md | 1,234', 'packages/a/AGENTS.md | 10,000', 'packages/imported/CLAUDE.md | 56']);
    expect(await rowsOf('Instructions left out')).toEqual([
      '.env | It may contain passwords or keys, or a permission rule excludes it.',
      '~/notes/style.md | AGENTS.md includes it, which you have not allowed yet. | Allow…',
    ]);
    await details.getByRole('button', { name: 'packages/a/AGENTS.md' }).click();
    await details.getByRole('button', { name: 'Allow ~/notes/style.md…' }).press('Enter');
    await expect
      .poll(() => postsOf(page))
      .toEqual([
        { type: 'open_instruction', display: 'packages/a/AGENTS.md' },
        { type: 'ask_include', display: '~/notes/style.md' },
      ]);
    expect(await sticksOutAt(page, [220, 300])).toEqual([]);
  });
});

describe('the foot of the composer', () => {
  test('the meter says how full the context window is', async () => {
    const page = await rig.open({ scene: 'empty' });
    expect(await page.getByRole('meter').count()).toBe(0);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { context: { used: 124_000, limit: 200_000 } } }));
    const meter = page.getByRole('button', { name: /^Context/ });
    await meter.waitFor();
    expect(await meter.getAttribute('aria-label')).toBe('Context: 62% of the context window used, 124,000 of 200,000 tokens');
    await page.evaluate(() =>
      globalThis.panelHost.events({
        type: 'meta',
        patch: {
          context: {
            used: 199_000,
            limit: 200_000,
            parts: { systemPrompt: 4_000, tools: 5_000, instructions: 0, messages: 90_000, images: 10_000, toolResults: 90_000 },
          },
        },
      }),
    );
    await page.getByRole('button', { name: /^Context: 99%/ }).click();
    const details = page.getByRole('dialog', { name: 'Context' });
    const rows = (): Promise<readonly string[]> =>
      details
        .getByRole('listitem')
        .evaluateAll((items) => items.map((item) => [...item.querySelectorAll('span')].map(({ textContent }) => textContent).join(' ')));
    expect(await rows()).toEqual([
      'System prompt about 4,000 2%',
      'Tools about 5,000 2%',
      'Messages about 90,000 45%',
      'Images about 10,000 5%',
      'Tool results about 90,000 45%',
      'Free about 1,000 < 1%',
    ]);
    await details.getByRole('button', { name: 'Compact Now' }).press('Enter');
    await expect.poll(() => postsOf(page)).toEqual([{ type: 'compact' }]);
    await details.waitFor({ state: 'detached' });
    expect(await meter.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('the meter says what the chat took, and how much of the input came from the cache', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.evaluate(() => {
      const spent = { inputTokens: 12_310, outputTokens: 9_120, cacheReadTokens: 1_204_300, cacheWriteTokens: 91_400 };
      return globalThis.panelHost.events({
        type: 'meta',
        patch: { context: { used: 124_000, limit: 200_000 }, usage: '1,317,130 tokens · cost unknown', spent },
      });
    });
    await page.getByRole('button', { name: /^Context/ }).click();
    const rows = page.getByRole('dialog', { name: 'Context' }).locator('dl > div');
    expect(await rows.allTextContents()).toEqual(['This chat 1,317,130 tokens · cost unknown', 'Read from cache 1,204,300 (92%)', 'Written to cache 91,400']);
    expect(await sticksOutAt(page, [220, 260, 300, 900])).toEqual([]);
  });

  test('the details of an answer say what broke the cache', async () => {
    const page = await rig.open({ scene: 'conversation' });
    await page.evaluate(() => {
      const usage = { inputTokens: 410, outputTokens: 1_204, cacheReadTokens: 0, cacheWriteTokens: 86_400 };
      return globalThis.panelHost.events({
        type: 'answer_status',
        item: 'a1',
        status: 'complete',
        summary: '',
        facts: { rounds: 1, usage, cacheBreak: { reason: 'model', tokens: 84_000 } },
      });
    });
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText('The cache was written anew: the model was changed (84,000 tokens).').waitFor();
    await page.getByRole('definition').filter({ hasText: 'Unknown' }).waitFor();
  });

  test.each(['en', 'de'])('at 260 px and more what stands below the text is in one row, without a scroll bar: %s', async (language) => {
    const page = await rig.open({ width: 260, scene: 'plan', ...(language === 'de' ? { language, texts: JSON.stringify(await bundleOf('de')) } : {}) });
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { model: 'anthropic/claude-sonnet-4-5', context: { used: 1, limit: 2 } } }));
    await page.locator('textarea').fill('And then');
    const [queue, stop] = language === 'de' ? ['In Warteschlange', 'Anhalten'] : ['Queue', 'Stop'];
    await page.getByRole('button', { name: queue, exact: true }).waitFor();
    for (const [width, text] of [
      [220, 'Claude Sonnet 4.5'],
      [260, 'Claude Sonnet 4.5'],
      [300, 'Claude Sonnet 4.5'],
      [480, 'Ask before changes'],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      await page.getByText(text, { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: stop, exact: true }).isVisible(), `${width}`).toBe(true);
      const tops = await page
        .locator('.tools')
        .last()
        .locator('button')
        .evaluateAll((buttons) => [...new Set(buttons.filter((button) => button.checkVisibility()).map((button) => button.getBoundingClientRect().top))]);
      expect(tops, `${width}`).toHaveLength(1);
      expect((await page.locator('.composer .box').boundingBox())?.height, `${width}`).toBeLessThan(72);
      expect(await sticksOutAt(page, [width])).toEqual([]);
    }
  });

  const SCENES = ['retry', 'question', 'choices', 'answered', 'plan', 'compaction', 'instructions', 'begin', 'address'];
  test('nothing sticks out, at 220, 300 and 900 px', async () => {
    const page = await rig.open();
    for (const scene of SCENES) {
      await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
      expect(await sticksOutAt(page, [220, 300, 900]), scene).toEqual([]);
    }
  });

  test('how much to think is chosen among the models, where the model can', async () => {
    const page = await rig.open({ scene: 'empty' });
    const model = page.getByRole('button', { name: /^Model/ });
    await model.click();
    const efforts = page.getByRole('radiogroup', { name: 'Thinking' });
    await efforts.getByRole('radio', { name: 'Off' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => postsOf(page)).toEqual([{ type: 'set_effort', effort: 'low' }]);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { effort: 'low' } }));
    await efforts.getByRole('radio', { name: 'Low', checked: true }).waitFor();
    await page.getByRole('button', { name: /· Low$/ }).waitFor();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'choices', models: [], automatic: [], modes: [], agents: [], efforts: [] }));
    await efforts.waitFor({ state: 'detached' });
  });

  test('of 300 models the first of each provider are listed, and a search finds any; keys do all of it', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.evaluate(() => {
      const models = Array.from({ length: 300 }, (_, index) => ({
        id: `p/m${index}`,
        label: `Model ${index}`,
        group: index < 5 ? 'Anthropic' : 'OpenRouter',
        facts: '200k · 3 / 15',
      }));
      globalThis.panelHost.post({ type: 'choices', models, automatic: [], modes: [], agents: [], efforts: [] });
      globalThis.panelHost.events({ type: 'meta', patch: { model: 'p/m299' } });
    });
    const opener = page.getByRole('button', { name: 'Model: Default · Model 299' });
    await opener.press('Enter');
    const menu = page.getByRole('dialog', { name: 'Model' });
    const rows = menu.locator('.model');
    await menu.getByRole('list', { name: 'OpenRouter' }).waitFor();
    expect(await rows.count()).toBeLessThanOrEqual(61);
    await menu.getByText('Type to filter.').waitFor();
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.querySelector('.label')?.textContent ?? '');
    expect(await focused()).toBe('Search models');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Model 1');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => postsOf(page)).toEqual([{ type: 'favorite_model', model: 'p/m1', on: true }]);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    // Letters go on with the search wherever the focus is.
    await page.keyboard.type('openr 27');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('3');
    await rows.nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Model: Default · Model 299');
    await page.keyboard.press('Enter');
    await page.keyboard.type('273');
    await page.keyboard.press('Enter');
    await expect.poll(() => postsOf(page)).toMatchObject([{}, { type: 'set_model', model: 'p/m273' }]);
  });
});

describe('commands in the composer', () => {
  test('a list opens at a slash, and keys choose in it', async () => {
    const page = await rig.open({ scene: 'running' });
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    const list = page.getByRole('listbox', { name: 'Commands' });
    await box.pressSequentially('/');
    await list.getByRole('option', { name: /^\/compact/ }).waitFor();
    expect(await box.getAttribute('aria-activedescendant')).toBe(await list.getByRole('option').first().getAttribute('id'));
    await box.press('Escape');
    await list.waitFor({ state: 'hidden' });
    expect(await postsOf(page)).toEqual([]);
    await box.press('Backspace');
    await box.pressSequentially('/');
    await list.waitFor();
    await box.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await box.pressSequentially('c');
    await list.waitFor();
    await box.press('ArrowDown');
    await list.getByRole('option', { name: /^\/clear/, selected: true }).waitFor();
    await box.press('ArrowDown');
    await box.press('Enter');
    expect(await box.inputValue()).toBe('/compact');
    await list.waitFor({ state: 'hidden' });
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { activity: 'idle' } }));
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await box.press('Enter');
    await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
    expect(await postsOf(page)).toMatchObject([{ type: 'send', text: '/compact' }]);
  });

  test('Tab and the mouse take a command too, and the focus stays in the text', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    await box.pressSequentially('/co');
    await box.press('Tab');
    expect(await box.inputValue()).toBe('/compact');
    await box.fill('/');
    await page.getByRole('option', { name: /^\/compact/ }).click();
    expect(await box.inputValue()).toBe('/compact');
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
    await box.fill('see /');
    expect(await page.getByRole('listbox', { name: 'Commands' }).count()).toBe(0);
  });
});

test('an address is shown whole before it is asked for, and its host stands out', async () => {
  const page = await rig.open({ scene: 'address' });
  const prompt = page.getByRole('group', { name: 'Permission required' });
  const address = prompt.getByRole('group', { name: 'URL' });
  expect(await address.textContent()).toBe('https://example.com@evil.test:8443/a/long/path/that/goes/on?q=SECRET\\u200B&next=https%3A%2F%2Fexample.com%2F#end');
  expect(await address.locator('strong').textContent()).toBe('evil.test:8443');
  await prompt.getByText('This contains invisible characters').waitFor();
  await page
    .getByRole('group', { name: callNamed('fetch https://docs.example.com/guide?page=2') })
    .getByRole('button')
    .click();
  expect(await page.getByRole('group', { name: 'URL' }).first().textContent()).toBe('https://docs.example.com/guide?page=2');
});

test('a search shows its query and who gets it before it is made, and what it found as links', async () => {
  const page = await rig.open({ scene: 'websearch' });
  const prompt = page.getByRole('group', { name: 'Permission required' });
  await prompt.getByText('Search the web?').waitFor();
  expect(await prompt.getByRole('group', { name: 'Query' }).textContent()).toBe('SECRET\\u200B and more');
  await prompt.getByText('The query is sent to Anthropic.').waitFor();
  const searched = page.getByRole('group', { name: 'Searched the web for vitest fake timers' });
  await searched.getByText('· 2 pages').waitFor();
  await searched.getByRole('button').click();
  const found = page.getByRole('group', { name: 'Search results' });
  expect(await found.getByRole('link').evaluateAll((links) => links.map((link) => `${link.textContent} ${link.getAttribute('href')}`))).toEqual([
    'Vitest & co https://vitest.dev/guide?x=1',
    'Safe title https://evil.test/',
  ]);
  await found.getByText('evil.test', { exact: true }).waitFor();
  await found.getByText('Both say so [1].').waitFor();
});

test('what loads after the first paint comes from nowhere else', async () => {
  const page = await rig.open({ scene: 'compaction' });
  await page.getByText('could not be summarized').waitFor();
  expect(rig.strangeRequests).toEqual([]);
});

test.each(['system', 'setting of VS Code'])('with reduced motion, by the %s, nothing turns or shines', async (by) => {
  const page = await rig.open({ scene: 'running', own: true, media: { reducedMotion: 'no-preference' } });
  expect(await page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0);
  if (by === 'system') await page.emulateMedia({ reducedMotion: 'reduce' });
  // VS Code puts it there for `workbench.reduceMotion`.
  else await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  const texts = await page.locator('.shines, .moves').evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).color));
  expect(texts.length).toBeGreaterThan(0);
  expect(texts).not.toContain('rgba(0, 0, 0, 0)');
  await page.evaluate(() => globalThis.panelHost.scene('plan'));
  await page.getByRole('region', { name: 'Plan' }).getByRole('button', { expanded: false }).click();
  const moving = await page.evaluate(() => document.getAnimations().length);
  expect(moving).toBe(0);
});
