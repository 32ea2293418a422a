import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { afterGuard, delivered, PanelRig, postsOf, sticksOutAt } from './rig.js';
import { answerWith, call, state, user } from './scene-parts.js';
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
      new MutationObserver(() => region.textContent !== '' && heard.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
    }
  });
  return () => page.evaluate(() => Reflect.get(globalThis, 'heard') as string[]);
}

describe('stream-07 a wait before another attempt', () => {
  test('counts down, is told once, and can be cut short or canceled', async () => {
    const page = await rig.open({ scene: 'running' });
    const heard = await listen(page);
    // Each text is there for a second, which on a busy machine may pass unseen: the clock of the page goes on when the test says so.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { retry: { reason: 'The server is overloaded.', attempt: 2, maxAttempts: 8, at: Date.now() + 2_900 } } }));
    await delivered(page);
    await page.clock.runFor(100);
    const group = page.getByRole('group', { name: 'Waiting to retry' });
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

  test('a wait of minutes is told in minutes', async () => {
    const page = await rig.open({ scene: 'retry' });
    await page.getByText(/^Retrying in 59:\d\d \(2\/8\)\.$/).waitFor();
  });
});

test('a model of which nothing comes for a minute is said to be silent, until something does', async () => {
  const page = await rig.open({ scene: 'empty' });
  await page.clock.install();
  await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { activity: 'running' } }, { type: 'item_added', item: { kind: 'answer', id: 'a0', blocks: [], status: 'streaming', time: '2026-01-01T00:00:00Z', summary: '' } }));
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
    for (const name of ['Tests', 'Lint', 'Types']) await group.getByRole('checkbox', { name }).focus().then(() => page.keyboard.press('Space'));
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
  test('is a line that unfolds, says each state in words, and folds when all is done', async () => {
    const page = await rig.open({ scene: 'plan' });
    const plan = page.getByRole('region', { name: 'Plan', exact: true });
    const toggle = plan.getByRole('button');
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    expect((await toggle.textContent())?.replace(/\s+/g, ' ').trim()).toBe('3 of 7 · Return the mean of the two middle values when there is an even count of them');
    await toggle.press('Enter');
    const steps = await plan.getByRole('listitem').allTextContents();
    expect(steps.map((step) => step.trim().split(':')[0])).toEqual(['Done', 'Done', 'Done', 'In progress', 'To do', 'To do', 'To do']);
    await page.evaluate(() => {
      const todos = globalThis.panelHost.state.todos.map(({ text }) => ({ text, status: 'done' as const }));
      globalThis.panelHost.events({ type: 'meta', patch: { todos } });
    });
    await plan.getByText('all done').waitFor();
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { todos: [] } }));
    await plan.waitFor({ state: 'hidden' });
  });
});

