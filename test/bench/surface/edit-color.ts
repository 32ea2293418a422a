import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { WithModel } from '../../e2e/with-model.js';
import { answering, reply } from '../../support/model-server/index.js';
import { type Figure, medianFigure } from '../figure.js';

const WARM_UP = 2;
const RUNS = 8;
const LINES = 40;
const END = 'The value is new.';

/** When what an edit of the agent did could be seen in an editor, by the clock of the window. */
interface Seen {
  readonly text: number;
  readonly color: number;
  readonly lens: number;
}

declare global {
  var editSeen: Promise<Seen> | undefined;
}

/** From the new text of an edit of the agent in an open editor to its color, and to its buttons above it. */
export async function measureEditColor({ app, chat, server }: WithModel): Promise<readonly Figure[]> {
  const { page, workbench } = app;
  await chat.newSession();
  await chat.selectMode('Accept edits');
  const colors: number[] = [];
  const lenses: number[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    const name = `colored-${run}.js`;
    await writeFile(join(app.workspace, name), Array.from({ length: LINES }, (_, line) => `const value${line} = ${line};\n`).join(''));
    await workbench.openFile(name);
    await page.evaluate(watchInPage, `fresh${run}`);
    const edit = { file_path: name, edits: [{ old_string: 'const value3 = 3;', new_string: `const fresh${run} = 3;` }] };
    server.setScript(answering(reply().toolCall('read', { file_path: name }).toolCall('edit', edit), END));
    await chat.send(`Change ${name}`);
    const seen = await seenIn(page);
    await chat.waitForIdle();
    if (run >= WARM_UP) {
      colors.push(seen.color - seen.text);
      lenses.push(seen.lens - seen.text);
    }
    await workbench.runCommand('Gnomon: Keep All Changes');
    await workbench.runCommand('View: Close All Editors');
  }
  return [
    medianFigure('edit_text_to_color_ms', colors, { unit: 'ms', goal: 100 }),
    medianFigure('edit_text_to_buttons_ms', lenses, { unit: 'ms', goal: 1_000 }),
  ];
}

async function seenIn(page: Page): Promise<Seen> {
  const seen = await page.evaluate(() => globalThis.editSeen);
  if (seen === undefined) throw new Error('Nothing was watched.');
  return seen;
}

/** Runs in the page: looks at each frame for a word, the color of added lines on its line, and "Keep" above it. */
function watchInPage(word: string): void {
  const root = document.querySelector('.monaco-workbench') ?? document.body;
  const probe = root.appendChild(document.createElement('div'));
  probe.style.backgroundColor = 'var(--vscode-diffEditor-insertedLineBackground)';
  const added = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const editor = (): Element | null => document.querySelector('.editor-group-container.active .editor-instance');
  const hasText = (): boolean => [...(editor()?.querySelectorAll('.view-line') ?? [])].some((line) => line.textContent.includes(word));
  const hasColor = (): boolean =>
    [...(editor()?.querySelectorAll('.view-overlays .cdr') ?? [])].some((each) => getComputedStyle(each).backgroundColor === added);
  const hasLens = (): boolean => [...(editor()?.querySelectorAll('.codelens-decoration') ?? [])].some((each) => each.textContent.includes('Keep'));
  const when = (isSo: () => boolean): Promise<number> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (isSo()) resolve(performance.now());
        else requestAnimationFrame(look);
      };
      look();
    });
  globalThis.editSeen = Promise.all([when(hasText), when(hasColor), when(hasLens)]).then(([text, color, lens]) => ({ text, color, lens }));
}
