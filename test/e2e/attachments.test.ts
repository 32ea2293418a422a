import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reply } from '../support/model-server/index.js';
import type { WithModel } from './with-model.js';
import { startWithModel } from './with-model.js';

/** A picture of one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');

describe('attachments', () => {
  let test: WithModel;

  beforeAll(async () => {
    test = await startWithModel();
    test.server.setScript(() => reply().text('I see.'));
    await writeFile(join(test.app.workspace, 'pixel.png'), PIXEL);
    await writeFile(join(test.app.workspace, 'empty.png'), '');
  });
  afterAll(() => test.stop());

  /** Chooses a file of the workspace in VS Code's own dialog. */
  async function attach(name: string): Promise<void> {
    await test.chat.button('Attach').click();
    const dialog = test.app.page.locator('.quick-input-widget');
    // It opens in the workspace folder, and a click on a file takes it.
    await dialog.locator('.monaco-list-row').filter({ hasText: name }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  function attached(name: string): Locator {
    return test.chat.frame.getByRole('list', { name: 'Files of this message' }).getByRole('listitem').filter({ hasText: name });
  }

  it('sends a picture and the path of a file with the message, and each only once', async () => {
    const { chat, server } = test;
    await attach('pixel.png');
    await attached('pixel.png').waitFor();
    await attach('package.json');
    await attached('package.json').waitFor();
    const next = server.request(server.requests.length);
    await chat.send('What is this?');
    const { body } = await next;
    await chat.waitForIdle();
    const content = JSON.stringify(body.messages.at(-1));
    expect(content).toContain(PIXEL.toString('base64'));
    expect(content).toContain('Attached file: package.json');
    expect(content).toContain('What is this?');
    await attached('pixel.png').waitFor({ state: 'detached' });
    const after = server.request(server.requests.length);
    await chat.send('And now?');
    expect(JSON.stringify((await after).body.messages.at(-1))).not.toContain('Attached file');
    await chat.waitForIdle();
  });

  it('takes one back, and does not send it', async () => {
    const { chat, server } = test;
    await attach('package.json');
    await attached('package.json').getByRole('button').click();
    await attached('package.json').waitFor({ state: 'detached' });
    const next = server.request(server.requests.length);
    await chat.send('Nothing attached');
    expect(JSON.stringify((await next).body.messages.at(-1))).not.toContain('Attached file');
    await chat.waitForIdle();
  });

  it('stream-23 says why an empty picture is not attached, and the chat goes on', async () => {
    const { chat } = test;
    await attach('empty.png');
    await chat.frame.getByRole('alert').filter({ hasText: 'empty.png has 0 bytes' }).waitFor();
    await chat.send('Still there?');
    await chat.waitForIdle();
    await chat.answers.last().getByText('I see.').waitFor();
  });
});
