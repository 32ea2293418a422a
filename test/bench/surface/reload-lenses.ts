import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type WithModel, answering } from '../../e2e/with-model.js';
import { reply } from '../../support/model-server/index.js';
import { type Figure, median, medianFigure } from '../figure.js';

const RUNS = 5;
const NAME = 'reloaded.js';
/** What VS Code's own Merge Conflict has buttons for: it starts at the same moment as Gnomon. */
const CONFLICT = '<<<<<<< here\nconst here = 1;\n=======\nconst there = 2;\n>>>>>>> there\n';
const FILE = `${Array.from({ length: 12 }, (_, line) => `const value${line} = ${line};\n`).join('')}${CONFLICT}`;

/** When what an editor has after a start of the window could be seen, by the clock of the window. */
interface Seen {
  readonly text: number;
  readonly keep: number;
  /** The buttons of Merge Conflict. */
  readonly accept: number;
}

declare global {
  var reloadSeen: Promise<Seen> | undefined;
}

/** From the text of an open file with a pending edit in a window that starts, to the buttons above the edit. */
export async function measureReloadLenses({ app, chat, server }: WithModel): Promise<readonly Figure[]> {
  const { page, workbench } = app;
  await chat.newSession();
  await chat.selectMode('Accept edits');
  await writeFile(join(app.workspace, NAME), FILE);
  const edit = { file_path: NAME, edits: [{ old_string: 'const value3 = 3;', new_string: 'const fresh = 3;' }] };
  server.setScript(answering(reply().toolCall('read', { file_path: NAME }).toolCall('edit', edit)));
  await chat.send(`Change ${NAME}`);
  await chat.waitForIdle();
  await workbench.openFile(NAME);
  await page.addInitScript(watchInPage);
  const all: Seen[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await workbench.reload();
    const seen = await page.evaluate(() => globalThis.reloadSeen);
    if (seen === undefined) throw new Error('Nothing was watched.');
    all.push(seen);
  }
  await workbench.runCommand('Gnomon: Keep All Changes');
  const figure = medianFigure('lenses_after_reload_ms', all.map(({ keep, text }) => keep - text), { unit: 'ms', goal: 2_000 });
  return [{ ...figure, note: `${figure.note ?? ''}; of VS Code’s Merge Conflict ${Math.round(median(all.map(({ accept, text }) => accept - text)))}` }];
}

/** Runs in the page before anything else: looks at each frame for the text of an editor, and for buttons above its lines. */
function watchInPage(): void {
  if (window.top !== window) return;
  const has = (selector: string, words: string): boolean => [...document.querySelectorAll(`.editor-group-container.active .editor-instance ${selector}`)].some((each) => each.textContent.includes(words));
  const when = (isSo: () => boolean): Promise<number> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (isSo()) resolve(performance.now());
        else requestAnimationFrame(look);
      };
      look();
    });
  globalThis.reloadSeen = Promise.all([
    when(() => has('.view-line', 'value')),
    when(() => has('.codelens-decoration', 'Keep')),
    when(() => has('.codelens-decoration', 'Accept Current Change')),
  ]).then(([text, keep, accept]) => ({ text, keep, accept }));
}
