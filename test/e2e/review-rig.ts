import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { answering, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { WithModel } from './with-model.js';

/** A text of nine lines. */
export const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n';
/** The same with two lines changed by the model. */
export const AFTER = BEFORE.replace('two', 'TWO').replace('eight', 'EIGHT');

/** A VS Code whose model changes files, and what a person sees of that. */
export class ReviewRig {
  constructor(readonly all: WithModel) {}

  get region(): Locator {
    return this.all.chat.frame.getByRole('region', { name: 'Changed files' });
  }

  /** The inline comparison of quick diff. */
  get peek(): Locator {
    return this.all.app.page.locator('.zone-widget.dirty-diff');
  }

  /** A button in the title of that. VS Code hides all of it from assistive technology. */
  peekButton(name: string): Locator {
    return this.peek.getByRole('button', { name, includeHidden: true });
  }

  /** Begins anew: no editors, nothing pending, an empty conversation. */
  async reset(): Promise<void> {
    const { app, chat } = this.all;
    await app.workbench.closeEditors();
    await app.openChat();
    await waitFor(() => this.keepAll(), { what: 'nothing to be pending', timeoutMs: 30_000 });
    await chat.newSession();
  }

  /** Keeps what is pending, where it does not just go away. Returns whether nothing is. */
  private async keepAll(): Promise<boolean> {
    if ((await this.region.count()) === 0) return true;
    await this.region
      .getByRole('button', { name: 'Keep All' })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    return false;
  }

  /** A button that restores to before the message with this number, from the first. */
  restoreButton(what: 'Files' | 'Files and Chat', message = 0): Locator {
    // Where a turn has changed files, the button is in the checkpoint line above its message.
    return this.all.chat.log.getByRole('button', { name: `Restore ${what} to Before This Message` }).nth(message);
  }

  /** Has the model change two lines of files that were not open. */
  async change(...names: readonly string[]): Promise<void> {
    const { app, chat, server } = this.all;
    const edits = [
      { old_string: 'two', new_string: 'TWO' },
      { old_string: 'eight', new_string: 'EIGHT' },
    ];
    let answer = reply();
    for (const name of names) {
      await writeFile(join(app.workspace, name), BEFORE);
      answer = answer.toolCall('read', { file_path: name }).toolCall('edit', { file_path: name, edits });
    }
    server.setScript(answering(answer));
    await chat.send(`Change ${names.join(', ')}`);
    await chat.waitForIdle();
    for (const name of names) await this.all.app.waitForFile(name, AFTER);
  }

  /** Has the model write a file whole, as a turn of its own. */
  async write(name: string, content: string): Promise<void> {
    const { chat, server } = this.all;
    server.setScript(answering(reply().toolCall('read', { file_path: name }).toolCall('write', { file_path: name, content })));
    await chat.send(`Write ${name}: ${content.trim()}`);
    await chat.waitForIdle();
    await this.all.app.waitForFile(name, content);
  }
}
