import type { Locator } from 'playwright-core';
import { waitFor } from '../vscode/wait.mjs';
import type { App } from './app.js';

const SLOW = { timeout: 60_000 };
/** More than there are places in the panel that take the focus. */
const MOST_TABS = 40;

/** The MCP servers in the panel, as a person with a screen reader finds them. */
export class ServersPane {
  constructor(private readonly app: App) {}

  /** Goes from the chat to the servers, or back. */
  toggle(): Promise<void> {
    return this.app.workbench.runCommand('Gnomon: MCP Servers');
  }

  row(name: string): Locator {
    return this.app.chat.frame.locator(`[data-server="${name}"]`);
  }

  button(name: string): Locator {
    return this.app.chat.button(name);
  }

  async waitForStatus(name: string, status: string): Promise<void> {
    await this.row(name).getByText(status, { exact: true }).waitFor(SLOW);
  }

  /** Chooses in the menu of a server. */
  async choose(name: string, action: string): Promise<void> {
    await this.button(`Actions for ${name}`).click(SLOW);
    await this.app.chat.frame.getByRole('menuitem', { name: action, exact: true }).click(SLOW);
  }

  /** Reads all of what a server would do, and approves it. */
  async approve(): Promise<void> {
    const approving = this.button('Approve and Start');
    await approving.waitFor(SLOW);
    // What does not fit has to be seen before.
    const toEnd = this.button('Scroll to End');
    await this.app.chat.frame
      .getByRole('button', { name: /^(Approve and Start|Scroll to End)$/, disabled: false })
      .first()
      .waitFor(SLOW);
    if (await toEnd.isVisible()) await toEnd.click(SLOW);
    await approving.click(SLOW);
  }

  /** Goes on with the Tab key until a button has the focus. */
  async tabTo(name: string): Promise<void> {
    const focused = this.button(name).and(this.app.chat.frame.locator(':focus'));
    let pressed = 0;
    const isThere = async (): Promise<boolean> => {
      if (await focused.isVisible()) return true;
      if ((pressed += 1) > MOST_TABS) throw new Error(`The Tab key does not lead to “${name}”.`);
      await this.app.page.keyboard.press('Tab');
      return focused.isVisible();
    };
    await waitFor(isThere, { what: `the focus on “${name}”`, timeoutMs: 30_000 });
  }
}
