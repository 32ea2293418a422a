import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { WithModel } from '../../e2e/with-model.js';
import { watchPrompt } from '../../e2e/surface-prompt.js';
import { type Figure, medianFigure } from '../figure.js';

const WARM_UP = 2;
const RUNS = 5;
/** What is typed first: nothing on the screen has it before. */
const LETTER = '§';

/** From Ctrl+Alt+K to the first letter that stands in the prompt of an edit in place, in a window that has had one before. */
export async function measureInlineKey({ app }: WithModel): Promise<readonly Figure[]> {
  const { page, workbench } = app;
  const times: number[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    // A file of its own for each: nothing of a prompt before is in it.
    const name = `inline-${run}.js`;
    await writeFile(join(app.workspace, name), Array.from({ length: 12 }, (_, line) => `const value${line} = ${line};\n`).join(''));
    await workbench.openFile(name);
    await workbench.editor.select(3, 6);
    const time = await timeToLetter(page);
    if (run >= WARM_UP) times.push(time);
    await page.keyboard.press('Escape');
    await workbench.runCommand('View: Close All Editors');
  }
  return [medianFigure('inline_key_to_letter_ms', times, { unit: 'ms', goal: 100 })];
}

/** Presses the keys, types as soon as something takes it, and gives the milliseconds until the letter is there, by the clock of the window. */
async function timeToLetter(page: Page): Promise<number> {
  const watch = await watchPrompt(page, LETTER);
  await page.keyboard.press('Control+Alt+k');
  await watch.ready();
  await page.keyboard.type(LETTER);
  return watch.time();
}
