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

/**
 * Without the compilers that make code quick which runs often: a window of a test is open for a minute, in which they take a tenth of all processor time
 * and do not earn it.
 */
export const WITHOUT_OPTIMIZERS = '--js-flags=--no-opt --no-maglev';

/** @type {import('playwright-core').BrowserContextOptions} */
const CONTEXT = { viewport: { width: 1280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] };

/**
 * For a window that nobody looks at: little is drawn, and nothing that moves by itself.
 * @type {import('playwright-core').BrowserContextOptions}
 */
const UNSEEN = { viewport: { width: 800, height: 500 }, reducedMotion: 'reduce' };

/**
 * Opens a browser.
 * @param {{ persistentDir?: string, isUnseen?: boolean }} [options] with `persistentDir` the browser keeps its data there, so that a later
 *   one with the same folder finds the workbench's layout again; with `isUnseen` nobody looks at the window, or for long
 * @returns {Promise<Browser>}
 * @throws {Error} when there is no browser and none can be installed
 */
export async function openBrowser({ persistentDir, isUnseen = false } = {}) {
  const launch = { executablePath: await ensureChromium(), args: ARGUMENTS };
  if (persistentDir === undefined) return inContext(await chromium.launch(launch), isUnseen ? { ...CONTEXT, ...UNSEEN } : CONTEXT);
  const context = await chromium.launchPersistentContext(persistentDir, { ...launch, ...CONTEXT });
  return { context, newPage: () => context.newPage(), close: () => context.close() };
}

/** What {@link joinBrowser} gives contexts in; it ends with this process: Playwright sees to that. @type {Promise<import('playwright-core').Browser> | undefined} */
let shared;

/**
 * Opens a context of its own in the browser of this process: it shares nothing with the others in it.
 * @returns {Promise<Browser>} `close` closes the context with its pages, not the browser
 * @throws {Error} when there is no browser and none can be installed
 */
export async function joinBrowser() {
  shared ??= ensureChromium().then((executablePath) => chromium.launch({ executablePath, args: [...ARGUMENTS, WITHOUT_OPTIMIZERS] }));
  const context = await (await shared).newContext(CONTEXT);
  return { context, newPage: () => context.newPage(), close: () => context.close() };
}

/**
 * @param {import('playwright-core').Browser} browser closed with the context
 * @param {import('playwright-core').BrowserContextOptions} options
 * @returns {Promise<Browser>}
 */
async function inContext(browser, options) {
  const context = await browser.newContext(options);
  const close = async () => {
    await context.close();
    await browser.close();
  };
  return { context, newPage: () => context.newPage(), close };
}
