import { ensureChromium } from '../../vscode/chromium.mjs';

/** Installs the browser where there is none, before two workers want it at once. */
export async function setup(): Promise<void> {
  await ensureChromium();
}
