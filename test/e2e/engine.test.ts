import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, httpError, lastToolResults, lastUserText, reply, resultText } from '../support/model-server/index.js';
import type { WithModel } from './with-model.js';
import { startWithModel, toolResults } from './with-model.js';

/** A wait as a person has it in front of them. */
const SLOW = { timeout: 60_000 };

describe('a request that fails and passes', () => {
  let test: WithModel;
  beforeAll(async () => {
    test = await startWithModel();
  });
  afterAll(() => test.stop());

  function retrying(): Locator {
    return test.chat.button('Retry now');
  }

  it('stream-07 shows the wait that the server asks for, and goes on at once with Retry now', async () => {
    const { chat, server } = test;
    let failed = 0;
    server.setScript(() => {
      failed += 1;
      return failed === 1 ? httpError(429, 'rate_limit_error', 'Too many requests', { 'retry-after': '120' }) : reply().text('Here it is.');
    });
    await chat.send('Say something');
    await retrying().waitFor(SLOW);
    expect(server.requests).toHaveLength(1);
    await retrying().click();
    await chat.waitForText('Here it is.');
    await chat.waitForIdle();
    expect(await retrying().count()).toBe(0);
  });

  it('stream-06 keeps what came before an overload, asks again by itself, and shows no text twice', async () => {
    const { chat, server } = test;
    let asked = 0;
    server.setScript(() => {
      asked += 1;
      const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
      return asked === 1 ? reply().text('Half of it.').events(overloaded).unfinished() : reply().text('The whole of it.');
    });
    await chat.newSession();
    await chat.send('Tell me');
    await chat.waitForText('The whole of it.');
    await chat.waitForIdle();
    const sent = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(sent).not.toContain('Half of it.');
    await chat.answers.last().getByText('Half of it.').waitFor();
  });

  it('a wait is given up with Cancel, and the next message works', async () => {
    const { chat, server } = test;
    server.setScript(({ body }) => (lastUserText(body).includes('Again') ? reply().text('Good.') : httpError(529, 'overloaded_error', 'Overloaded', { 'retry-after': '300' })));
    await chat.newSession();
    await chat.send('First');
    await retrying().waitFor(SLOW);
    await chat.button('Cancel').click();
    await chat.waitForIdle();
    await chat.send('Again');
    await chat.waitForText('Good.');
    await chat.waitForIdle();
  });
});

describe('the model and the person', () => {
  let test: WithModel;
  beforeAll(async () => {
    test = await startWithModel();
  });
  afterAll(() => test.stop());

  it('asks a question with choices, and the answer reaches the model', async () => {
    const { chat, server } = test;
    const question = { question: 'Which colour?', choices: ['Red', 'Blue'] };
    server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('So be it.') : reply().toolCall('ask', question)));
    await chat.send('Paint it');
    const prompt = chat.frame.getByRole('group', { name: 'Question from Gnomon' });
    await prompt.waitFor(SLOW);
    expect(await prompt.innerText()).toContain('Which colour?');
    await prompt.getByText('Blue').click();
    await prompt.getByRole('button', { name: 'Answer' }).click();
    await chat.waitForText('So be it.');
    expect(toolResults(server).join()).toContain('Blue');
    await chat.waitForIdle();
  });

  it('shows the plan as it is worked off, also after a reload', async () => {
    const { chat, server } = test;
    const todos = [
      { text: 'Find the place', status: 'done' },
      { text: 'Change it', status: 'in_progress' },
      { text: 'Test it', status: 'pending' },
    ];
    server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('Planned.') : reply().toolCall('todo', { todos })));
    await chat.newSession();
    await chat.send('Plan it');
    const plan = chat.frame.getByRole('region', { name: 'Plan' });
    await plan.getByText(/1 of 3/).waitFor(SLOW);
    await chat.waitForIdle();
    await chat.reload();
    await plan.getByText('Change it').waitFor(SLOW);
  });

  it('summarises with /compact, sends the summary in place of what it stands for, and takes it back with Undo', async () => {
    const { chat, server } = test;
    const canary = 'the first thing that was ever said';
    server.setScript(({ body }) => {
      if (JSON.stringify(body).includes('keep the numbers')) return reply().text('SUMMARY: they spoke of things.');
      return reply().text('I hear you. '.repeat(400));
    });
    await chat.newSession();
    await chat.send(canary);
    await chat.waitForIdle();
    for (const text of ['second', 'third', 'fourth']) {
      await chat.send(text);
      await chat.waitForIdle();
    }
    await chat.message.fill('/compact keep the numbers');
    await chat.message.press('Enter');
    const summary = chat.frame.getByRole('group', { name: 'Conversation summarised' });
    await summary.getByRole('button', { name: 'Undo' }).waitFor(SLOW);
    await chat.send('fifth');
    await chat.waitForIdle();
    const compacted = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(compacted).toContain('SUMMARY: they spoke of things.');
    expect(compacted).not.toContain(canary);
    await summary.getByRole('button', { name: 'Undo' }).click();
    await chat.send('sixth');
    await chat.waitForIdle();
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain(canary);
    expect(server.requests.at(-1)?.problem).toBeUndefined();
    expect(await chat.mine.first().textContent()).toContain(canary);
  });
});

