import { mkdir } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { falseOnTimeout } from '../vscode/editor.mjs';
import { App } from './app.js';

const README = 'media/readme';
const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' } as const;
/** The usual width of a terminal, in columns, and in pixels; and pixels around it. */
const COLUMNS = '80';
const WIDTH = 725;
const MARGIN = 12;
/** Milliseconds after which a key is pressed again that had no effect. */
const AGAIN_MS = 1_000;

/** Runs the demo job in a terminal of VS Code in two themes, and takes the README's pictures of it. */
export async function main(): Promise<number> {
  await mkdir(README, { recursive: true });
  for (const [name, theme] of Object.entries(THEMES)) {
    const settings = {
      'workbench.colorTheme': theme,
      // Otherwise the text is on a canvas, and cannot be waited for.
      'terminal.integrated.gpuAcceleration': 'off',
      'terminal.integrated.defaultLocation': 'editor',
      'terminal.integrated.tabs.enabled': false,
      'terminal.integrated.shellIntegration.enabled': false,
      'terminal.integrated.fontSize': 15,
    };
    const app = await App.start({ settings, own: { env: { PS1: '$ ' } } });
    try {
      await shoot(app, `${README}/terminal-${name}.png`);
    } finally {
      await app.stop();
    }
  }
  console.log(`The pictures of the terminal are in ${README}.`);
  return 0;
}

async function shoot(app: App, path: string): Promise<void> {
  const { page, workbench } = app;
  // The extension tells terminals where its program is once it is active.
  await app.openChat();
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await workbench.runCommand('Terminal: Create New Terminal');
  const rows = page.locator('.terminal-wrapper.active .xterm-rows');
  await rows.waitFor();
  await workbench.runCommand('Terminal: Set Fixed Dimensions');
  for (const value of [COLUMNS, '']) {
    await page.keyboard.type(value);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.type('clear; gnomon -p "Fix the failing test" --model demo/demo\n');
  await untilEdit(page, rows);
  const box = await rows.boundingBox();
  if (box === null) throw new Error('The terminal is not shown.');
  // As wide as its columns, with the space that is in front of them behind them, too.
  const { x, y, height } = box;
  await page.screenshot({ path, clip: { x: x - MARGIN, y, width: WIDTH + 2 * MARGIN, height: height + MARGIN } });
}

/** Allows what is asked about until a change is. */
async function untilEdit(page: Page, rows: Locator): Promise<void> {
  const asks = (count: number): Promise<void> => rows.getByText('[d] deny and say why').nth(count).waitFor();
  for (let count = 0; ; count += 1) {
    await asks(count);
    if (await rows.getByText('Change this file?').isVisible()) return;
    // A key right behind the question is no answer to it.
    const allowed = rows.getByText('Allowed.').nth(count);
    do await page.keyboard.press('y');
    while (!(await allowed.waitFor({ timeout: AGAIN_MS }).then(() => true, falseOnTimeout)));
  }
}
