import type { WithModel } from '../../e2e/with-model.js';

/** How often the border of the side bar is dragged at most. */
const TRIES = 4;

/** Gives the panel in the side bar a size, to the pixel. */
export async function sizePanel({ app, chat }: WithModel, width: number, height: number): Promise<void> {
  const { page } = app;
  const size = (): Promise<{ width: number; height: number }> => chat.frame.locator('body').evaluate(() => ({ width: window.innerWidth, height: window.innerHeight }));
  for (let tries = 0; tries < TRIES; tries += 1) {
    const now = await size();
    if (now.width === width && now.height === height) return;
    const viewport = page.viewportSize() ?? { width: 1_280, height: 800 };
    await page.setViewportSize({ width: viewport.width, height: viewport.height + height - now.height });
    const box = await page.locator('.part.sidebar').boundingBox();
    if (box === null) throw new Error('There is no side bar.');
    const edge = box.x + box.width;
    await page.mouse.move(edge, 300);
    await page.mouse.down();
    await page.mouse.move(edge + width - now.width, 300, { steps: 5 });
    await page.mouse.up();
    await page.mouse.move(edge + 500, 300);
    // The page follows the border a frame or two later.
    await chat.frame.locator('body').evaluate((_, wanted) => new Promise<void>((resolve) => {
      if (window.innerWidth === wanted) resolve();
      window.addEventListener('resize', () => resolve(), { once: true });
      setTimeout(resolve, 1_000);
    }), width);
  }
  const now = await size();
  if (now.width !== width || now.height !== height) throw new Error(`The panel has ${now.width} × ${now.height} pixels, not ${width} × ${height}.`);
}