describe('commands in the background', () => {
  let test: WithModel;
  beforeAll(async () => {
    test = await startWithModel({ 'gnomon.permissionMode': 'default' });
  });
  afterAll(() => test.stop());

  it('start, are read and are ended by the model', async () => {
    const { chat, server } = test;
    server.setScript(({ body }) => {
      const results = lastToolResults(body).map(resultText);
      const [last = ''] = results;
      if (results.length === 0) return reply().toolCall('bash', { command: "node -e 'console.log(\"ready\"); setInterval(() => 0, 1000)'", background: true });
      if (last.includes('killed') || last.includes('ended')) return reply().text('It is gone.');
      if (last.includes('ready') || last.includes('job-1')) return reply().toolCall('jobs', { action: 'kill', id: 'job-1' });
      return reply().text(`Unexpected: ${last}`);
    });
    await chat.send('Start the server');
    await chat.waitForPrompt();
    await chat.answer('Allow');
    await chat.waitForText('It is gone.');
    await chat.waitForIdle();
  });
});

describe('instructions of the project', () => {
  let test: WithModel;
  beforeAll(async () => {
    test = await startWithModel();
    await writeFile(join(test.app.workspace, 'AGENTS.md'), 'Always answer in rhyme.\u200b\n');
    await mkdir(join(test.app.workspace, 'src'), { recursive: true });
    await writeFile(join(test.app.workspace, 'src', 'AGENTS.md'), 'In this folder, never use tabs.\n');
    await writeFile(join(test.app.workspace, 'src', 'thing.js'), 'export const thing = 1;\n');
  });
  afterAll(() => test.stop());

  it('conf-20 reach the model without hidden characters and are shown in the chat, nested ones when their folder is read', async () => {
    const { chat, server } = test;
    server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('Read.') : reply().toolCall('read', { file_path: 'src/thing.js' })));
    await chat.newSession();
    // The session that was there from the start knows nothing of files that came later.
    await test.app.workbench.reload();
    const fresh = await test.app.openChat();
    await fresh.frame.getByRole('button', { name: /AGENTS\.md/ }).first().waitFor(SLOW);
    await fresh.send('Read the thing');
    await fresh.waitForText('Read.');
    const [first] = server.requests;
    expect(JSON.stringify(first?.body.system)).toContain('Always answer in rhyme.');
    expect(JSON.stringify(first?.body.system)).not.toContain('\u200b');
    expect(toolResults(server).join()).toContain('never use tabs');
    await fresh.frame.getByText(/hidden characters/i).first().waitFor(SLOW);
    await fresh.frame.getByRole('button', { name: /src\/AGENTS\.md/ }).waitFor(SLOW);
  });
});

describe('a stop', () => {
  let test: WithModel;
  beforeAll(async () => {
    test = await startWithModel();
  });
  afterAll(() => test.stop());

  it('in the middle of a summary leaves the conversation as it was', async () => {
    const { chat, server } = test;
    const hold = gate();
    server.setScript(({ body }) => (JSON.stringify(body).includes('hold it') ? reply().text('SUM', hold, 'MARY') : reply().text('Yes. '.repeat(1_000))));
    for (const text of ['one', 'two', 'three']) {
      await chat.send(text);
      await chat.waitForIdle();
    }
    await chat.message.fill('/compact hold it');
    await chat.message.press('Enter');
    await hold.reached;
    await chat.button('Stop').click();
    await chat.waitForIdle();
    await chat.send('four');
    await chat.waitForIdle();
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain('"one"');
    hold.open();
  });
});
