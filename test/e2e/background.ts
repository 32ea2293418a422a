import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gate, type RecordedRequest, gate, lastToolResults, reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import type { Chat } from './chat.js';
import type { SharedWindow } from './shared-window.js';
import type { WithModel } from './with-model.js';
import { says } from '../support/wording.js';

const SLOW = { timeout: 60_000 };
/** What the model calls every conversation. */
const TITLE = 'Even medians';

/** Whether a request is the one for a title: it alone offers no tools. */
function asksForTitle({ body }: RecordedRequest): boolean {
  return (body.tools ?? []).length === 0;
}

/** Cases for what goes on while nobody looks at it. It changes a setting. */
export function background(window: SharedWindow): void {
  describe('what nobody looks at', () => {
    let all: WithModel;
    let chat: Chat;

    beforeAll(async () => {
      all = await window.take();
      await all.app.changeSettings({ 'gnomon.improveTitles': true });
      chat = all.chat;
    });
    afterAll(() => all.app.changeSettings({ 'gnomon.improveTitles': false }));

    function title(text: string): Locator {
      return chat.frame.getByRole('heading', { name: text, level: 1 });
    }

    /** Answers the first message after a gate, with a call if one is given, and requests for a title at once. */
    function script(hold: Gate, command?: string): void {
      all.server.setScript((request) => {
        if (asksForTitle(request)) return reply().text(TITLE);
        if (lastToolResults(request.body).length > 0) return reply().text('That was all.');
        return command === undefined ? reply().text('Well, ', hold, 'done.') : reply().text('Well, ', hold, 'go.').toolCall('bash', { command });
      });
    }

    it('gets its title from the first message, then a better one from the model, which the history shows', async () => {
      const hold = gate();
      script(hold);
      await chat.newSession();
      await chat.send('What is the median of an even count?');
      await title('What is the median of an even count?').waitFor(SLOW);
      await all.app.page
        .locator('.statusbar')
        .getByRole('button', { name: /Gnomon is working/ })
        .waitFor(SLOW);
      hold.open();
      await title(TITLE).waitFor(SLOW);
      await chat.openHistory();
      await chat.history
        .getByRole('button', { name: new RegExp(`^${TITLE}`) })
        .first()
        .waitFor(SLOW);
      await chat.closeHistory();
    });

    it('tells of a prompt in the background by a notification, the status bar and the history, and leads there', async () => {
      const hold = gate();
      script(hold, 'echo run >> noticed.txt');
      await chat.newSession();
      await chat.send('Ask me unseen');
      await chat.waitForText('Well,');
      await chat.newSession();
      hold.open();
      const told = says('permissionNeededIn', 'Ask me unseen');
      await all.app.workbench.notification(told);
      await all.app.page.locator('.statusbar').getByText('Gnomon needs you (1)').waitFor(SLOW);
      const badge = all.app.page
        .locator('.composite-bar li.action-item')
        .filter({ has: all.app.page.locator('a[aria-label^="Gnomon"]') })
        .locator('.badge-content');
      await badge.filter({ hasText: /^1$/ }).waitFor(SLOW);
      // It counts what the status bar does.
      await all.app.page.locator('.composite-bar a[aria-label*="1 request needs your attention"]').waitFor(SLOW);
      await chat.openHistory();
      await chat.history
        .getByRole('button', { name: /^Ask me unseen/ })
        .getByText('Waiting for you')
        .waitFor(SLOW);
      await chat.closeHistory();
      // It may have gone from the screen to the notification center by now.
      const notification = await all.app.workbench.notification(told);
      await notification.getByRole('button', { name: 'Show' }).click();
      expect(await chat.waitForPrompt()).toContain('noticed.txt');
      await chat.answer('Deny');
      await chat.waitForIdle();
      await all.app.page
        .locator('.statusbar')
        .getByText('Gnomon needs you')
        .waitFor({ state: 'detached', ...SLOW });
      await badge.filter({ hasText: /^1$/ }).waitFor({ state: 'hidden', ...SLOW });
    });

    it('tells that it has finished while the person is in another window', async () => {
      const hold = gate();
      script(hold);
      await chat.newSession();
      await chat.send('Finish unseen');
      await chat.waitForText('Well,');
      // As when another window is in front: nothing of this one has the focus. VS Code looks when this event comes.
      await all.app.page.evaluate(() => {
        document.hasFocus = () => false;
        document.dispatchEvent(new Event('visibilitychange'));
      });
      // The extension host answers this after it was told of the focus, which came first.
      await chat.newSession();
      hold.open();
      const notification = await all.app.workbench.notification(/Gnomon finished “(Finish unseen|Even medians)”\./);
      await all.app.page.evaluate(() => {
        Reflect.deleteProperty(document, 'hasFocus');
        document.dispatchEvent(new Event('visibilitychange'));
      });
      await notification.getByRole('button', { name: 'Show' }).click();
      await chat.waitForText('Well, done.');
      await waitFor(async () => (await chat.mine.first().innerText()).includes('Finish unseen'), {
        what: 'the conversation that has finished',
        timeoutMs: 30_000,
      });
    });
  });
}
