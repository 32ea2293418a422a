import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WithModel } from '../../e2e/with-model.js';
import { answering, gate, lastToolResults, reply } from '../../support/model-server/index.js';
import type { Figure } from '../figure.js';
import { sizePanel } from './panel-size.js';

const FILE = 'one\ntwo\nthree\nfour\n';
const EDIT = [{ old_string: 'two', new_string: 'TWO' }];
const SLOW = { timeout: 60_000 };

/** How many rows and pixels there are below the conversation of a new chat. */
export async function measureComposer(all: WithModel): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  await all.chat.newSession();
  for (const width of [260, 300, 480]) {
    await sizePanel(all, width, 900);
    const { rows, height } = await all.chat.message.evaluate((box) => {
      // The smallest part around the text that has what sends it; below it there may be more rows.
      let composer: Element = box;
      while (composer.parentElement !== null && composer.querySelector('button') === null) composer = composer.parentElement;
      const { top } = composer.getBoundingClientRect();
      const controls = [...document.querySelectorAll('button, select, [role=combobox], [role=meter], [role=button]')].filter((element) => {
        const rect = element.getBoundingClientRect();
        return element !== box && rect.width > 0 && rect.height > 0 && rect.top >= top && getComputedStyle(element).visibility === 'visible';
      });
      const middles = controls
        .map((element) => element.getBoundingClientRect())
        .map((rect) => rect.top + rect.height / 2)
        .toSorted((a, b) => a - b);
      // What stands side by side differs by a few pixels at most.
      const count = middles.filter((middle, index) => index === 0 || middle - (middles[index - 1] ?? 0) > 8).length;
      return { rows: count, height: Math.round(window.innerHeight - top) };
    });
    figures.push(
      { name: `composer_rows_${width}`, value: rows, unit: 'rows', goal: 1 },
      { name: `composer_height_${width}`, value: height, unit: 'px', goal: 96, note: 'from its upper edge to the end of the panel' },
    );
  }
  return figures;
}

/** How much of a panel of 300 × 900 pixels is not the conversation, with a plan, three changed files and two queued messages. */
export async function measureShare(all: WithModel): Promise<readonly Figure[]> {
  const { app, chat, server } = all;
  await sizePanel(all, 300, 900);
  await chat.newSession();
  await chat.selectMode('Accept edits');
  const names = ['first.txt', 'second.txt', 'third.txt'];
  for (const name of names) await writeFile(join(app.workspace, name), FILE);
  const held = gate();
  const todos = ['Find where slots are compared', 'Make slots half-open', 'Add a test', 'Run all tests'].map((text, index) => ({
    text,
    status: index === 0 ? 'in_progress' : 'pending',
  }));
  const first = names.reduce(
    (each, name) => each.toolCall('read', { file_path: name }).toolCall('edit', { file_path: name, edits: EDIT }),
    reply().toolCall('todo', { todos }),
  );
  server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('Now the tests.', held) : first));
  await chat.send('Make slots half-open');
  await chat.log.getByText('Now the tests.').waitFor(SLOW);
  for (const [index, text] of ['Then bump the version.', 'And update the README.'].entries()) {
    await chat.message.fill(text);
    await chat.message.press('Enter');
    await chat.frame
      .locator('body')
      .getByText(new RegExp(`${index + 1} (?:messages? )?queued`))
      .first()
      .waitFor(SLOW);
  }
  const { log, panel } = await chat.log.evaluate((element) => ({ log: element.getBoundingClientRect().height, panel: window.innerHeight }));
  await chat.button('Stop').click();
  held.open();
  const share = (100 * log) / panel;
  return [
    {
      name: 'around_conversation_percent',
      value: 100 - share,
      unit: '%',
      goal: 35,
      note: `${Math.round(log)} of ${panel} pixels are the conversation: ${Math.round(share)} %`,
    },
  ];
}

/** How many boxes there are in a panel with a turn of ten calls. */
export async function measureBoxes(all: WithModel): Promise<readonly Figure[]> {
  const { app, chat, server } = all;
  await chat.newSession();
  await chat.selectMode('Accept edits');
  for (const name of ['box.txt', 'other.txt']) await writeFile(join(app.workspace, name), FILE);
  const calls = reply()
    .text('I look around first.')
    .toolCall('bash', { command: 'node --version' })
    .toolCall('read', { file_path: 'box.txt' })
    .toolCall('read', { file_path: 'other.txt' })
    .toolCall('grep', { pattern: 'overlaps' })
    .toolCall('glob', { pattern: 'test/*.test.js' })
    .toolCall('read', { file_path: 'package.json' })
    .toolCall('read', { file_path: 'missing.txt' })
    .toolCall('edit', { file_path: 'box.txt', edits: EDIT })
    .toolCall('edit', { file_path: 'other.txt', edits: EDIT })
    .toolCall('bash', { command: 'node --version' });
  server.setScript(answering(calls, 'Both files are changed.'));
  await chat.send('Change both files');
  await chat.log.getByText('Both files are changed.').waitFor(SLOW);
  await chat.waitForIdle();
  const boxes = await chat.log.evaluate((log) => {
    const isSeen = (color: string): boolean => color !== 'transparent' && !/(?:, 0|\/ 0)\)$/.test(color);
    return [...log.querySelectorAll('*')].filter((element) => {
      const style = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0 || style.visibility !== 'visible' || style.opacity === '0') return false;
      const sides = (['Top', 'Right', 'Bottom', 'Left'] as const).filter(
        (side) => Number.parseFloat(style[`border${side}Width`]) > 0 && style[`border${side}Style`] !== 'none' && isSeen(style[`border${side}Color`]),
      ).length;
      return sides >= 3 || (sides > 0 && isSeen(style.backgroundColor));
    }).length;
  });
  return [
    { name: 'boxes_ten_calls', value: boxes, unit: 'boxes', goal: 0, note: 'in the conversation, of a border on three sides or of a border and a background' },
  ];
}
