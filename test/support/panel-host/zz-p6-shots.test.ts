import { afterAll, beforeAll, test } from 'vitest';
import { PanelRig } from './rig.js';
import { richConversation } from './transcript-scenes.js';
let rig: PanelRig;
beforeAll(async () => { rig = await PanelRig.start(); });
afterAll(() => rig.stop());
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';
test.each([['dark', 400], ['light', 400], ['high-contrast', 400], ['high-contrast-light', 400], ['dark', 220], ['light', 900]] as const)('%s %d', async (theme, width) => {
  const page = await rig.open({ theme, width });
  await page.evaluate((s) => globalThis.panelHost.show(s, 's'), richConversation);
  await page.waitForFunction(() => globalThis.panelHost.posts.some(({ type }) => type === 'find_files'));
  await page.evaluate(() => {
    const asked = globalThis.panelHost.posts.flatMap((m) => m.type === 'find_files' ? m.paths : []);
    globalThis.panelHost.post({ type: 'files', asked, found: asked.filter((p) => !p.includes('gone')) });
  });
  await page.locator('.hl-keyword').first().waitFor();
  await page.waitForTimeout(500);
  await page.setViewportSize({ width, height: 1400 });
  await page.getByRole('article', { name: 'Gnomon' }).last().hover();
  await page.waitForTimeout(300);
  await page.screenshot({ path: `/tmp/shots/${theme}-${width}-end.png` });
  await page.getByRole('log').press('Home');
  await page.waitForTimeout(300);
  await page.evaluate((b) => {
    for (const m of globalThis.panelHost.posts) if (m.type === 'load_image') { const { type, ...w } = m; globalThis.panelHost.post({ type: 'image', session: 's', ...w, image: { mimeType: 'image/png', data: Uint8Array.from(atob(b), (c) => c.charCodeAt(0)) } }); }
  }, png);
  await page.getByRole('article', { name: 'Gnomon' }).first().hover();
  await page.waitForTimeout(300);
  await page.getByRole('button', { name: 'Details' }).first().click();
  await page.screenshot({ path: `/tmp/shots/${theme}-${width}-top.png` });
});
