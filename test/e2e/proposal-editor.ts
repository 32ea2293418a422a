import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { answering, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { WithModel } from './with-model.js';

const SLOW = { timeout: 60_000 };

/** Proposals of a model, and the editors in which a person changes them. */
export class ProposalEditor {
  constructor(private readonly all: WithModel) {}

  private get page(): Page {
    return this.all.app.page;
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name: new RegExp(`^${name}: proposed by Gnomon`) });
  }

  /** A button in the title of the editor. */
  title(name: 'Allow' | 'Deny'): Locator {
    return this.page.locator('.editor-actions').getByRole('button', { name, exact: true });
  }

  /** The side that can be changed. */
  proposed(): Locator {
    return this.page.locator('.editor-group-container.active .monaco-diff-editor .editor.modified');
  }

  /** The side of the file as it is. */
  present(): Locator {
    return this.page.locator('.editor-group-container.active .monaco-diff-editor .editor.original');
  }

  /** Has the model propose to change the second line of a file, which is `two`, and waits for the prompt. */
  async propose(name: string, before: string | Buffer = 'one\ntwo\nthree\n', second = 'TWO'): Promise<void> {
    const { app, chat, server } = this.all;
    await mkdir(dirname(join(app.workspace, name)), { recursive: true });
    await writeFile(join(app.workspace, name), before);
    const edits = [{ old_string: 'two', new_string: second }];
    server.setScript(answering(reply().toolCall('read', { file_path: name }).toolCall('edit', { file_path: name, edits })));
    await chat.send(`Change ${name}`);
    await chat.waitForPrompt();
  }

  /** Opens the proposal and puts the cursor at the beginning of its text. */
  async show(name: string): Promise<void> {
    await this.all.chat.prompt.getByRole('button', { name: 'Open Diff', exact: true }).click();
    await this.tab(name).waitFor(SLOW);
    // VS Code shows another comparison in the same editor; until then it holds the one before.
    await this.proposed().locator(`[data-uri$="${name}"] .view-line`).first().click(SLOW);
    await this.page.keyboard.press('Control+Home');
  }

  /** Types at the cursor of the proposal. */
  async type(name: string, text: string): Promise<void> {
    await this.page.keyboard.type(text);
    await waitFor(() => this.isDirty(name), { what: 'unsaved text in the editor', timeoutMs: 30_000 });
  }

  async save(name: string): Promise<void> {
    await this.page.keyboard.press('Control+s');
    await waitFor(async () => !(await this.isDirty(name)), { what: 'the text to be saved', timeoutMs: 30_000 });
  }

  private isDirty(name: string): Promise<boolean> {
    return this.tab(name).evaluate((element) => element.classList.contains('dirty'));
  }
}
