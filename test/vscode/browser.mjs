/**
 * Opens the browser in which a workbench runs.
 */
import { chromium } from 'playwright-core';
import { ensureChromium } from './chromium.mjs';

/**
 * An open browser with one context: its pages share what the workbench keeps in the browser.
 * @typedef {object} Browser
 * @property {import('playwright-core').BrowserContext} context
 * @property {() => Promise<import('playwright-core').Page>} newPage
 * @property {() => Promise<void>} close
 */

/** Quiet, and runnable as root and in containers. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @type {import('playwright-core').BrowserContextOptions} */
const CONTEXT = { viewport: { width: 1280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] };

/**
 * Opens a browser.
 * @param {{ headless?: boolean, persistentDir?: string }} [options] with `persistentDir` the browser keeps its data
 *   there, so that a later one with the same folder finds the workbench's layout again
 * @returns {Promise<Browser>}
 * @throws {Error} when there is no browser and none can be installed
 */
export async function openBrowser({ headless = true, persistentDir } = {}) {
  const launch = { executablePath: await ensureChromium(), headless, args: ARGUMENTS };
  if (persistentDir !== undefined) {
    const context = await chromium.launchPersistentContext(persistentDir, { ...launch, ...CONTEXT });
    return { context, newPage: () => context.newPage(), close: () => context.close() };
  }
  const browser = await chromium.launch(launch);
  const context = await browser.newContext(CONTEXT);
  return { context, newPage: () => context.newPage(), close: () => browser.close() };
}
