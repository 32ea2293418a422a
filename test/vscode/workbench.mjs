/**
 * What a person does with a workbench, for tests that click. Every step waits for what it needs, none waits for time.
 */
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Editor, falseOnTimeout } from './editor.mjs';
import { waitFor } from './wait.mjs';

/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('playwright-core').FrameLocator} FrameLocator */

const ARTEFACTS = fileURLToPath(new URL('../../test-results', import.meta.url));
const READY_TIMEOUT_MS = 60_000;
const PICK_TIMEOUT_MS = 60_000;
const TOAST_TIMEOUT_MS = 30_000;
/** Milliseconds after which one that is not shown is looked for elsewhere. */
const TOAST_MS = 5_000;
/** After so long without an effect, a press is taken for lost. */
const LOST_PRESS_MS = 5_000;
/** Milliseconds after which a file that was chosen, but has no tab, is chosen again. */
const TAB_MS = 15_000;
/** Milliseconds in which an editor knows that its file is saved. */
const SAVED_MS = 5_000;
const QUICK_INPUT = '.quick-input-widget';
const NOTIFICATION = '.notifications-toasts .notification-list-item, .notifications-center .notification-list-item';
/** The dot of the bell, for those that nobody has looked at. */
const UNSEEN = '[id="status.notifications"] .codicon-bell-dot';

/**
 * A workbench in a page.
 */
export class Workbench {
  /** The page, for everything that has no method here. */
  page;
  #extensionId;
  #artefacts;

  /**
   * @param {import('playwright-core').Page} page
   * @param {{ extensionId?: string, artefacts?: string }} [options] `extensionId` says whose webviews are meant;
   *   `artefacts` is
   *   the folder for screenshots, the repository's `test-results` when absent
   */
  constructor(page, { extensionId = 'gnomon.gnomon', artefacts = ARTEFACTS } = {}) {
    this.page = page;
    this.#extensionId = extensionId;
    this.#artefacts = artefacts;
  }

  /**
   * Opens an address made by `workbenchUrl`.
   * @param {string} url
   * @returns {Promise<void>} once the extension host runs and all extensions are known
   */
  async open(url) {
    await this.page.goto(url, { timeout: READY_TIMEOUT_MS });
    await this.#ready();
  }

  /**
   * Reloads the window, as "Developer: Reload Window" does.
   * @returns {Promise<void>} as {@link open}
   */
  async reload() {
    await this.page.reload({ timeout: READY_TIMEOUT_MS });
    await this.#ready();
  }

  /**
   * Runs a command through the command palette.
   * @param {string} title its whole title with its category, such as "Gnomon: New Session"
   * @returns {Promise<void>} once it has been chosen; what it does may still be going on
   */
  async runCommand(title) {
    const label = this.page.locator('.label-name').filter({ hasText: exactly(title) });
    await this.#pick('F1', `>${title}`, this.page.locator(`${QUICK_INPUT} .monaco-list-row`).filter({ has: label }).first());
  }

  /**
   * Opens a file through quick open.
   * @param {string} path relative to the workspace folder
   * @returns {Promise<void>} once its tab is the active one and shows its text
   */
  async openFile(path) {
    const folder = dirname(path) === '.' ? '' : dirname(path);
    const name = `[aria-label^=${quoted(basename(path))}][aria-label*=${quoted(folder || basename(path))}]`;
    const row = this.page.locator(`${QUICK_INPUT} .monaco-list-row${name}`).first();
    const tab = this.page.locator(`.tab.active[data-resource-name=${quoted(basename(path))}]`);
    // The list may put another file under the pointer just before the click, when its search comes to an end.
    const isOpen = async () => {
      await this.#pick('Control+p', path, row);
      return tab.waitFor({ timeout: TAB_MS }).then(() => true, falseOnTimeout);
    };
    await waitFor(isOpen, { what: `${path} to be open`, timeoutMs: PICK_TIMEOUT_MS });
    // The tab is there before its text is: until then the editor holds the one of the tab before.
    await this.#activeEditor()
      .locator(`.monaco-editor[data-uri$=${quoted(asUriPath(path))}] .view-line`)
      .first()
      .waitFor();
  }

