import type { Chat } from '../../e2e/chat.js';
import type { WithModel } from '../../e2e/with-model.js';
import { waitFor } from '../../vscode/wait.mjs';

/** How often the border of the side bar is dragged at most. */
const TRIES = 4;

/** Gives the panel in the side bar a size, to the pixel. */
export async function sizePanel({ app, chat }: WithModel, width: number, height: number): Promise<void> {
  const { page } = app;
  const size = (): Promise<{ width: number; height: number }> =>
    chat.frame.locator('body').evaluate(() => ({ width: window.innerWidth, height: window.innerHeight }));
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
    // The page follows the space that VS Code gives it a frame or two later.
    const fills = async (): Promise<boolean> => {
      const [space, panel] = await Promise.all([spaceOf(chat), size()]);
      return panel.height === height && panel.width === Math.round(space);
    };
    await waitFor(fills, { what: 'the panel to fill the side bar', timeoutMs: 30_000 });
  }
  const now = await size();
  if (now.width !== width || now.height !== height) throw new Error(`The panel has ${now.width} × ${now.height} pixels, not ${width} × ${height}.`);
}

/** The width that VS Code gives to the page. */
async function spaceOf(chat: Chat): Promise<number> {
  // The page is in a frame of VS Code's own, which fills the one in the window.
  const own = await (await chat.frame.owner().elementHandle()).ownerFrame();
  const box = await (await own?.frameElement())?.boundingBox();
  if (!box) throw new Error('The panel is not in a frame.');
  return box.width;
}
