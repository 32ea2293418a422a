import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { WithModel } from '../../e2e/with-model.js';
import { GUARD_MS } from '../../../webview/state/approval/key-guard.js';
import { falseOnTimeout } from '../../vscode/editor.mjs';
import { waitFor } from '../../vscode/wait.mjs';
import { answering, type Reply, reply } from '../../support/model-server/index.js';
import type { Figure } from '../figure.js';
import { sizePanel } from './panel-size.js';

/** What the model says at the end. */
const END = 'All of that is done.';
/** Clicks after which the scripted person gives up. */
const MAX_CLICKS = 12;
/** Milliseconds in which a button that will be enabled by itself is. */
const ENABLED_MS = 1_500;
const TIMEOUT_MS = 30_000;

/** The names of what the person may click, the best first. */
const ALLOW = [/^allow all\b/i, /^allow\b/i];
/** What leads to the end of something that has to be read first. */
const READ = /scroll to end|show the end|review the rest/i;

const FILE = `${Array.from({ length: 9 }, (_, index) => `export const value${index} = compute(${index}, options);`).join('\n')}\n`;
const EDITS = [2, 6].map((index) => ({ old_string: `compute(${index}, options)`, new_string: `derive(${index}, options)` }));

/** How many clicks it takes until what the model proposed is done. */
export async function measureClicks(all: WithModel): Promise<readonly Figure[]> {
  await sizePanel(all, 300, 900);
  const edit = (name: string): object => ({ file_path: name, edits: EDITS });
  const lines = Array.from({ length: 30 }, (_, index) => `export const line${index} = ${index};`).join('\n');
  const three = ['one.js', 'two.js', 'three.js'];
  for (const name of ['a.js', ...three]) await writeFile(join(all.app.workspace, name), FILE);
  const figures: Figure[] = [];
  const measure = async (name: string, files: readonly string[], first: Reply): Promise<void> => {
    figures.push({ name, value: await clicksFor(all, files, first), unit: 'clicks', goal: 1, note: 'at 300 × 900 pixels' });
  };
  await measure('clicks_edit_13_lines', ['a.js'], reply().toolCall('read', { file_path: 'a.js' }).toolCall('edit', edit('a.js')));
  await measure('clicks_new_file_30_lines', ['new.js'], reply().toolCall('write', { file_path: 'new.js', content: `${lines}\n` }));
  const reads = three.reduce((each, name) => each.toolCall('read', { file_path: name }), reply());
  await measure(
    'clicks_three_edits',
    three,
    three.reduce((each, name) => each.toolCall('edit', edit(name)), reads),
  );
  return figures;
}

/** Sends a message and allows what the model asks for. */
async function clicksFor({ app, chat, server }: WithModel, files: readonly string[], first: Reply): Promise<number> {
  const contents = async (): Promise<string> =>
    (await Promise.all(files.map((name) => readFile(join(app.workspace, name), 'utf8').catch(() => '')))).join('\0');
  server.setScript(answering(first, END));
  await chat.newSession();
  await chat.send(`Change ${files.join(', ')}`);
  const end = chat.log.getByText(END);
  for (let clicks = 0; clicks < MAX_CLICKS; clicks += 1) {
    const button = await nextButton(chat.frame.locator('body'), end);
    if (button === undefined) return clicks;
    const before = await contents();
    await button.click();
    // Reading on changes nothing.
    const isDone = async (): Promise<boolean> => (await contents()) !== before || (await end.isVisible());
    if (!READ.test((await button.textContent({ timeout: 100 }).catch(() => '')) ?? ''))
      await waitFor(isDone, { what: 'the change', timeoutMs: TIMEOUT_MS }).catch(() => undefined);
  }
  throw new Error(`${files.join(', ')} could not be changed with ${MAX_CLICKS} clicks.`);
}

/** What the person clicks next; nothing when it is over. */
async function nextButton(panel: Locator, end: Locator): Promise<Locator | undefined> {
  const named = (name: RegExp, disabled?: boolean): Locator =>
    panel
      .getByRole('button', { name, ...(disabled === undefined ? {} : { disabled }) })
      .filter({ visible: true })
      .first();
  const any = ALLOW.map((name) => named(name)).reduce((a, b) => a.or(b));
  await any.or(end).first().waitFor({ timeout: TIMEOUT_MS });
  if (await end.isVisible()) return undefined;
  // Somebody who reads: what was clicked for the prompt before must not answer this one.
  await panel.evaluate((_, ms) => new Promise((resolve) => setTimeout(resolve, ms)), GUARD_MS + 50);
  for (const name of ALLOW) {
    const ready = named(name, false);
    if ((await named(name).isVisible()) && (await ready.waitFor({ timeout: ENABLED_MS }).then(() => true, falseOnTimeout))) return ready;
  }
  return named(READ);
}
