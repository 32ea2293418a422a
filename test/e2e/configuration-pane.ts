import type { Locator } from 'playwright-core';
import type { App } from './app.js';

const SLOW = { timeout: 60_000 };

/** The page about what is configured, as a person with a screen reader finds it. */
export class ConfigurationPane {
  constructor(private readonly app: App) {}

  get page(): Locator {
    return this.app.chat.frame.getByRole('region', { name: 'Configuration', exact: true });
  }

  /** Shows it. @param command that leads to it */
  async show(command = 'Gnomon: Show Configuration'): Promise<void> {
    await this.app.workbench.runCommand(command);
    await this.page.waitFor(SLOW);
  }

  /** Goes back to the chat. */
  async close(): Promise<void> {
    await this.page.getByRole('button', { name: 'Back to Chat' }).click(SLOW);
    await this.page.waitFor({ state: 'hidden', ...SLOW });
  }

  /** The rows of a section whose names or states have a text in them. */
  rows(text: string | RegExp): Locator {
    return this.page.locator('[data-row]').filter({ hasText: text });
  }

  /** Expands a section, where it is not expanded. */
  async expandSection(title: string): Promise<void> {
    await expand(this.page.getByRole('heading', { level: 3, name: new RegExp(`^${title} \\d`) }).getByRole('button'));
  }

  /** Expands the first row with a text, where it is not expanded, and gives it. */
  async expandRow(text: string | RegExp): Promise<Locator> {
    const row = this.rows(text).first();
    await expand(row.getByRole('button').first());
    return row;
  }

  /** Presses the button of a hook that leads to VS Code's question, and answers that. @returns what the question shows */
  async decide(hook: string, button: string, answer: string): Promise<string> {
    const row = await this.expandRow(hook);
    await row.getByRole('button', { name: button }).click(SLOW);
    const dialog = this.app.workbench.dialog();
    await dialog.waitFor(SLOW);
    const text = await dialog.innerText();
    await dialog.getByRole('button', { name: answer, exact: true }).click();
    await dialog.waitFor({ state: 'hidden', ...SLOW });
    return text;
  }
}

async function expand(button: Locator): Promise<void> {
  await button.waitFor(SLOW);
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click(SLOW);
}
