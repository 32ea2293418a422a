import type { FrameLocator, Locator } from 'playwright-core';
import { callNamed } from '../support/call-named.js';
import { falseOnTimeout } from '../vscode/editor.mjs';
import { waitFor } from '../vscode/wait.mjs';
import type { Workbench } from '../vscode/workbench.mjs';

/** A place of the window at which nothing answers the pointer. */
const AWAY = { x: 500, y: 786 };

/** After this the press of a button that has shown no effect is taken for lost. */
const LOST_PRESS_MS = 15_000;

/** Waiting for a model, a command or a save on a busy machine. */
const SLOW = { timeout: 60_000 };

/** How VS Code tells the frames of panels apart. */
const PLACES = { sidebar: '[src*="purpose=webviewView"]', 'editor tab': ':not([src*="purpose=webviewView"])' };

/** The chat panel as a person with a screen reader finds it: by role and name only. */
export class Chat {
  private readonly place: string;

  /** @param place which of several panels is meant; the newest one when absent */
  constructor(
    private readonly workbench: Workbench,
    place?: 'sidebar' | 'editor tab',
  ) {
    this.place = place === undefined ? '' : PLACES[place];
  }

  get frame(): FrameLocator {
    // Not by what VS Code says it is for: a page made anew after it was hidden does not say so.
    return this.workbench.webview(this.place);
  }

  get message(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message' });
  }

  get log(): Locator {
    return this.frame.getByRole('log', { name: 'Chat' });
  }

  /** Messages and answers. */
  private get entries(): Locator {
    return this.log.getByRole('article');
  }

  get mine(): Locator {
    return this.log.getByRole('article', { name: 'You' });
  }

  get answers(): Locator {
    return this.log.getByRole('article', { name: 'Gnomon' });
  }

  get prompt(): Locator {
    return this.frame.getByRole('group', { name: 'Permission required' });
  }

  /** Opens what is a line above the message box, where it is not open, and gives it. */
  async unfold(name: 'Changed files' | 'Queue' | 'Plan'): Promise<Locator> {
    const region = this.frame.getByRole('region', { name, exact: true });
    await region.waitFor(SLOW);
    const [open, closed] = [true, false].map((expanded) => region.getByRole('button', { expanded }));
    await open
      ?.or(closed ?? open)
      .first()
      .waitFor(SLOW);
    if (await closed?.isVisible()) await closed?.click();
    await open?.waitFor(SLOW);
    return region;
  }

