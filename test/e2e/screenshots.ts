import { mkdir } from 'node:fs/promises';
import { App } from './app.js';
import type { Chat } from './chat.js';

const README = 'media/readme';
const STATES = 'test-results/screenshots';
const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
} as const;

/** Plays the demo job in each theme and takes a screenshot of each state. The dark ones are the README's. */
export async function main(): Promise<number> {
  for (const [name, theme] of Object.entries(THEMES)) {
    const app = await App.start({ settings: { 'workbench.colorTheme': theme }, own: { env: {} } });
    try {
      await shoot(app, name);
    } finally {
      await app.stop();
    }
  }
  console.log(`The screenshots are in ${README} and ${STATES}.`);
  return 0;
}

async function shoot(app: App, theme: string): Promise<void> {
  await Promise.all([mkdir(README, { recursive: true }), mkdir(STATES, { recursive: true })]);
  const chat = await app.openChat();
  await app.page.mouse.move(800, 400);
  await widen(app);
  await app.page.screenshot({ path: `${STATES}/${theme}-empty.png` });
  await chat.send('Fix the failing test');
  await untilEdit(chat);
  await app.workbench.openFile('src/slot.js');
  await chat.prompt.scrollIntoViewIfNeeded();
  await app.page.screenshot({ path: `${STATES}/${theme}-permission.png` });
  if (theme === 'dark') await app.page.screenshot({ path: `${README}/permission.png` });
  await shootProposal(app, theme);
  await allowRest(chat);
  await app.page.screenshot({ path: `${STATES}/${theme}-done.png` });
  await shootMentions(app, theme);
  await chat.openHistory();
  await chat.frame.getByText('Fix the failing test').first().waitFor();
  await app.page.screenshot({ path: `${STATES}/${theme}-history.png` });
}

/** The editor of a proposal, which the prompt offers. */
async function shootProposal(app: App, theme: string): Promise<void> {
  await app.chat.prompt.getByRole('button', { name: 'Open Diff', exact: true }).click();
  await app.page.getByRole('tab', { name: /proposed by Gnomon/ }).waitFor();
  await app.page.locator('.monaco-diff-editor .editor.modified .view-line').first().waitFor();
  await app.page.screenshot({ path: `${STATES}/${theme}-proposal.png` });
  await app.workbench.runCommand('View: Close Editor');
}

/** What stands behind an `@`. */
async function shootMentions(app: App, theme: string): Promise<void> {
  const { chat } = app;
  await chat.message.pressSequentially('Explain @sl');
  await chat.frame.getByRole('option').first().waitFor();
  await app.page.screenshot({ path: `${STATES}/${theme}-mentions.png` });
  await chat.message.fill('');
}

/** Drags the border of the side bar, so that differences fit. */
async function widen(app: App): Promise<void> {
  const box = await app.page.locator('.part.sidebar').boundingBox();
  if (box === null) return;
  const edge = box.x + box.width;
  await app.page.mouse.move(edge, 300);
  await app.page.mouse.down();
  await app.page.mouse.move(edge + 180, 300, { steps: 5 });
  await app.page.mouse.up();
  await app.page.mouse.move(1000, 400);
}

/** Allows commands until the edit asks. */
async function untilEdit(chat: Chat): Promise<void> {
  for (let text = await chat.waitForPrompt(); !text.includes('slot.js'); text = await chat.waitForPrompt()) await chat.answer('Allow');
}

/** Allows everything until the turn is over. */
async function allowRest(chat: Chat): Promise<void> {
  const done = chat
    .button('Send')
    .waitFor({ timeout: 120_000 })
    .then(() => false);
  while (await Promise.race([done, chat.prompt.waitFor({ timeout: 120_000 }).then(() => true)])) await chat.answer('Allow');
}
