/**
 * What a person does with the text of the active editor, for tests that click.
 */
import { errors } from 'playwright-core';
import { waitFor } from './wait.mjs';

/** @typedef {import('playwright-core').Locator} Locator */

const FOCUS_TIMEOUT_MS = 60_000;
const CURSOR_TIMEOUT_MS = 90_000;
/** After this long without the cursor where it is wanted, a key was lost: VS Code had not moved the focus yet. */
const LOST_KEY_MS = 3_000;
const ACTION_TIMEOUT_MS = 10_000;
const LIGHT_BULB_TIMEOUT_MS = 90_000;

/** The text that keys go to. The box of a thread of comments is an editor, too. */
const TEXT = '.editor-group-container.active .monaco-editor.focused:not(.review-widget *)';

/**
 * The editor that has or last had the focus.
 */
export class Editor {
  #page;
  #runCommand;

  /**
   * @param {import('playwright-core').Page} page of a workbench
   * @param {(title: string) => Promise<void>} runCommand runs a command of the palette
   */
  constructor(page, runCommand) {
    this.#page = page;
    this.#runCommand = runCommand;
  }

  /**
   * Puts the focus into the text.
   * @returns {Promise<void>} once it is there
   */
  async focus() {
    // There is a key for the first group only.
    if ((await this.#page.locator('.editor-group-container').count()) > 1) await this.#runCommand('View: Focus Active Editor Group');
    const isThere = async () => {
      if (await this.#page.evaluate(hasFocusIn, TEXT)) return true;
      await this.#page.keyboard.press('Control+1');
      return this.#page
        .locator(TEXT)
        .first()
        .waitFor({ timeout: LOST_KEY_MS })
        .then(() => false, falseOnTimeout);
    };
    await waitFor(isThere, { what: 'the focus in the text of the editor', timeoutMs: FOCUS_TIMEOUT_MS });
  }

  /**
   * Puts the focus into the text and saves it with the key.
   * @returns {Promise<void>} once the key was pressed; the file may not be written yet
   */
  async save() {
    await this.focus();
    await this.#page.keyboard.press('Control+s');
  }

  /**
   * Puts the focus into the text and the cursor to a place in it. The line has to be in no folded region.
   * @param {number} line from 1
   * @param {number} [column] from 1
   * @returns {Promise<void>} once VS Code says that the cursor is there
   */
  async goTo(line, column = 1) {
    const keys = [...times('ArrowDown', line - 1), ...times('ArrowRight', column - 1)];
    await this.#pressUntil(keys, new RegExp(`Ln ${line}, Col ${column}(?!\\d)`), `the cursor at line ${line}, column ${column}`);
  }

  /**
   * Puts the focus into the text and selects whole lines.
   * @param {number} first from 1
   * @param {number} last the last one that is selected
   * @returns {Promise<void>} once VS Code says that they are
   */
  async select(first, last) {
    const keys = [...times('ArrowDown', first - 1), ...times('Shift+ArrowDown', last - first + 1)];
    // Where no line follows, the selection ends behind the last character.
    const selected = new RegExp(`Ln (?:${last + 1}, Col 1|${last}, Col (?!1 )\\d+) \\(\\d+ selected\\)`);
    await this.#pressUntil(keys, selected, `the lines ${first} to ${last} to be selected`);
  }

  /**
   * Opens the actions of a place, as the light bulb does. It is not the light bulb that is waited for: VS Code 1.139 shows
   * none in the margin any more after an editor that had one there was closed.
   * @param {string} title part of an action that is offered there
   * @param {() => Promise<void>} goTo puts the cursor there
   * @returns {Promise<Locator>} the action, once it is shown
   */
  async openLightBulb(title, goTo) {
    const action = this.#page.locator('.action-widget').getByText(title).first();
    const isOpen = async () => {
      await goTo();
      await this.#page.keyboard.press('Control+.');
      if (await action.waitFor({ timeout: ACTION_TIMEOUT_MS }).then(() => true, falseOnTimeout)) return true;
      // What is offered comes later, as from a language server: a list without it is closed and asked for again.
      await this.#page.keyboard.press('Escape');
      return false;
    };
    await waitFor(isOpen, { what: `“${title}” at the light bulb`, timeoutMs: LIGHT_BULB_TIMEOUT_MS });
    return action;
  }

  /**
   * What the editor shows: only the lines in view, folded or scrolled away ones are not among them.
   * @returns {Promise<string>} the lines joined by line feeds
   */
  async text() {
    const lines = this.#page.locator('.editor-group-container.active .editor-instance').first().locator('.view-lines').first();
    return lines.evaluate((element) => {
      const rows = /** @type {HTMLElement[]} */ (Array.from(element.children));
      rows.sort((one, other) => Number.parseFloat(one.style.top) - Number.parseFloat(other.style.top));
      return rows.map((row) => row.textContent.replaceAll('\u00a0', ' ')).join('\n');
    });
  }

  /**
   * Presses keys in the text, and all of them again when VS Code does not tell the place of the cursor that they lead to.
   * @param {readonly string[]} keys which lead there from the beginning of the text
   * @param {RegExp} place what the status bar tells then
   * @param {string} what names the place in the error
   */
  async #pressUntil(keys, place, what) {
    const status = this.#page.locator('[id="status.editor.selection"]');
    const told = (/** @type {RegExp} */ text) =>
      status
        .filter({ hasText: text })
        .waitFor({ timeout: LOST_KEY_MS })
        .then(() => true, falseOnTimeout);
    const isThere = async () => {
      await this.focus();
      // From the beginning: where the cursor is there already, the place says nothing about whether the keys arrived.
      await this.#page.keyboard.press('Control+Home');
      if (!(await told(/Ln 1, Col 1$/))) return false;
      for (const key of keys) await this.#page.keyboard.press(key);
      return told(place);
    };
    await waitFor(isThere, { what, timeoutMs: CURSOR_TIMEOUT_MS });
  }
}

/**
 * Runs in the page. The look of the focus comes a moment later than the focus itself.
 * @param {string} selector
 * @returns {boolean} whether keys go to something in what it matches
 */
function hasFocusIn(selector) {
  return (globalThis.document.activeElement?.closest(selector) ?? null) !== null;
}

/**
 * @param {string} key
 * @param {number} count
 * @returns {string[]} it so many times
 */
function times(key, count) {
  return Array.from({ length: count }, () => key);
}

/**
 * @param {unknown} error
 * @returns {false} when it only says that something took too long
 * @throws {unknown} any other error
 */
export function falseOnTimeout(error) {
  if (error instanceof errors.TimeoutError) return false;
  throw error;
}
