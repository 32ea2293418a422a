import { setTimeout as pause } from 'node:timers/promises';
import { App } from '../e2e/app.js';
import { reply, startModelServer } from '../support/model-server/index.js';
import { Workbench } from '../vscode/workbench.mjs';
import { wholeCpu } from './cpu-trace.js';
import type { Figure } from './figure.js';
import { askHost, PROBE } from './host-probe.js';
import { processorMsOf } from './processor-time.js';

/** Milliseconds in which VS Code itself ends what it puts off at its start. */
const SETTLE_MS = 30_000;
const MINUTE_MS = 60_000;

/** Processor time of a minute in percent of one core. */
interface Idle {
  readonly host: number;
  readonly page: number;
}

/**
 * What an open conversation costs while nothing runs, beyond a view with an empty page: in the extension host, which VS Code
 * and all extensions share, and in the window with its views, which are one page to the browser.
 */
export async function measureIdle(): Promise<readonly Figure[]> {
  const server = await startModelServer();
  server.setScript(() => reply().text('A short answer.'));
  try {
    const settings = {
      'gnomon.anthropic.baseUrl': server.url,
      'gnomon.model': 'anthropic/claude-sonnet-5-5',
      // Otherwise VS Code looks through all processes of the machine for open ports every few seconds, in the extension host.
      'remote.autoForwardPortsSource': 'output',
    };
    const empty = await idle(settings, async (app) => {
      await app.workbench.openView('Probe');
      await new Workbench(app.page, { extensionId: 'gnomon-test.probe' }).webview().locator('#empty').waitFor();
    });
    const open = await idle(settings, async (app) => {
      const chat = await app.openChat();
      await chat.send('Say something short');
      await chat.waitForText('A short answer.');
      await chat.waitForIdle();
      // The blinking of a cursor is drawn by the browser, in any page.
      await chat.message.blur();
    });
    return [figure('idle_host_percent', open.host, empty.host), figure('idle_page_percent', open.page, empty.page)];
  } finally {
    await server.close();
  }
}

/** Less than 0.05 is 0.0 % to whoever looks at a list of processes. */
function figure(name: string, open: number, empty: number): Figure {
  return {
    name,
    value: Math.max(0, open - empty),
    unit: '%',
    goal: 0.05,
    note: `of a core over a minute: ${open.toFixed(3)} with a conversation, ${empty.toFixed(3)} with an empty view`,
  };
}

/** Measures a window in which something was opened. */
async function idle(settings: Readonly<Record<string, unknown>>, opens: (app: App) => Promise<void>): Promise<Idle> {
  const app = await App.start({ settings, own: { others: [PROBE] } });
  try {
    const { pid } = await askHost(app);
    await opens(app);
    await pause(SETTLE_MS);
    const before = await processorMsOf(pid);
    const page = await wholeCpu(app.page, () => pause(MINUTE_MS));
    return { host: percent((await processorMsOf(pid)) - before), page: percent(page) };
  } finally {
    await app.stop();
  }
}

function percent(ms: number): number {
  return (ms / MINUTE_MS) * 100;
}