describe('summaries', () => {
  test('what happens is told once, what is stored is not, and the last one can be undone', async () => {
    const page = await rig.open({ scene: 'conversation' });
    const heard = await listen(page);
    const item = { kind: 'compaction' as const, id: 'c', trigger: 'manual' as const, summary: '', tokensBefore: 0, tokensAfter: 0, status: 'running' as const };
    await page.evaluate((running) => globalThis.panelHost.events({ type: 'item_added', item: running }), item);
    await page.getByText('Summarizing the chat…').waitFor();
    await page.evaluate((done) => globalThis.panelHost.events({ type: 'compaction', item: done }), { ...item, status: 'active' as const, summary: '**Short**', tokensBefore: 182_000, tokensAfter: 9_400 });
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
});

describe('the foot of the composer', () => {
  test('the meter says how full the context window is', async () => {
    const page = await rig.open({ scene: 'empty' });
    expect(await page.getByRole('meter').count()).toBe(0);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { context: { used: 124_000, limit: 200_000 } } }));
    const meter = page.getByRole('meter', { name: 'Context', exact: true });
    await meter.waitFor();
    const names = ['aria-valuenow', 'aria-valuemin', 'aria-valuemax', 'aria-valuetext'];
    const values = await meter.evaluate((element, all) => all.map((name) => element.getAttribute(name)), names);
    expect(values).toEqual(['124000', '0', '200000', '62% of the context window used, 124,000 of 200,000 tokens']);
    expect((await meter.textContent())?.trim()).toBe('62%');
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { context: { used: 199_000, limit: 200_000 } } }));
    await page.locator('.meter.full', { hasText: '99%' }).waitFor();
    expect(await meter.getAttribute('title')).toContain('/compact');
  });

  test('at 300 px every selector can be read', async () => {
    const page = await rig.open({ width: 300, scene: 'plan' });
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { model: 'anthropic/claude-sonnet-4-5' } }));
    await page.waitForFunction(() => document.querySelector('[aria-label=Model]')?.shadowRoot?.textContent.includes('Claude'));
    const cut = await page.locator('vscode-dropdown').evaluateAll((elements) =>
      elements.flatMap((element) => {
        const label = element.shadowRoot?.querySelector('.selected-value');
        return label !== null && label !== undefined && label.scrollWidth > label.clientWidth ? [element.ariaLabel] : [];
      }),
    );
    expect(cut).toEqual([]);
  });

  const SCENES = ['retry', 'question', 'choices', 'answered', 'plan', 'compaction', 'instructions', 'begin', 'address'];
  test('nothing sticks out, at 220, 300 and 900 px', async () => {
    const page = await rig.open();
    for (const scene of SCENES) {
      await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
      expect(await sticksOutAt(page, [220, 300, 900]), scene).toEqual([]);
    }
  });

  test('how much to think is chosen where the model can', async () => {
    const page = await rig.open({ scene: 'empty' });
    const effort = page.getByRole('combobox', { name: 'Thinking effort', exact: true });
    await effort.click();
    await page.getByRole('option', { name: 'No thinking' }).click();
    await expect.poll(() => postsOf(page)).toEqual([{ type: 'set_effort', effort: 'off' }]);
    await page.evaluate(() => globalThis.panelHost.post({ type: 'choices', models: [], modes: [], efforts: [] }));
    await effort.waitFor({ state: 'hidden' });
  });

  test('of 300 models the first of each provider are in the list, the rest behind a search', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.evaluate(() => {
      const models = Array.from({ length: 300 }, (_, index) => ({ id: `p/m${index}`, label: `Model ${index}`, group: index < 5 ? 'Anthropic' : 'OpenRouter' }));
      globalThis.panelHost.post({ type: 'choices', models, modes: [], efforts: [] });
      globalThis.panelHost.events({ type: 'meta', patch: { model: 'p/m299' } });
    });
    const model = page.getByRole('combobox', { name: 'Model', exact: true });
    await page.waitForFunction(() => document.querySelector('[aria-label=Model]')?.shadowRoot?.textContent.includes('Model 299'));
    expect(await model.getAttribute('title')).toBe('Model: Model 299 (OpenRouter)');
    await model.click();
    await page.getByText('OpenRouter', { exact: true }).click();
    expect(await page.getByRole('option').count()).toBeLessThanOrEqual(42);
    await page.getByRole('option', { name: 'Model 4', exact: true }).waitFor();
    await page.getByRole('option', { name: 'More Models…' }).click();
    await expect.poll(() => postsOf(page)).toEqual([{ type: 'notice_action', action: 'select_model' }]);
    await page.waitForFunction(() => Reflect.get(document.querySelector('[aria-label=Model]') ?? {}, 'value') === 'p/m299');
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
    await box.pressSequentially('c');
    await list.waitFor();
    await box.press('ArrowDown');
    await list.getByRole('option', { name: /^\/clear/, selected: true }).waitFor();
    await box.press('ArrowDown');
    await box.press('Enter');
    expect(await box.inputValue()).toBe('/compact');
    await list.waitFor({ state: 'hidden' });
    await page.evaluate(() => globalThis.panelHost.scene('conversation'));
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
  await page.getByRole('group', { name: callNamed('fetch https://docs.example.com/guide?page=2') }).getByRole('button').click();
  expect(await page.getByRole('group', { name: 'URL' }).first().textContent()).toBe('https://docs.example.com/guide?page=2');
});

test('what loads after the first picture comes from nowhere else', async () => {
  const page = await rig.open({ scene: 'compaction' });
  await page.getByText('could not be summarized').waitFor();
  expect(rig.strangeRequests).toEqual([]);
});

test('with reduced motion nothing turns', async () => {
  const page = await rig.open({ scene: 'plan' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByRole('region', { name: 'Plan' }).getByRole('button').click();
  const moving = await page.evaluate(() => document.getAnimations().length);
  expect(moving).toBe(0);
});
