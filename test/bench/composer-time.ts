import type { App } from '../e2e/app.js';

/** Milliseconds between two looks for the message box; part of the error of the figure. */
const POLL_MS = 4;

declare global {
  /** In the window: when the mouse button went down. In the page of the chat: when its message box had been drawn. */
  var gnomonMoment: Promise<number> | undefined;
}

/**
 * From the click on the chat's icon until its message box has been drawn, in milliseconds. Both moments are taken inside
 * the browser: Playwright looks for a frame only every half second, which would count in full.
 */
export async function composerTime(app: App): Promise<number> {
  const icon = app.page.locator('.activitybar a.action-label[aria-label^="Gnomon"]');
  await icon.waitFor();
  await app.page.addInitScript(watchForMessageBox, POLL_MS);
  await app.page.evaluate(watchForClick);
  await icon.click();
  const drawn = await app.chat.message.evaluate(() => globalThis.gnomonMoment);
  const clicked = await app.page.evaluate(() => globalThis.gnomonMoment);
  if (drawn === undefined || clicked === undefined) throw new Error('The moments were not taken.');
  return drawn - clicked;
}

/** Runs in the window. */
function watchForClick(): void {
  globalThis.gnomonMoment = new Promise((resolve) => {
    const take = (): void => resolve(performance.timeOrigin + performance.now());
    document.addEventListener('mousedown', take, { capture: true, once: true });
  });
}

/** Runs first in every page that is opened from then on; only that of the chat has a message box. */
function watchForMessageBox(pollMs: number): void {
  globalThis.gnomonMoment = new Promise((resolve) => {
    const drawn = (): void => resolve(performance.timeOrigin + performance.now());
    // VS Code writes the page into the document that is there, which ends observers and frames asked for before.
    const timer = setInterval(() => {
      if (document.querySelector('textarea[aria-label="Message"]') === null) return;
      clearInterval(timer);
      // What is there before a frame is in the picture at the next one.
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    }, pollMs);
  });
}