  /** Does what stands in VS Code's title bar of the place, or in the menu there. */
  async act(name: string): Promise<void> {
    const { page } = this.workbench;
    const bar =
      this.place === PLACES['editor tab'] ? page.locator('.editor-group-container.active .editor-actions') : page.locator('.part.sidebar > .composite.title');
    const action = bar.getByRole('button', { name, exact: true });
    const more = bar.getByRole('button', { name: /More Actions/ });
    await action.or(more).first().waitFor(SLOW);
    if (await action.isVisible()) await action.click();
    else {
      await more.click();
      await this.workbench.chooseInMenu(name);
    }
    // What VS Code says of a button under the pointer would cover the top of the chat.
    await page.mouse.move(AWAY.x, AWAY.y);
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** What the model thought, folded. */
  get thinking(): Locator {
    return this.log.getByRole('button', { name: /^(?:Thinking$|Thought for )/ });
  }

  /** A tool call, by its tool and the beginning of what it is about. */
  tool(call: string): Locator {
    return this.log.getByRole('group', { name: callNamed(call) });
  }

  /** Chooses a permission mode by what it is called in the selector. */
  async selectMode(label: string): Promise<void> {
    await this.select('Permission mode', label);
  }

  /** Chooses in a selector by what the choice is called, and waits until it is what the selector shows. */
  async select(selector: 'Model' | 'Permission mode', label: string): Promise<void> {
    await this.picker(selector).click();
    const choice =
      selector === 'Model'
        ? this.frame.getByRole('dialog', { name: 'Model' }).getByRole('button', { name: label })
        : this.frame.getByRole('menuitemradio', { name: label, exact: true });
    await choice.first().click();
    await this.waitForChoice(selector, label);
  }

  /** Waits until a selector shows a choice. */
  async waitForChoice(selector: 'Model' | 'Permission mode', label: string): Promise<void> {
    await this.picker(selector, label).waitFor(SLOW);
  }

  /** The button that shows what is chosen, and opens what to choose from. */
  picker(selector: 'Model' | 'Permission mode', label = ''): Locator {
    return this.frame.getByRole('button', { name: new RegExp(`^${selector}: (?:(?:Auto|Default|Pinned) · )?${label.replaceAll(/[.()]/g, String.raw`\$&`)}`) });
  }

  /** Does what stands in the title bar until it has had its effect: VS Code draws the bar anew when something that it depends on changes, and a press on what goes away then is lost. */
  private async actUntil(name: string, effect: (limit: { timeout: number }) => Promise<void>): Promise<void> {
    const isDone = async (): Promise<boolean> => {
      await this.act(name);
      return effect({ timeout: LOST_PRESS_MS }).then(() => true, falseOnTimeout);
    };
    await waitFor(isDone, { what: `what “${name}” does`, timeoutMs: 60_000 });
  }

  /** The list of chats, in the chat's place. */
  get history(): Locator {
    return this.frame.getByRole('list', { name: 'Chats' });
  }

  /** Shows the list of chats in place of the chat. */
  async openHistory(): Promise<void> {
    await this.actUntil('Show Chat History', (limit) => this.history.waitFor(limit));
  }

  /** Goes from the list of chats back to the chat. */
  async closeHistory(): Promise<void> {
    await this.actUntil('Show Chat History', (limit) => this.message.waitFor(limit));
  }

  /** Starts a new conversation and waits until it is shown, and the cursor has gone from the button to the message box. */
  async newSession(): Promise<void> {
    // A cursor that is in the box already would say nothing of the button, and neither would a conversation without messages.
    await this.frame.locator('body').evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await this.actUntil('New Chat', async (limit) => {
      await this.mine.first().waitFor({ state: 'detached', ...limit });
      // The cursor is asked for last. Before that it would be taken from whatever the test turns to.
      await this.message.and(this.frame.locator(':focus')).waitFor(limit);
    });
  }

  /** Shows a stored conversation, by the beginning of its first message, and waits until its title is shown. */
  async openFromHistory(title: string): Promise<void> {
    await this.openHistory();
    const row = this.history.getByRole('button', { name: new RegExp(`^${title}`) });
    // A row has no text while the list is drawn again.
    const firstLine = async (): Promise<string | false> => (await row.innerText(SLOW)).split('\n')[0] || false;
    const whole = await waitFor(firstLine, { what: `the title of “${title}” in the history`, timeoutMs: 30_000 });
    await row.click();
    // The list goes away at once, while the conversation may still be looked for.
    await this.frame.getByRole('heading', { name: whole, level: 1, exact: true }).first().waitFor(SLOW);
    await this.message.waitFor(SLOW);
  }

  /** Makes the page anew, as VS Code does when it needs the memory, and waits for the new one. */
  async reload(): Promise<void> {
    await this.frame.locator('body').evaluate(() => Reflect.set(window, 'isOld', true));
    await this.workbench.runCommand('Developer: Reload Webviews');
    await this.frame.locator('body:not(:empty)').waitFor(SLOW);
    const isNew = (): Promise<boolean> => this.frame.locator('body').evaluate(() => Reflect.get(window, 'isOld') === undefined);
    await waitFor(() => isNew().catch(() => false), { what: 'the new page', timeoutMs: 30_000 });
    await this.message.waitFor(SLOW);
  }

  /** Types a message, sends it with Enter, and waits until it and the beginning of an answer are in the conversation. */
  async send(text: string): Promise<void> {
    const [beginning = ''] = text.trim().split('\n');
    await this.begin(async () => {
      await this.message.fill(text);
      await this.message.press('Enter');
      await waitFor(async () => (await this.message.inputValue()) === '', { what: `“${text}” to be taken`, timeoutMs: 60_000 });
    }, beginning);
  }

  /**
   * Does something that sends a message, and waits until the message and the beginning of an answer are in the conversation.
   *
   * A request reaches its server before the page shows what it answers: until then the page looks as if no turn ran.
   */
  async begin(send: () => Promise<void>, beginning: string | RegExp = ''): Promise<void> {
    // The same words may have been said and answered before.
    await this.entries.evaluateAll((entries) => entries.forEach((entry) => Reflect.set(entry, 'isOld', true)));
    await send();
    const hasNew = (entries: Locator): Promise<boolean> => entries.evaluateAll((all) => all.some((entry) => !Reflect.has(entry, 'isOld')));
    const isThere = async (): Promise<boolean> => (await hasNew(this.mine.filter({ hasText: beginning }))) && hasNew(this.answers);
    await waitFor(isThere, { what: `“${String(beginning)}” and its answer in the conversation`, timeoutMs: 60_000 });
  }

  /** Waits for a permission prompt that is there to its end, and gives its whole text. */
  async waitForPrompt(): Promise<string> {
    await this.prompt.waitFor(SLOW);
    // A long change comes line by line, and the prompt settles before it can be allowed.
    const allow = this.prompt.getByRole('button', { name: 'Allow', exact: true, disabled: false });
    await allow
      .or(this.prompt.getByRole('button', { name: 'Scroll to End' }))
      .first()
      .waitFor(SLOW);
    return this.prompt.innerText();
  }

  /** Answers the permission prompt that is shown, and waits until it is gone. */
  async answer(name: 'Allow' | 'Deny'): Promise<void> {
    const button = this.prompt.getByRole('button', { name, exact: true });
    const handle = await this.prompt.elementHandle(SLOW);
    await button.click();
    await handle.waitForElementState('hidden', SLOW);
  }

  /** Opens the rules that "Always allow" would add, to be changed. */
  async openRules(): Promise<void> {
    await this.prompt.getByRole('button', { name: 'More Options' }).click();
    await this.prompt.getByRole('button', { name: 'Edit Rule…' }).click();
    await this.rules.waitFor(SLOW);
  }

  /** Writes rules that were not offered, once the rules were opened, and has them offered. */
  async offerRules(rules: string): Promise<void> {
    await this.rules.fill(rules);
    await this.prompt.getByRole('button', { name: 'Always Allow', exact: true }).click();
    await this.prompt.getByRole('alert').filter({ hasText: 'You changed the rules' }).waitFor(SLOW);
  }

  /** Allows what is asked about and remembers the rules that are offered for the session, and waits until the prompt is gone. */
  async remember(): Promise<void> {
    const handle = await this.prompt.elementHandle(SLOW);
    await this.prompt.getByRole('combobox').selectOption({ label: 'This chat' });
    await this.prompt.getByRole('button', { name: 'Always Allow', exact: true }).click();
    await handle.waitForElementState('hidden', SLOW);
  }

  /** The rules that "Always allow" would add; there once they were opened. */
  get rules(): Locator {
    return this.prompt.getByRole('textbox', { name: /^Rules/ });
  }

  /** Waits until no turn runs, and the answer that was begun last has ended. */
  async waitForIdle(): Promise<void> {
    // The page may be told of a new answer before it is told that a turn runs.
    const ended = this.workbench.page.getByRole('toolbar', { name: 'Response actions' });
    await this.entries
      .last()
      .and(this.answers.filter({ hasNot: ended }))
      .waitFor({ state: 'hidden', ...SLOW });
    await this.button('Stop').waitFor({ state: 'hidden', ...SLOW });
    await this.button('Send').waitFor(SLOW);
  }

  /** All that the page says, and what is written in the message box; why that is not known where the page does not answer. */
  async told(): Promise<string> {
    const limit = { timeout: 5_000 };
    const words = [this.frame.locator('body').innerText(limit), this.message.inputValue(limit).then((text) => `Written: “${text}”`)];
    return (await Promise.all(words.map((word) => word.catch(String)))).join('\n');
  }

  /** Waits until a text is in the conversation. */
  async waitForText(text: string | RegExp): Promise<void> {
    await this.log.getByText(text).first().waitFor(SLOW);
  }
}
