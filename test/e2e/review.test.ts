import { execFileSync } from 'node:child_process';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { Chat } from './chat.js';
import type { WithModel } from './with-model.js';
import { answering, startWithModel } from './with-model.js';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n';
const AFTER = BEFORE.replace('two', 'TWO').replace('eight', 'EIGHT');

describe('review and undo', () => {
  let all: WithModel;
  let chat: Chat;

  beforeAll(async () => {
    all = await startWithModel({ 'files.autoSave': 'off', 'gnomon.permissionMode': 'acceptEdits' });
    chat = all.chat;
  });
  afterAll(() => all.stop());
  beforeEach(async () => {
    await all.app.workbench.runCommand('Notifications: Clear All Notifications');
    await chat.newSession();
  });

  function region(): Locator {
    return chat.frame.getByRole('region', { name: 'Changed files' });
  }

  function restoreButton(): Locator {
    return chat.mine.first().getByRole('button', { name: 'Restore files to before this message' });
  }

  /** Has the model change two lines of a file that was not open. */
  async function change(name: string): Promise<void> {
    await writeFile(join(all.app.workspace, name), BEFORE);
    const edits = [{ old_string: 'two', new_string: 'TWO' }, { old_string: 'eight', new_string: 'EIGHT' }];
    all.server.setScript(answering(reply().toolCall('read', { file_path: name }).toolCall('edit', { file_path: name, edits })));
    await chat.send(`Change ${name}`);
    await chat.waitForIdle();
    await all.app.waitForFile(name, AFTER);
  }

  it('C-7 lists what was changed; Undo takes it back, Keep lets it stand', async () => {
    await change('undone.txt');
    await region().getByRole('button', { name: /^1 changed file \+2/ }).waitFor();
    await region().getByRole('button', { name: 'Undo undone.txt' }).click();
    await all.app.waitForFile('undone.txt', BEFORE);
    await region().waitFor({ state: 'detached' });
    await change('kept.txt');
    await region().getByRole('button', { name: 'Keep kept.txt' }).click();
    await region().waitFor({ state: 'detached' });
    expect(await all.app.read('kept.txt')).toBe(AFTER);
  });

  it('C-7 a single hunk is undone from the editor, and the other stays', async () => {
    await change('hunks.txt');
    await all.app.workbench.openFile('hunks.txt');
    const undo = all.app.page.locator('.codelens-decoration a', { hasText: 'Undo' });
    await undo.first().waitFor();
    await undo.first().click();
    await waitFor(async () => (await undo.count()) === 1, { what: 'one hunk to be left', timeoutMs: 30_000 });
    await waitFor(async () => (await all.app.workbench.activeEditorText()).includes('\ntwo\n'), { what: 'the line that was there before', timeoutMs: 30_000 });
    await all.app.workbench.runCommand('File: Save');
    await all.app.waitForFile('hunks.txt', BEFORE.replace('eight', 'EIGHT'));
    await all.app.workbench.runCommand('Gnomon: Keep All Changes');
    await region().waitFor({ state: 'detached' });
  });

  it('C-8 restores files to before a message: what the person changed since is asked about, and kept or overwritten', async () => {
    await change('restored.txt');
    const mine = `${AFTER}mine\n`;
    await writeFile(join(all.app.workspace, 'restored.txt'), mine);
    await restoreButton().click();
    const dialog = all.app.workbench.dialog();
    await dialog.getByRole('button', { name: 'Keep Mine' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await all.app.read('restored.txt')).toBe(mine);
    await restoreButton().click();
    await dialog.getByRole('button', { name: 'Overwrite' }).click();
    await all.app.waitForFile('restored.txt', BEFORE);
  });

  it('C-8 a file that was created is deleted by a restore, and redone', async () => {
    all.server.setScript(answering(reply().toolCall('write', { file_path: 'created.txt', content: 'new\n' })));
    await chat.send('Create');
    await all.app.waitForFile('created.txt', 'new\n');
    await chat.waitForIdle();
    await restoreButton().click();
    const gone = (): Promise<boolean> => access(join(all.app.workspace, 'created.txt')).then(() => false, () => true);
    await waitFor(gone, { what: 'created.txt to be gone', timeoutMs: 30_000 });
    await all.app.page.locator('.notifications-toasts').getByRole('button', { name: 'Redo' }).click();
    await all.app.waitForFile('created.txt', 'new\n');
  });

  it('C-8 a file that a command changed is listed and restored, where git knows it', async () => {
    const git = (...args: string[]): Buffer => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: all.app.workspace });
    await writeFile(join(all.app.workspace, 'tracked.txt'), BEFORE);
    git('init', '-q');
    git('add', 'tracked.txt');
    git('commit', '-qm', 'start');
    const head = git('rev-parse', 'HEAD').toString();
    all.server.setScript(answering(reply().toolCall('bash', { command: "sed -i 's/two/TWO/' tracked.txt" })));
    await chat.send('Run');
    await chat.waitForPrompt();
    await chat.answer('Allow');
    await chat.waitForIdle();
    await region().getByRole('button', { name: 'Undo tracked.txt' }).waitFor();
    await restoreButton().click();
    await all.app.waitForFile('tracked.txt', BEFORE);
    expect(git('rev-parse', 'HEAD').toString()).toBe(head);
  });
});
