import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gate, lastUserText, reply } from '../support/model-server/index.js';
import type { Chat } from './chat.js';
import type { WithModel } from './with-model.js';
import { answering, startWithModel, toolResults } from './with-model.js';

const SLOW = { timeout: 60_000 };

/** Words that can be counted in a transcript: `w0 w1 w2 `. */
function words(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, n) => `w${from + n} `);
}

describe('the life of the panel', () => {
  let all: WithModel;
  let chat: Chat;

  beforeAll(async () => {
    all = await startWithModel();
    chat = all.chat;
  });
  beforeEach(() => chat.newSession());
  afterAll(() => all.stop());

  /** Shows another view in place of the chat, and waits until the chat is gone. */
  async function hide(): Promise<void> {
    await all.app.workbench.openView('Explorer');
    await chat.message.waitFor({ state: 'hidden' });
  }

  /** How often a command has run: each run adds a line to a file. */
  async function runs(file: string): Promise<number> {
    const text = await readFile(join(all.app.workspace, file), 'utf8').catch(() => '');
    return text.split('\n').length - 1;
  }

  /** Waits until the prompt has been seen to its end, which it says something about, and gives its whole text. */
  async function promptText(): Promise<string> {
    await chat.waitForPrompt();
    await chat.prompt.getByRole('button', { name: 'Allow', exact: true }).click({ trial: true });
    return chat.prompt.innerText();
  }

  for (const how of ['hidden', 'reloaded'] as const) {
    it(`view-14 shows the same answer when it was ${how} in mid-stream, nothing twice and nothing lost`, async () => {
      const [first, second] = [gate(), gate()];
      all.server.setScript(() => reply().text(...words(0, 40), first, ...words(40, 80), second, ...words(80, 120)));
      await chat.send(`Count ${how}`);
      await chat.waitForText('w39');
      if (how === 'hidden') await hide();
      first.open();
      await second.reached;
      if (how === 'hidden') await all.app.openChat();
      else await chat.reload();
      await chat.waitForText('w79');
      second.open();
      await chat.waitForIdle();
      await chat.waitForText('w119');
      const text = (await chat.answers.last().innerText()).match(/w\d+/g);
      expect(text).toEqual(words(0, 120).map((word) => word.trim()));
      expect(await chat.mine.count()).toBe(1);
      expect(await chat.answers.count()).toBe(1);
    });

    it(`view-14 shows an open prompt once when it was ${how}, answers nothing by itself, and runs once when allowed`, async () => {
      const file = `runs-${how}.txt`;
      all.server.setScript(answering(reply().text('I run it.').toolCall('bash', { command: `echo run >> ${file}` })));
      await chat.send('Run it');
      const before = await promptText();
      const asked = all.server.requests.length;
      for (let n = 0; n < 2; n += 1) {
        if (how === 'hidden') {
          await hide();
          await all.app.openChat();
        } else {
          await chat.reload();
        }
        expect(await promptText()).toBe(before);
        expect(await chat.prompt.count()).toBe(1);
      }
      expect(await runs(file)).toBe(0);
      expect(all.server.requests.length).toBe(asked);
      await chat.answer('Allow');
      await chat.waitForText('That was all.');
      await chat.waitForIdle();
      expect(await runs(file)).toBe(1);
      expect(all.server.requests.length).toBe(asked + 1);
      expect(toolResults(all.server)).toHaveLength(1);
    });
  }

  it('lets a conversation go on in the background, and has its whole answer when it is shown again', async () => {
    const hold = gate();
    all.server.setScript(({ body }) => (lastUserText(body) === 'The second' ? reply().text('Answer to the second.') : reply().text('The beginning, ', hold, 'and the end.')));
    await chat.send('The first goes on');
    await chat.waitForText('The beginning');
    const first = all.server.requests.at(-1)?.closedByClient;
    await chat.newSession();
    await chat.send('The second');
    await chat.waitForText('Answer to the second.');
    await chat.waitForIdle();
    expect(await chat.log.textContent()).not.toContain('The beginning');
    await chat.openFromHistory('The first goes on');
    await chat.waitForText('The beginning');
    await chat.button('Stop').waitFor();
    await chat.openFromHistory('The second');
    await chat.waitForText('Answer to the second.');
    hold.open();
    expect(await first).toBe(false);
    await chat.openFromHistory('The first goes on');
    await chat.waitForText('The beginning, and the end.');
    await chat.waitForIdle();
    expect(await chat.answers.count()).toBe(1);
    expect(await chat.mine.count()).toBe(1);
  });

  it('keeps the prompt of a conversation in the background for it alone', async () => {
    all.server.setScript((request) =>
      lastUserText(request.body) === 'Something else' ? reply().text('Done with that.') : answering(reply().toolCall('bash', { command: 'echo run >> background.txt' }))(request),
    );
    await chat.send('Ask me later');
    await chat.waitForPrompt();
    await chat.newSession();
    await chat.prompt.waitFor({ state: 'detached' });
    await chat.send('Something else');
    await chat.waitForText('Done with that.');
    await chat.waitForIdle();
    expect(await runs('background.txt')).toBe(0);
    await chat.openFromHistory('Ask me later');
    expect(await chat.waitForPrompt()).toContain('background.txt');
    await chat.answer('Allow');
    await chat.waitForText('That was all.');
    expect(await runs('background.txt')).toBe(1);
  });

  it('stream-24 sends no second message while a turn runs: it waits in the queue, once', async () => {
    const hold = gate();
    all.server.setScript(({ body }) => (lastUserText(body) === 'Second' ? reply().text('Answer two.') : reply().text('Answer ', hold, 'one.')));
    await chat.send('First');
    await chat.waitForText('Answer');
    const asked = all.server.requests.length;
    await chat.message.fill('Second');
    await chat.message.press('Enter');
    await chat.message.press('Enter');
    const queue = chat.frame.getByRole('region', { name: 'Queue' });
    await queue.getByText('Second', { exact: true }).waitFor();
    expect(await queue.getByRole('listitem').count()).toBe(1);
    await expect.poll(() => chat.message.inputValue(), SLOW).toBe('');
    expect(all.server.requests.length).toBe(asked);
    expect(await chat.mine.count()).toBe(1);
    hold.open();
    await chat.waitForText('Answer one.');
    await chat.waitForText('Answer two.');
    await chat.waitForIdle();
    expect(await queue.count()).toBe(0);
    expect(await chat.mine.count()).toBe(2);
    expect(all.server.requests.length).toBe(asked + 1);
  });

  it('keeps what is being written when the panel is hidden', async () => {
    await chat.message.fill('A long thought that is not finished');
    await hide();
    await all.app.openChat();
    await expect.poll(() => chat.message.inputValue(), SLOW).toBe('A long thought that is not finished');
    await chat.message.fill('');
  });

  it('shows the same conversation in the secondary side bar, and a turn goes on over the move', async () => {
    const hold = gate();
    all.server.setScript(() => reply().text('Here ', hold, 'and there.'));
    await chat.send('Before the move');
    await chat.waitForText('Here');
    await moveTo('Secondary Side Bar');
    await all.app.page.locator('.part.auxiliarybar').waitFor();
    await chat.waitForText('Here');
    hold.open();
    await chat.waitForText('Here and there.');
    await chat.waitForIdle();
    expect(await chat.mine.count()).toBe(1);
    expect(await chat.answers.count()).toBe(1);
    await moveTo('Primary Side Bar');
    await all.app.page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    await chat.waitForText('Here and there.');
  });

  /** Moves the chat by the menu of its icon. */
  async function moveTo(place: string): Promise<void> {
    const { page } = all.app;
    await page.locator('.composite-bar a.action-label[aria-label^="Gnomon"]').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move To' }).hover();
    await all.app.workbench.chooseInMenu(place);
  }
});
