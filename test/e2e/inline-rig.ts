import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type Gate, type RecordedRequest, type Reply, lastToolResults, reply } from '../support/model-server/index.js';
import type { Editor } from '../vscode/editor.mjs';
import { waitFor } from '../vscode/wait.mjs';
import { type WithModel, startWithModel } from './with-model.js';

const TIMEOUT_MS = 30_000;

/** A VS Code in which code is edited in place, and what a person sees of that. */
export class InlineRig {
  private constructor(readonly all: WithModel) {}

  static async start(settings: Readonly<Record<string, unknown>> = {}, options: { readonly asItStarts?: boolean } = {}): Promise<InlineRig> {
    // What is typed is what is written: no suggestion takes part.
    const plain = {
      'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
      'editor.suggestOnTriggerCharacters': false,
      'editor.autoClosingBrackets': 'never',
      'editor.autoClosingQuotes': 'never',
      'editor.autoSurround': 'never',
    };
    return new InlineRig(await startWithModel({ ...plain, ...settings }, options));
  }

  /** One of a VS Code that runs already. */
  static of(all: WithModel): InlineRig {
    return new InlineRig(all);
  }

  get page(): Page {
    return this.all.app.page;
  }

  get editor(): Editor {
    return this.all.app.workbench.editor;
  }

  /** The prompt at the top. */
  get prompt(): Locator {
    return this.page.locator('.quick-input-widget:visible').filter({ has: this.page.locator('.quick-input-title', { hasText: 'Inline Edit' }) });
  }

  /** The field of the prompt. */
  get field(): Locator {
    return this.prompt.getByRole('textbox');
  }

  /** What the model was asked last. */
  latest(): RecordedRequest['body'] {
    const last = this.all.server.requests.at(-1);
    if (last === undefined) throw new Error('The model was asked nothing.');
    return last.body;
  }

  /** The lenses above the hunks. */
  lens(words: string): Locator {
    return this.page.locator('.codelens-decoration a').filter({ hasText: new RegExp(`^\\s*${words}$`) });
  }

  /** Writes a file and opens it. */
  async open(name: string, content: string | Buffer): Promise<void> {
    await writeFile(join(this.all.app.workspace, name), content);
    await this.all.app.workbench.openFile(name);
  }

  /** The bytes of a file. */
  bytes(name: string): Promise<Buffer> {
    return readFile(join(this.all.app.workspace, name));
  }

  /** Opens the prompt with the keys. */
  async openPrompt(): Promise<void> {
    await this.page.keyboard.press('Control+Alt+k');
    await this.untilFocused();
  }

  /**
   * Opens the prompt and types a letter as soon as the cursor is in it.
   * @returns milliseconds from the key to the letter in the prompt, by the clock of the page: without what the test takes in between
   */
  async firstLetterMs(): Promise<number> {
    const moments = await this.page.evaluateHandle(() => {
      const at = { key: 0, ready: 0, letter: 0, shown: 0 };
      const inPrompt = ({ target }: Event): boolean => target instanceof Element && target.closest('.quick-input-widget') !== null;
      const note = (type: string, moment: keyof typeof at, when: (event: Event) => boolean): void =>
        document.addEventListener(
          type,
          (event) => {
            if (at[moment] === 0 && when(event)) at[moment] = performance.now();
          },
          true,
        );
      note('keydown', 'key', (event) => event instanceof KeyboardEvent && event.code === 'KeyK' && event.ctrlKey && event.altKey);
      note('focusin', 'ready', inPrompt);
      note('keydown', 'letter', (event) => event instanceof KeyboardEvent && event.key === 'x');
      note('input', 'shown', inPrompt);
      return at;
    });
    await this.page.keyboard.press('Control+Alt+k');
    await this.untilFocused();
    await this.page.keyboard.press('x');
    await waitFor(async () => (await this.field.inputValue()) === 'x', { what: 'the letter in the prompt', timeoutMs: TIMEOUT_MS });
    const { key, ready, letter, shown } = await moments.jsonValue();
    return ready - key + (shown - letter);
  }

  /** Clicks into the text of the active editor. */
  async clickText(): Promise<void> {
    await this.page.locator('.editor-group-container.active .view-line').first().click();
    await this.untilTextFocused();
  }

  /** Waits until the cursor is in the text of the active editor. */
  async untilTextFocused(): Promise<void> {
    const editor = '.editor-group-container.active .monaco-editor.focused';
    await this.page.locator(editor).first().waitFor({ timeout: TIMEOUT_MS });
    // The look of the focus follows a moment later than the focus itself, which keys go to.
    await this.page.waitForFunction((within) => document.activeElement?.closest(within) !== null, editor, { timeout: TIMEOUT_MS });
  }

