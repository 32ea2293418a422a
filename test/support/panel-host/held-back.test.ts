import { afterEach, beforeAll, expect, test } from 'vitest';
import { bundleOf } from '../page-texts.js';
import { violations } from './axe.js';
import { PanelRig, postsOf, sticksOut } from './rig.js';
import { answerWith, state, user } from './scene-parts.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

const conversation = state([
  { ...user('Say it.', 'u0'), heldBack: true } as ReturnType<typeof user>,
  answerWith([{ type: 'text', text: 'No.' }]),
  user('Something else.', 'u2'),
]);

test('a refused message says that it is not sent again, and is sent again with the keyboard', async () => {
  const page = await rig.open({ width: 300 });
  await page.evaluate((next) => globalThis.panelHost.show(next, 's'), conversation);
  const message = page.getByRole('article', { name: 'You' }).first();
  await message.getByText('Not sent again').waitFor();
  expect(await page.getByText('Not sent again').count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  expect(await sticksOut(page)).toEqual([]);
  const button = message.getByRole('button', { name: 'Send Again' });
  expect(await button.evaluate((element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent)).toContain('Not sent again');
  await button.press('Enter');
  expect((await postsOf(page)).filter(({ type }) => type === 'send_again')).toEqual([{ type: 'send_again', item: 'u0' }]);
});

test('in German, too, and not while a turn runs', async () => {
  const page = await rig.open({ language: 'de', texts: JSON.stringify(await bundleOf('de')) });
  await page.evaluate((next) => globalThis.panelHost.show(next, 's'), { ...conversation, activity: 'running' as const });
  await page.getByText('Nicht erneut gesendet').waitFor();
  expect(await page.getByRole('button', { name: 'Erneut senden', exact: true }).isDisabled()).toBe(true);
});
