import { expect, it } from 'vitest';
import { goOnAfterAgents } from '../../../../src/chat/conversation/go-on-after-agents.js';
import { eventually } from '../../../support/eventually.js';
import { givesAway, part, partOf, results, type Script, scripts } from '../../../support/gives-away.js';
import { gate, httpError, reply } from '../../../support/model-server/index.js';
import { type NodeChat, nodeChat } from '../../agent-host/node-chat.js';

/** A chat that goes on where that is wanted, with what its model is told in the messages after the first. */
async function chatThatGoesOn(wanted = true): Promise<{ readonly chat: NodeChat; readonly told: string[] }> {
  const chat = await nodeChat({ settings: { 'gnomon.agents.continueChat': wanted } });
  const { elves, userSettings } = chat.host.host;
  goOnAfterAgents(chat.conversation, { elves, wanted: userSettings.goOnAfterAgents });
  return { chat, told: [] };
}

/** Starts two agents in the background, says a word, and says what it is asked next. */
function startsTwo(told: string[], agent: Script): Script {
  return scripts((request) => {
    if (request.body.messages.length === 1) return givesAway({ ...part('a'), background: true }, { ...part('b'), background: true })(request);
    if (results(request).length === 0) told.push(JSON.stringify(request.body.messages.at(-1)));
    return reply().text('Said.');
  }, agent);
}

const asUser = ({ conversation }: NodeChat): number => conversation.session.messages.filter(({ role }) => role === 'user').length;

it('goes on once when all that worked in the background have ended, and says why', async () => {
  const { chat, told } = await chatThatGoesOn();
  const [first, second] = [gate(), gate()];
  chat.server.setScript(
    startsTwo(told, async (request) => {
      await (partOf(request) === 'PART a' ? first : second).pass();
      return reply().text('found');
    }),
  );
  await chat.say('Go');
  first.open();
  await eventually(() => expect(chat.shown.activity).toBe('idle'));
  expect(asUser(chat)).toBe(1);
  second.open();
  await eventually(() => expect([asUser(chat), chat.conversation.busy]).toEqual([2, false]));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/agent-1.*agent-2.*have ended\. Finish the task/);
  expect(chat.notices).toContain('Agents have ended, and the chat goes on with what they found.');
});

it('goes on with one that has failed, too', async () => {
  const { chat, told } = await chatThatGoesOn();
  chat.server.setScript(startsTwo(told, (request) => (partOf(request) === 'PART a' ? httpError(400, 'invalid_request_error', 'no') : reply().text('found'))));
  await chat.say('Go');
  await eventually(() => expect([told.length, chat.conversation.busy]).toEqual([1, false]));
});

it.each([
  ['without the setting', false, () => Promise.resolve()],
  ['after the user has stopped the agents', true, (chat: NodeChat) => chat.host.host.elves.stop(chat.conversation.session)],
] as const)('does not go on %s', async (_, wanted, meanwhile) => {
  const { chat, told } = await chatThatGoesOn(wanted);
  const held = gate();
  chat.server.setScript(
    startsTwo(told, async () => {
      await held.pass();
      return reply().text('found');
    }),
  );
  await chat.say('Go');
  await meanwhile(chat);
  held.open();
  await eventually(() => expect(chat.conversation.busy).toBe(false));
  expect([told, asUser(chat)]).toEqual([[], 1]);
  // The user goes on, and the model is told then.
  await chat.say('And?');
  expect(told[0]).toContain('agent-2');
});

it('does not go on after its own turn was stopped', async () => {
  const { chat, told } = await chatThatGoesOn();
  const [held, answer] = [gate(), gate()];
  chat.server.setScript(
    scripts(
      async (request) => {
        if (results(request).length === 0) return givesAway({ ...part('a'), background: true })(request);
        await answer.pass();
        told.push('late');
        return reply().text('Said.');
      },
      async () => {
        await held.pass();
        return reply().text('found');
      },
    ),
  );
  chat.send('Go');
  await eventually(() => expect(chat.server.requests.length).toBeGreaterThan(2));
  chat.conversation.session.cancel();
  await chat.ended();
  held.open();
  await eventually(() => expect(chat.conversation.busy).toBe(false));
  expect(asUser(chat)).toBe(1);
  answer.open();
});