  /** Waits until a file is the one in the active editor. */
  async untilTab(name: string): Promise<void> {
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor({ timeout: TIMEOUT_MS });
  }

  /** Waits until the cursor is in the prompt. */
  async untilFocused(): Promise<void> {
    await this.field.waitFor({ timeout: TIMEOUT_MS });
    await waitFor(() => this.field.evaluate((element) => element === element.ownerDocument.activeElement), {
      what: 'the focus in the prompt',
      timeoutMs: TIMEOUT_MS,
    });
  }

  /** Opens the prompt with the keys and says what should change. */
  async ask(words: string): Promise<void> {
    await this.openPrompt();
    await this.say(words);
  }

  /** Says something in the prompt that is open. */
  async say(words: string): Promise<void> {
    await this.untilFocused();
    await this.page.keyboard.type(words);
    await this.page.keyboard.press('Enter');
    await this.prompt.waitFor({ state: 'hidden', timeout: TIMEOUT_MS });
  }

  /** Says what should be different about an edit whose changes pend. */
  async revise(words: string): Promise<void> {
    await this.lens('Revise…').first().click({ timeout: TIMEOUT_MS });
    await this.say(words);
  }

  /** Waits until a message says what came of an edit, and asks again from there. */
  async again(told: string | RegExp, words: string): Promise<void> {
    const notice = await this.all.app.workbench.notification(told);
    await notice.getByRole('button', { name: 'Open Prompt' }).click();
    await this.say(words);
  }

  /** Has the model answer with new code, in pieces between which gates can stand; what the tool said gets a closing word. */
  answer(...pieces: readonly (string | Gate)[]): void {
    const first = reply().toolCall('edit_selection', {}, { chunks: jsonOf(pieces) });
    this.script(first);
  }

  /** The first answer to a message; then a closing word. */
  script(first: Reply): void {
    this.all.server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('Done.') : first));
  }

  /** Takes the last step back, as the person does. */
  async undo(): Promise<void> {
    await this.editor.focus();
    await this.page.keyboard.press('Control+z');
  }

  /** Saves the active editor, and waits until its file holds a text: the tab looks saved as soon as writing begins. */
  async saves(name: string, text: string): Promise<void> {
    await this.editor.save();
    await this.page.locator(`.tab.active[data-resource-name="${name}"]:not(.dirty)`).waitFor();
    await this.all.app.waitForFile(name, text);
  }

  /** Waits until the active editor shows a text. */
  async shows(text: string): Promise<void> {
    await waitFor(async () => (await this.editor.text()).trimEnd() === text.trimEnd(), {
      what: `the editor to show ${JSON.stringify(text)}`,
      timeoutMs: TIMEOUT_MS,
    }).catch(async (error: unknown) => {
      throw new Error(`It shows ${JSON.stringify(await this.editor.text())}`, { cause: error });
    });
  }

  /** Waits until the lenses above an edit say something. */
  async says(words: string | RegExp): Promise<void> {
    await this.page.locator('.codelens-decoration > span').filter({ hasText: words }).first().waitFor({ timeout: TIMEOUT_MS });
  }

  /** Waits until so many changes of an edit wait to be kept or undone. */
  async pends(count: number): Promise<void> {
    await this.says(new RegExp(`^\\s*${count === 1 ? '1 change' : `${count} changes`}$`));
  }

  /** Keeps or undoes all of an edit with the lens above it. */
  async decide(all: 'Keep All' | 'Undo All'): Promise<void> {
    await this.lens(all).first().click({ timeout: TIMEOUT_MS });
    await this.over();
  }

  /** Waits until no edit is shown in the active editor any more. */
  async over(): Promise<void> {
    await this.running.waitFor({ state: 'detached', timeout: TIMEOUT_MS });
  }

  /** The lenses above an edit that runs or pends in the active editor. */
  get running(): Locator {
    return this.page.locator('.editor-group-container.active .codelens-decoration').filter({ hasText: /Keep All|Stop/ });
  }

  /** Waits until a message says what came of an edit, and takes it away: the edit ends with that. */
  async dismiss(told: string | RegExp): Promise<void> {
    const notice = await this.all.app.workbench.notification(told);
    await this.all.app.workbench.clearNotifications();
    await notice.waitFor({ state: 'detached', timeout: TIMEOUT_MS });
  }
}

/** The pieces as pieces of one JSON text. */
function jsonOf(pieces: readonly (string | Gate)[]): readonly (string | Gate)[] {
  const inner = pieces.map((piece) => (typeof piece === 'string' ? JSON.stringify(piece).slice(1, -1) : piece));
  return ['{"new_text":"', ...inner, '"}'];
}
