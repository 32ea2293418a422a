import type { Locator } from 'playwright-core';
import type { App } from '../e2e/app.js';
import { Workbench } from '../vscode/workbench.mjs';

/** Milliseconds between two looks for the element; part of the error of the figure. */
const POLL_MS = 4;

declare global {
  /** In the window: when the mouse button went down. In the page of a view: when its element had been drawn. */
  var gnomonMoment: Promise<number> | undefined;
}

/** From the click on the chat's icon until its message box has been drawn, in milliseconds. */
export function composerTime(app: App): Promise<number> {
  return viewTime(app, 'Gnomon', { selector: 'textarea[aria-label="Message"]', element: app.chat.message });
}

/** The same for the view of an extension that shows a page with one line in it, see {@link PROBE}. */
export function emptyViewTime(app: App): Promise<number> {
  const view = new Workbench(app.page, { extensionId: 'gnomon-test.probe' }).webview();
  return viewTime(app, 'Probe', { selector: '#empty', element: view.locator('#empty') });
}

/**
 * From the click on the icon of a view until an element of its page has been drawn. Both moments are taken inside the
 * browser: Playwright looks for a frame only every half second, which would count in full.
 */
async function viewTime(app: App, label: string, { selector, element }: { readonly selector: string; readonly element: Locator }): Promise<number> {
  const icon = app.page.locator(`.activitybar a.action-label[aria-label^="${label}"]`);
  await icon.waitFor();
  await app.page.addInitScript(watchFor, { selector, pollMs: POLL_MS });
  await app.page.evaluate(watchForClick);
  await icon.click();
  const drawn = await element.evaluate(() => globalThis.gnomonMoment);
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

/** Runs first in every page that is opened from then on; only that of the view has the element. */
function watchFor({ selector, pollMs }: { readonly selector: string; readonly pollMs: number }): void {
  globalThis.gnomonMoment = new Promise((resolve) => {
    const drawn = (): void => resolve(performance.timeOrigin + performance.now());
    // VS Code writes the page into the document that is there, which ends observers and frames asked for before.
    const timer = setInterval(() => {
      if (document.querySelector(selector) === null) return;
      clearInterval(timer);
      // What is there before a frame is painted at the next one.
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    }, pollMs);
  });
}