  /**
   * Closes all editors with their keys, which cost a quarter of what the palette does.
   * @returns {Promise<void>} once no tab is left
   */
  async closeEditors() {
    const tabs = this.page.locator('.editor-group-container .tab');
    // A file is on the disk before its editor knows that it is saved: closed in between, VS Code would ask about it.
    await this.page.locator('.editor-group-container .tab.dirty').first().waitFor({ state: 'detached', timeout: SAVED_MS }).catch(falseOnTimeout);
    const areGone = async () => {
      if ((await tabs.count()) === 0) return true;
      await this.page.keyboard.press('Control+k');
      await this.page.keyboard.press('Control+w');
      return tabs
        .first()
        .waitFor({ state: 'detached', timeout: LOST_PRESS_MS })
        .then(() => false, falseOnTimeout);
    };
    await waitFor(areGone, { what: 'all editors to be closed', timeoutMs: 60_000 });
  }

  /**
   * Shows a view container by its icon in the activity bar, the secondary side bar or the panel.
   * @param {string} label its title, without a key binding or a badge
   * @returns {Promise<void>} once it is the one shown
   */
  async openView(label) {
    const names = [`="${label}"`, `^="${label} ("`, `^="${label} - "`].map((test) => `a.action-label[aria-label${test}]`);
    const item = this.page.locator(`.composite-bar li.action-item:has(${names.join(', ')})`).first();
    await item.waitFor();
    if (!(await hasClass(item, 'checked'))) await item.click();
    await this.page.locator('.composite-bar li.action-item.checked').and(item).waitFor();
  }

  /**
   * The document of a visible webview of the extension; of two, as there are while VS Code makes one anew, the newer one.
   * @param {string} [condition] a CSS attribute selector on its frame; webviews in editors lack `purpose=webviewView`
   * @returns {FrameLocator}
   */
  webview(condition = '') {
    const frame = `iframe.webview.ready[src*="extensionId=${this.#extensionId}&"]${condition}:visible`;
    return this.page.locator(frame).last().contentFrame().frameLocator('#active-frame');
  }

  /**
   * Chooses in a menu that is open or about to open.
   * @param {string} label the item's title
   * @returns {Promise<void>} once it has been chosen; what it does may still be going on
   */
  async chooseInMenu(label) {
    const item = this.page.getByRole('menuitem', { name: label });
    await item.hover();
    // An item is in the one of the menu above, too, where there is one.
    await this.page.locator('.action-item.focused').filter({ has: item }).last().waitFor();
    // A menu takes no click in its first 100 ms, but a key.
    await this.page.keyboard.press('Enter');
    await item.waitFor({ state: 'detached' });
  }

  /**
   * Presses Escape until something is gone: VS Code loses a press while it draws what the press is for, or shows a tooltip that takes it.
   * @param {import('playwright-core').Locator} shown
   * @returns {Promise<void>}
   */
  async escape(shown) {
    const isGone = async () => {
      await this.page.keyboard.press('Escape');
      return shown.waitFor({ state: 'hidden', timeout: LOST_PRESS_MS }).then(() => true, falseOnTimeout);
    };
    await waitFor(isGone, { what: 'what Escape closes to be gone', timeoutMs: 60_000 });
  }

  /**
   * A notification: as a toast or, where the smoke test driver keeps VS Code from showing toasts, in the notification
   * center, which is then opened.
   * @param {string | RegExp} text part of its message
   * @returns {Promise<Locator>} once it is there; its buttons can be found in it by role
   */
  async notification(text) {
    const found = this.page.locator(NOTIFICATION).filter({ hasText: text }).first();
    if (await this.page.evaluate(() => 'driver' in globalThis)) await this.#openNotificationCenter();
    // A toast goes away by itself after ten seconds, and more than three are not shown; the notification center keeps what they said.
    if (!(await found.waitFor({ timeout: TOAST_MS }).then(() => true, falseOnTimeout))) {
      await found.or(this.page.locator(UNSEEN)).first().waitFor({ timeout: TOAST_TIMEOUT_MS }).catch(falseOnTimeout);
      if (!(await found.isVisible())) await this.#openNotificationCenter();
    }
    await found.waitFor();
    return found;
  }

  /**
   * The notifications there are now.
   * @returns {Promise<string[]>} their messages; the notification center stays open
   */
  async notifications() {
    await this.#openNotificationCenter();
    return this.page.locator('.notifications-center .notification-list-item-message').allInnerTexts();
  }

  /**
   * Takes away all notifications, those in the notification center too.
   * @returns {Promise<void>} once none is left
   */
  async clearNotifications() {
    if ((await this.page.locator(`${UNSEEN}, ${NOTIFICATION}`).count()) === 0) return;
    await this.runCommand('Notifications: Clear All Notifications');
    await this.page.locator(NOTIFICATION).first().waitFor({ state: 'detached' });
  }

