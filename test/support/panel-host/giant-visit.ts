import type { Page } from 'playwright-core';
import { type Giant, GIANT_END } from './giant-items.js';
import type { WatchFigures } from './page.js';

declare global {
  /** In the page: ends what {@link whileTyping} began to watch. */
  var endWatch: () => WatchFigures;
}

/** Keys that are pressed while something is done, at least. */
const MIN_KEYS = 4;
/** Calls that {@link streamCalls} streams, and how many of them in a frame. */
export const STREAMED_CALLS = 500;
const CALLS_PER_FRAME = 5;

/** What came of something that was done while somebody typed. */
export interface TypingFigures extends WatchFigures {
  /** What was typed, and what of it was in the box when all was done. */
  readonly typed: string;
  readonly arrived: string;
}

/**
 * Does something while somebody types a message, and empties the box of it afterwards.
 * @param measure is given what is done and typed, without what is looked at before and afterwards, and does it
 */
export async function whileTyping(
  page: Page,
  does: () => Promise<unknown>,
  measure = (work: () => Promise<void>): Promise<void> => work(),
): Promise<TypingFigures> {
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.focus();
  await page.evaluate(() => {
    globalThis.endWatch = globalThis.panelHost.watch();
  });
  let typed = '';
  await measure(async () => {
    const work = { over: false };
    const done = does().finally(() => (work.over = true));
    while (!work.over || typed.length < MIN_KEYS) {
      await page.keyboard.press('a', { delay: 30 });
      typed += 'a';
    }
    await done;
  });
  const figures = await page.evaluate(() => globalThis.endWatch());
  const arrived = await box.inputValue();
  await box.fill('');
  return { ...figures, typed, arrived };
}

/** Opens a conversation that ends with a giant answer. Resolves when the end of that is in the page. */
export async function openGiant(page: Page, name: Giant): Promise<void> {
  await page.evaluate((giant) => globalThis.panelHost.giant(giant, true), name);
  // Looks at the last texts only: reading all of it costs the page time.
  await page.waitForFunction(
    (end) => {
      const walker = document.createTreeWalker(document.querySelector('[role=log]') ?? document.body);
      while (walker.lastChild() !== null);
      for (let steps = 0; steps < 200; steps += 1) {
        if (walker.currentNode.nodeType === Node.TEXT_NODE && walker.currentNode.textContent?.includes(end) === true) return true;
        if (walker.previousNode() === null) return false;
      }
      return false;
    },
    GIANT_END,
    { timeout: 80_000, polling: 200 },
  );
}

/** Opens a conversation with a giant answer in its middle, and moves the view over that to the start. */
export async function comeUponGiant(page: Page, name: Giant): Promise<void> {
  await page.evaluate((giant) => globalThis.panelHost.giant(giant, false), name);
  for (const part of [0.9, 0.6, 0.3, 0]) {
    await page.getByRole('log').evaluate((log, to) => {
      log.scrollTop = (log.scrollHeight - log.clientHeight) * to;
    }, part);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** Moves the view by steps that lead through all of the conversation. */
export async function scrollAll(page: Page, steps: number): Promise<void> {
  await page.evaluate(async (count) => {
    const log = document.querySelector('[role=log]');
    for (let step = count; step >= 0 && log !== null; step -= 1) {
      log.scrollTop = ((log.scrollHeight - log.clientHeight) * step) / count;
      await new Promise(requestAnimationFrame);
    }
  }, steps);
}

/** Shows an answer that is begun and has nothing in it yet. */
export async function beginAnswer(page: Page): Promise<void> {
  await page.evaluate(() => {
    const item = { kind: 'answer' as const, id: 'live', blocks: [], status: 'streaming' as const, time: '', summary: '' };
    return globalThis.panelHost.show({ items: [item], activity: 'running' });
  });
}

/** Streams the calls of a long job into the answer that {@link beginAnswer} began. */
export async function streamCalls(page: Page): Promise<void> {
  await page.evaluate(
    async ([calls, perFrame]) => {
      for (let index = 0; index < calls; index += 1) {
        const call = { id: `c${index}`, name: 'bash', subject: `npm test ${index}`, status: 'done' as const, output: 'fine\n' };
        globalThis.panelHost.events({ type: 'block_added', item: 'live', block: { type: 'tool', call } });
        if (index % perFrame === 0) await new Promise(requestAnimationFrame);
      }
    },
    [STREAMED_CALLS, CALLS_PER_FRAME] as const,
  );
}
