import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WithModel } from '../../e2e/with-model.js';
import { answering, reply } from '../../support/model-server/index.js';
import { type Figure, medianFigure } from '../figure.js';

const RUNS = 5;
const TIMEOUT_MS = 60_000;
/** No language has lenses of its own there: VS Code shows those of all extensions at once, when the last one has answered. */
const NAME = 'reloaded.txt';
const FILE = Array.from({ length: 12 }, (_, line) => `value ${line}\n`).join('');

/** When what an editor has after a start of the window could be seen, by the clock of the window. */
interface Seen {
  readonly text: number;
  readonly keep: number;
}

declare global {
  var reloadSeen: Partial<Seen> | undefined;
}

/** From the text of a file with a pending edit, opened in a window that has just started, to the buttons above the edit. */
export async function measureReloadLenses({ app, chat, server }: WithModel): Promise<readonly Figure[]> {
  const { page, workbench } = app;
  await chat.newSession();
  await chat.selectMode('Accept edits');
  await writeFile(join(app.workspace, NAME), FILE);
  const edit = { file_path: NAME, edits: [{ old_string: 'value 3', new_string: 'fresh' }] };
  server.setScript(answering(reply().toolCall('read', { file_path: NAME }).toolCall('edit', edit)));
  await chat.send(`Change ${NAME}`);
  await chat.waitForIdle();
  await page.addInitScript(watchInPage);
  const all: Seen[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await workbench.reload();
    // At once: VS Code in a browser does not always open again what was open.
    await workbench.openFile(NAME);
    const seen = await page.waitForFunction(
      () => {
        const { text, keep } = globalThis.reloadSeen ?? {};
        return text === undefined || keep === undefined ? undefined : { text, keep };
      },
      undefined,
      { timeout: TIMEOUT_MS },
    );
    all.push((await seen.jsonValue()) as Seen);
  }
  await workbench.runCommand('Gnomon: Keep All Changes');
  return [
    medianFigure(
      'lenses_after_reload_ms',
      all.map(({ keep, text }) => keep - text),
      { unit: 'ms', goal: 2_000 },
    ),
  ];
}

/** Runs in the page before anything else: looks at each frame for the text of an editor, and for buttons above its lines. */
function watchInPage(): void {
  if (window.top !== window) return;
  const has = (selector: string, words: string): boolean =>
    [...document.querySelectorAll(`.editor-group-container.active .editor-instance ${selector}`)].some((each) => each.textContent.includes(words));
  const seen: { -readonly [Name in keyof Seen]?: number } = {};
  const look = (): void => {
    if (has('.view-line', 'value')) seen.text ??= performance.now();
    if (has('.codelens-decoration', 'Keep')) seen.keep ??= performance.now();
    if (seen.text === undefined || seen.keep === undefined) requestAnimationFrame(look);
  };
  look();
  globalThis.reloadSeen = seen;
}
