import type { Page } from 'playwright-core';
import type { PanelHost } from '../support/panel-host/page.js';
import { startPanelHost } from '../support/panel-host/server.mjs';
import { type Shape, SHAPES } from '../support/panel-host/texts.js';
import { openBrowser } from '../vscode/browser.mjs';
import { type Figure, median } from './figure.js';

declare const panelHost: PanelHost;

/** Streams of each shape. */
const STREAMS = 3;

/** The panel's production bundle in a tab of its own with a stub host: its longest task while 240 kB stream, and its heap. */
export async function measurePanelAlone(): Promise<readonly Figure[]> {
  const host = await startPanelHost();
  const browser = await openBrowser();
  try {
    const heap = await heapAfterFirstAnswer(await browser.newPage(), host.url());
    const tasks: [Shape, number][] = [];
    for (const shape of Object.keys(SHAPES) as Shape[]) tasks.push([shape, await longestTask(await browser.newPage(), host.url(), shape)]);
    const worst = tasks.reduce((a, b) => (b[1] > a[1] ? b : a));
    const note = `worst of ${tasks.length} shapes of text: ${tasks.map(([shape, ms]) => `${shape} ${Math.round(ms)}`).join(', ')}`;
    return [
      { name: 'longest_frame_ms', value: worst[1], unit: 'ms', goal: 33, note },
      { name: 'webview_heap_mb', value: heap, unit: 'MB', goal: 25, note: 'after a garbage collection' },
    ];
  } finally {
    await browser.close();
    await host.close();
  }
}

async function heapAfterFirstAnswer(page: Page, url: string): Promise<number> {
  await open(page, url);
  await page.evaluate(() => panelHost.stream({ deltas: 200 }));
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await page.close();
  return usedSize / 1_000_000;
}

/**
 * The median of the longest tasks of some streams: one that another program held up does not count. A short stream
 * before them warms the page up, as use does. Tasks below 50 ms are not reported by the browser.
 */
async function longestTask(page: Page, url: string, shape: Shape): Promise<number> {
  await open(page, url);
  await page.evaluate((kind) => panelHost.stream({ shape: kind, deltas: 500 }), shape);
  const longest: number[] = [];
  for (let run = 0; run < STREAMS; run++) {
    const { longestTaskMs, longestGapMs } = await page.evaluate((kind) => panelHost.stream({ shape: kind }), shape);
    longest.push(Math.max(longestTaskMs, Math.min(longestGapMs, 50)));
  }
  await page.close();
  return median(longest);
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
}