  /**
   * The modal dialog. It need not be there yet.
   * @returns {Locator}
   */
  dialog() {
    return this.page.locator('.monaco-dialog-box');
  }

  /**
   * The editor that has or last had the focus.
   * @returns {Editor}
   */
  get editor() {
    return new Editor(this.page, (title) => this.runCommand(title));
  }

  /**
   * Takes a screenshot of the page.
   * @param {string} name of the file, without its ending
   * @returns {Promise<string>} the file's path
   */
  async screenshot(name) {
    const path = join(this.#artefacts, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** Waits until the workbench is drawn and VS Code has marked the extensions as loaded. */
  async #ready() {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: READY_TIMEOUT_MS });
    const loaded = () => performance.getEntriesByName('code/didLoadExtensions').length > 0;
    await this.page.waitForFunction(loaded, undefined, { timeout: READY_TIMEOUT_MS });
  }

  /**
   * Chooses a row in the quick input. It is tried again when the quick input closes meanwhile, as it does when a view
   * that is just being opened takes the focus.
   * @param {'F1' | 'Control+p'} key that opens it: for commands, or for files
   * @param {string} text what to type
   * @param {Locator} row what to click
   */
  async #pick(key, text, row) {
    const input = this.page.locator(`${QUICK_INPUT} .quick-input-box input`);
    const none = this.page.locator(`${QUICK_INPUT} .monaco-list-row[aria-label="No matching results"]`);
    const attempt = async () => {
      // One that is still open keeps the commands that could be run when it was opened.
      if (await input.isVisible()) await this.page.keyboard.press('Escape');
      await input.waitFor({ state: 'hidden', timeout: 5_000 });
      await this.page.keyboard.press(key);
      await input.fill(text, { timeout: 5_000 });
      await row.or(none).first().waitFor({ timeout: 10_000 });
      // VS Code goes on with the names of files that the last search found; the next search finds a new one.
      if (!(await row.isVisible())) return false;
      return this.#clickOnce(row);
    };
    await waitFor(() => attempt().catch(falseOnTimeout), { what: `"${text}" in the quick input`, timeoutMs: PICK_TIMEOUT_MS });
  }

  /**
   * Clicks a row of the quick input, which may go away meanwhile. What it does may keep the page busy for long: then the
   * click has come all the same.
   * @param {Locator} row
   * @returns {Promise<boolean>} whether it was clicked
   */
  async #clickOnce(row) {
    const clicks = await this.page.evaluateHandle((selector) => {
      const seen = { count: 0 };
      const note = (/** @type {MouseEvent} */ { target }) => {
        if (target instanceof Element && target.closest(selector) !== null) seen.count += 1;
      };
      globalThis.document.addEventListener('click', note, { capture: true, once: true });
      return seen;
    }, `${QUICK_INPUT} .monaco-list-row`);
    if (await row.click({ timeout: 10_000 }).then(() => true, falseOnTimeout)) return true;
    return (await clicks.evaluate(({ count }) => count)) > 0;
  }

  /** Opens the notification center if it is closed. */
  async #openNotificationCenter() {
    const center = this.page.locator('.notifications-center.visible');
    if (await center.isVisible()) return;
    await this.page.locator('[id="status.notifications"]').click();
    await center.waitFor();
  }

  /**
   * @returns {Locator} the editor that has or last had the focus
   */
  #activeEditor() {
    return this.page.locator('.editor-group-container.active .editor-instance').first();
  }
}

/**
 * @param {string} text
 * @returns {RegExp} matches the whole of it and nothing else
 */
function exactly(text) {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
}

/**
 * @param {string} text
 * @returns {string} a CSS string
 */
function quoted(text) {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/**
 * @param {string} path relative to the workspace folder
 * @returns {string} how the address of the file ends, as VS Code writes it
 */
function asUriPath(path) {
  const escaped = (/** @type {string} */ character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return `/${path
    .split('/')
    .map((name) => encodeURIComponent(name).replaceAll(/[!'()*]/g, escaped))
    .join('/')}`;
}

/**
 * @param {Locator} element
 * @param {string} name
 * @returns {Promise<boolean>}
 */
async function hasClass(element, name) {
  return ((await element.getAttribute('class')) ?? '').split(' ').includes(name);
}
