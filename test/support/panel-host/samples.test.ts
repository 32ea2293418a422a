import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ViewElicitation } from '../../../src/protocol/elicitation.js';
import { violations } from './axe.js';
import { afterGuard, PanelRig, postsOf, sticksOutAt } from './rig.js';
import { page as webPage, sample } from './servers-scenes.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Opens a page in which a server asks for something. */
async function ask(asked: ViewElicitation): Promise<Page> {
  const page = await rig.open();
  await page.evaluate((elicitation) => globalThis.panelHost.post({ type: 'elicitations', elicitations: [elicitation] }), asked);
  await page.locator('.prompt').waitFor();
  return page;
}

function promptOf(page: Page) {
  const prompt = page.getByRole('group', { name: 'issues wants the model to answer something', exact: true });
  const button = (name: string) => prompt.getByRole('button', { name, exact: true });
  return {
    prompt,
    sent: prompt.getByRole('group', { name: 'What the model is sent' }),
    allow: button('Allow'),
    always: button('Always Allow in This Chat'),
    decline: button('Decline'),
    showEnd: button('Scroll to End'),
  };
}

describe('a server that wants the model to answer', () => {
  test('M-14: is shown with the model, all that it is sent, the limits and the cost, hidden characters as escapes', async () => {
    const page = await ask(sample('a\u202eb\u200bc'));
    const { prompt, sent } = promptOf(page);
    expect(await sent.innerText()).toMatch(
      /System prompt\s+You sort issues\.\s+Message\s+Which of these are urgent\?\s+Answer\s+Which ones\?\s+Message\s+a\\u202Eb\\u200Bc/,
    );
    const words = (await prompt.innerText()).replaceAll(/\s+/g, ' ');
    expect(words).toContain('The MCP server issues wants Claude Sonnet 5 to answer something');
    expect(words).toContain(
      'About 1,240 tokens are sent, and the answer has at most 4,096. It costs about $0.07 at most. The server gets the answer. It can use 100,000 more tokens in this chat.',
    );
    expect(words).toContain('It contains invisible characters');
    expect(await violations(page)).toEqual([]);
    expect(await sticksOutAt(page, [240, 360, 800])).toEqual([]);
  });

  test('M-14: is answered once: for this time, for the chat, or not at all', async () => {
    for (const [name, posted] of [
      ['allow', { action: 'accept' }],
      ['always', { action: 'accept', always: true }],
      ['decline', { action: 'decline' }],
    ] as const) {
      const page = await ask(sample('short'));
      await afterGuard(page);
      const button = promptOf(page)[name];
      await button.click();
      expect(await postsOf(page)).toEqual([{ type: 'answer_elicitation', id: 'e3', ...posted }]);
      expect(await button.isDisabled()).toBe(true);
    }
  });

  test('M-14: cannot be allowed before the end of a long text was on screen; Escape declines', async () => {
    const page = await ask(sample('One issue after the other. '.repeat(400)));
    const { allow, always, showEnd } = promptOf(page);
    await showEnd.waitFor();
    await afterGuard(page);
    for (const button of [allow, always]) {
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await button.click({ force: true });
    }
    await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter');
    expect(await postsOf(page)).toEqual([]);
    await showEnd.click();
    await allow.click({ trial: true });
    await page.getByRole('textbox', { name: 'Message' }).press('Escape');
    expect(await postsOf(page)).toEqual([{ type: 'answer_elicitation', id: 'e3', action: 'decline' }]);
  });
});

describe('an address of a server', () => {
  test('M-13: says when it does not lead to the server’s own host', async () => {
    const page = await ask(webPage('https://login.example.org/x', 'mcp.example.com'));
    expect(await page.locator('.prompt').innerText()).toContain('This does not lead to the host of the server itself, which is mcp.example.com.');
    expect(await postsOf(page)).toEqual([]);
  });
});
