import { describe, expect, it } from 'vitest';
import { EXTENSIONS } from '../../scripts/launch-options.mjs';
import { answering, reply } from '../support/model-server/index.js';
import { says } from '../support/wording.js';
import { api } from './api.js';
import { interruption } from './interruption.js';
import { SharedWindow } from './shared-window.js';
import { startWithModel } from './with-model.js';

/** On a machine without a sandbox, with the extensions of test/fixtures/api-extension and of `npm start`. */
describe('with a server of its own', () => {
  const window = new SharedWindow(() =>
    startWithModel({}, { own: { others: ['test/fixtures/api-extension', ...EXTENSIONS.others], sandbox: false }, asItStarts: true }),
  );

  it('the extension that npm start adds shows the chat without a click', async () => {
    const { chat } = await window.take();
    await chat.message.waitFor({ timeout: 60_000 });
  });

  it('run-01 the chat says once why so much is asked on a machine without a sandbox, where a command that only reads asks, too', async () => {
    const { chat, server } = await window.take();
    server.setScript(answering(reply().toolCall('bash', { command: 'cat package.json' })));
    for (const words of ['Read it', 'Read it again']) {
      await chat.send(words);
      expect(await chat.waitForPrompt()).toContain('No sandbox is available.');
      await chat.answer('Deny');
      await chat.waitForIdle();
    }
    const notice = chat.log.getByText(says('readOnlyCommandsAskToo'));
    await notice.waitFor();
    expect(await notice.count()).toBe(1);
  });

  api(window);
  interruption(window);
});
