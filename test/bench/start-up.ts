import { App } from '../e2e/app.js';
import { composerTime } from './composer-time.js';
import type { Figure } from './figure.js';
import { median, medianFigure } from './figure.js';

const STARTS = 10;

/** What a person waits for when VS Code starts, and when they open the chat. */
export async function measureStartUp(): Promise<readonly Figure[]> {
  const activate: number[] = [];
  const other: number[] = [];
  const composer: number[] = [];
  for (let run = 0; run < STARTS; run++) {
    const app = await App.start({ own: { env: {} } });
    try {
      const times = await activationTimes(app);
      activate.push(times.gnomon);
      other.push(times.mergeConflict);
      composer.push(await composerTime(app));
    } finally {
      await app.stop();
    }
  }
  const activateFigure = medianFigure('activate_ms', activate, { unit: 'ms', goal: 15 });
  return [
    { ...activateFigure, note: `${activateFigure.note ?? ''}; VS Code’s own Merge Conflict: ${median(other)} ms` },
    medianFigure('composer_visible_ms', composer, { unit: 'ms', goal: 600 }),
  ];
}

/**
 * The times that VS Code itself gives in its list of running extensions: loading the code and calling `activate`, while
 * everything else starts too. Its own small extension, which starts at the same moment, shows what the machine gives.
 */
async function activationTimes(app: App): Promise<{ readonly gnomon: number; readonly mergeConflict: number }> {
  // The extension is active once its item is in the status bar. The list holds only the rows that there is room for.
  await app.page.locator('[id="gnomon.gnomon.gnomon.status"]').waitFor();
  await app.page.setViewportSize({ width: 1280, height: 1600 });
  await app.workbench.runCommand('Developer: Show Running Extensions');
  const times = { gnomon: await listedTime(app, 'Gnomon'), mergeConflict: await listedTime(app, 'Merge Conflict') };
  const block = app.page.locator('.monaco-modal-editor-block');
  if (await block.isVisible()) await app.page.keyboard.press('Escape');
  await block.waitFor({ state: 'hidden' });
  return times;
}

async function listedTime(app: App, name: string): Promise<number> {
  const row = app.page.locator('.runtime-extensions-editor .monaco-list-row', { hasText: name });
  const match = /(\d+)ms/.exec(await row.getByText(/Activation: \d+ms/).innerText());
  if (match?.[1] === undefined) throw new Error(`The list of running extensions shows no activation time of ${name}.`);
  return Number(match[1]);
}
