import type { Locator, Page } from 'playwright-core';
import type { HostMessage, PanelMessage } from '../../../src/protocol/messages.js';
import { findText } from '../../../src/chat/code/find-text.js';
import { falseOnTimeout } from '../../vscode/editor.mjs';
import { delivered } from '../panel-host/rig.js';
import { type Stage, SESSION } from './stage.js';

/**
 * What a person does in a panel, found by roles and by any of the names that a thing has had: the same steps lead to the
 * same state before and after the panel was made anew.
 */

/** Milliseconds in which something opens. */
const OPENS_MS = 3_000;

/** Names by what they stand for. */
const NAMES = {
  history: /^(?:chat )?history/i,
  model: /^model/i,
  mode: /^(?:permission )?mode\b/i,
  context: /^context/i,
  above: /plan|step|to-?do|files?\b|change|queue|message/i,
} as const;

/** Anything that opens over the panel. */
const POPUP = '[role=option], [role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=dialog]';

/** The first of some that can be seen. */
async function firstVisible(...ways: readonly Locator[]): Promise<Locator | undefined> {
  for (const way of ways) if ((await way.count()) > 0 && (await way.first().isVisible())) return way.first();
  return undefined;
}

/** A control of a name, however it is made. */
function control(page: Page, name: RegExp): readonly Locator[] {
  return (['combobox', 'button', 'meter'] as const).map((role) => page.getByRole(role, { name }));
}

/** Opens one of the composer's menus. */
export async function openMenu(page: Page, which: 'model' | 'mode'): Promise<void> {
  const found = await firstVisible(...control(page, NAMES[which]));
  if (found === undefined) throw new Error(`There is no menu for the ${which}.`);
  await found.click();
  await page.locator(POPUP).filter({ visible: true }).first().waitFor({ timeout: OPENS_MS });
}

/** Opens what tells of the context window, where it opens. */
export async function openContext(page: Page): Promise<void> {
  const found = await firstVisible(...control(page, NAMES.context).toReversed());
  if (found === undefined) return;
  await found.click();
  await page
    .getByRole('dialog')
    .filter({ visible: true })
    .first()
    .waitFor({ timeout: OPENS_MS / 10 })
    .then(() => true, falseOnTimeout);
}

/** Opens the list of the chats: by its button, or as VS Code's own title bar asks for it. */
export async function openHistory(page: Page): Promise<void> {
  const found = await firstVisible(page.getByRole('button', { name: NAMES.history }));
  if (found === undefined) await page.evaluate(() => globalThis.panelHost.post({ type: 'show_history' }));
  else await found.click();
  await page.getByText('Explain how the parser recovers').first().waitFor({ timeout: OPENS_MS });
}

/** Writes the beginning of a mention. */
export async function typeMention(page: Page): Promise<void> {
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.click();
  await message.pressSequentially('Explain @');
  await page.locator(POPUP).filter({ visible: true }).first().waitFor({ timeout: OPENS_MS });
}

/** Looks for words in the conversation, in which the host finds them. */
export async function openFind(page: Page, stage: Stage, words: string): Promise<void> {
  await page.keyboard.press('Control+f');
  const box = page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: /find|search/i }))
    .first();
  // Where the panel leaves the key to VS Code, that asks for the box.
  if (!(await box.waitFor({ timeout: OPENS_MS }).then(() => true, falseOnTimeout)))
    await page.evaluate(() => globalThis.panelHost.post({ type: 'open_search' }));
  await box.waitFor({ timeout: OPENS_MS });
  await box.pressSequentially(words);
  const asked = await page.waitForFunction((query) => globalThis.panelHost.posts.findLast((post) => post.type === 'find_text' && post.query === query), words);
  const { request } = (await asked.jsonValue()) as Extract<PanelMessage, { type: 'find_text' }>;
  const answer: HostMessage = { type: 'found', session: SESSION, request, ...(await findText(stage.view.items, words)) };
  await page.evaluate((message) => globalThis.panelHost.post(message), answer);
  await delivered(page);
}

/** Opens all that is folded between the conversation and the message. */
export async function openAbove(page: Page): Promise<void> {
  await page.evaluate(async (names) => {
    const pattern = new RegExp(names, 'i');
    const folded = [...document.querySelectorAll<HTMLElement>('button[aria-expanded="false"]:not([aria-haspopup])')];
    for (const button of folded) {
      const name = `${button.ariaLabel ?? ''} ${button.textContent} ${button.closest('[aria-label]')?.ariaLabel ?? ''}`;
      if (button.closest('[role=log]') !== null || !pattern.test(name)) continue;
      button.click();
      await new Promise(requestAnimationFrame);
    }
  }, NAMES.above.source);
}
