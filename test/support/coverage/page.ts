import type { Page } from 'playwright-core';
import { countsText, saveCounts } from './counts.mjs';

/** Whether coverage is measured. */
export function isCoverageMeasured(): boolean {
  return Boolean(process.env['GNOMON_COVERAGE']);
}

/** Saves what ran in a page whenever it is left, such as by a reload, if coverage is measured. Call it before the page has an address. */
export async function followPage(page: Page): Promise<void> {
  if (!isCoverageMeasured()) return;
  await page.exposeFunction('saveCounts', (text: string) => {
    saveCounts(text);
  });
  // What is called later than this, such as at `pagehide`, does not come through when the page is loaded again.
  await page.addInitScript(`addEventListener('beforeunload', () => saveCounts((${countsText.toString()})()))`);
}

/** Saves what ran in a page that is going to be closed, if coverage is measured. */
export async function savePage(page: Page): Promise<void> {
  if (isCoverageMeasured()) saveCounts(await page.evaluate(countsText));
}
