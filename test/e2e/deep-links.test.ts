import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { sessionsWith } from './files.js';
import type { WithModel } from './with-model.js';
import { startWithModel } from './with-model.js';

const SLOW = { timeout: 60_000 };
/** What links of the VS Code under test begin with. */
const SCHEME = 'code-oss';

describe('E-8 conf-16 links into the extension', () => {
  let all: WithModel;
  beforeAll(async () => {
    all = await startWithModel();
    all.server.setScript(() => reply().text('Well.'));
  });
  afterAll(() => all.stop());

  const dialog = (): Locator => all.app.workbench.dialog();

  /** The id of the stored session in which a text is. */
  async function storedSession(text: string): Promise<string | undefined> {
    const files = await sessionsWith(all.app.dataDir, text);
    return files.map((file) => /\/(\d+)\.json$/.exec(file)?.[1]).find((id) => id !== undefined);
  }

  /** Follows a link, as VS Code does with those that come from outside: it asks a question of its own first. */
  async function follow(link: string): Promise<void> {
    await all.app.workbench.runCommand('Developer: Open URL');
    const input = all.app.page.locator('.quick-input-widget').getByRole('textbox');
    await input.fill(link);
    await input.press('Enter');
    await dialog().filter({ hasText: 'to open this URI?' }).getByRole('button', { name: 'Open' }).click(SLOW);
    await dialog().filter({ hasText: 'to open this URI?' }).waitFor({ state: 'detached', ...SLOW });
  }

  it('put a text into the message box once the person has seen it whole, and send nothing', async () => {
    const before = all.server.requests.length;
    await follow(`${SCHEME}://gnomon.gnomon/prompt?text=Fix%20the%20test%0AThen%20run%20it`);
    await dialog().getByText('Then run it').waitFor(SLOW);
    await all.app.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached', ...SLOW });
    expect(await all.chat.message.inputValue()).toBe('');
    await follow(`${SCHEME}://gnomon.gnomon/prompt?text=Fix%20the%20test%0AThen%20run%20it`);
    await dialog().getByRole('button', { name: 'Insert' }).click(SLOW);
    await expect.poll(() => all.chat.message.inputValue(), SLOW).toBe('Fix the test\nThen run it');
    expect(all.server.requests).toHaveLength(before);
  });

  it('open a session that is there, and say which one is not', async () => {
    await all.chat.newSession();
    await all.chat.send('Remember me');
    await all.chat.waitForText('Well.');
    await all.chat.waitForIdle();
    const id = await waitFor(() => storedSession('Remember me'), { what: 'the stored session', timeoutMs: 30_000 });
    await all.chat.newSession();
    await follow(`${SCHEME}://gnomon.gnomon/session?id=${id}`);
    await dialog().getByRole('button', { name: 'Open session' }).click(SLOW);
    await all.chat.mine.filter({ hasText: 'Remember me' }).waitFor(SLOW);
    await follow(`${SCHEME}://gnomon.gnomon/session?id=not-there`);
    await dialog().getByRole('button', { name: 'Open session' }).click(SLOW);
    await all.app.workbench.notification('The link could not be followed');
  });

  it('refuse what Gnomon does not do', async () => {
    await follow(`${SCHEME}://gnomon.gnomon/send?text=x`);
    await all.app.workbench.notification('A link asked Gnomon for something that it does not do.');
  });
});
