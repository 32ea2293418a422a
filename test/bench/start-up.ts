import { App } from '../e2e/app.js';
import { composerTime, emptyViewTime } from './composer-time.js';
import { type Figure, median } from './figure.js';
import { activationTime, askHost, PROBE } from './host-probe.js';

const STARTS = 10;

/**
 * What a person waits for when VS Code starts, and when they open the chat, beside what the machine gives: VS Code's own
 * small extension Merge Conflict, which starts at the same moment, and a view with an empty page.
 */
export async function measureStartUp(): Promise<readonly Figure[]> {
  const activate: number[] = [];
  const other: number[] = [];
  const composer: number[] = [];
  const empty: number[] = [];
  for (let run = 0; run < STARTS; run++) {
    await started(async (app) => {
      const facts = await askHost(app);
      activate.push(activationTime(facts, 'gnomon.gnomon'));
      other.push(activationTime(facts, 'vscode.merge-conflict'));
    });
    // Each is the first view with a page in its window.
    await started(async (app) => composer.push(await composerTime(app)));
    await started(async (app) => empty.push(await emptyViewTime(app)));
  }
  return [ratio('activate_ratio', { of: activate, to: other, goal: 1.3 }), ratio('composer_visible_ratio', { of: composer, to: empty, goal: 2 })];
}

/** Starts VS Code, and looks when Gnomon is active: then its item is in the status bar. */
async function started(look: (app: App) => Promise<unknown>): Promise<void> {
  const app = await App.start({ own: { env: {}, others: [PROBE] } });
  try {
    await app.page.locator('[id="gnomon.gnomon.gnomon.status"]').waitFor();
    await look(app);
  } finally {
    await app.stop();
  }
}

function ratio(name: string, { of, to, goal }: { readonly of: readonly number[]; readonly to: readonly number[]; readonly goal: number }): Figure {
  const [ours, others] = [median(of), median(to)];
  return { name, value: ours / others, unit: '×', goal, note: `medians of ${of.length}: ${Math.round(ours)} against ${Math.round(others)} ms` };
}
