import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limitView } from '../../../src/chat/projection/elf-view.js';
import { ChatElves } from '../../../src/chat/conversation/chat-elves.js';
import { followElves } from '../../../src/chat/conversation/follow-elves.js';
import { Conversation, OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import type { ReachedElfLimit } from '../../../src/domain/session/elf.js';
import { eventually } from '../../support/eventually.js';
import { givesAway, part, results, says, scripts } from '../../support/gives-away.js';
import { gate, httpError, reply } from '../../support/model-server/index.js';
import { MemoryLog } from '../engine/rig.js';
import { type NodeChat, nodeChat } from './node-chat.js';

const TOKENS = { input_tokens: 5_000, output_tokens: 10 };
/** What those use that go on. */
const MORE = { input_tokens: 3_500, output_tokens: 10 };

const elvesOf = ({ host }: NodeChat): ChatElves =>
  new ChatElves(host.host.elves, { openSession: () => undefined, showText: () => Promise.resolve() }, () => Promise.resolve());
const reached = async ({ host, conversation }: NodeChat): Promise<ReachedElfLimit | undefined> => (await host.host.elves.of(conversation.session)).reached;
const states = async ({ host, conversation }: NodeChat): Promise<readonly string[]> =>
  (await host.host.elves.of(conversation.session)).facts.map(({ runs }) => runs.map(({ state }) => state).join(' '));
const sidecar = ({ host, conversation }: NodeChat): string => join(host.storage, 'sessions', `${conversation.session.id}.meta.json`);
const stored = (chat: NodeChat): Record<string, unknown> => JSON.parse(readFileSync(sidecar(chat), 'utf8')) as Record<string, unknown>;

/** Shows the agents of the chat, as its window does. */
function follow({ host, conversation }: NodeChat): void {
  const { elves, models } = host.host;
  onTestFinished(followElves(conversation, { elves, models, onReviewed: () => () => undefined, log: new MemoryLog() }));
}

/** Has two agents be started, which say that they have found something once they are let. */
function startHeld(chat: NodeChat): { readonly held: ReturnType<typeof gate>; readonly said: ReturnType<NodeChat['say']> } {
  const held = gate();
  onTestFinished(() => held.open());
  chat.server.setScript(
    scripts(givesAway(part('a'), part('b')), async () => {
      await held.pass();
      return reply().text('Found.');
    }),
  );
  return { held, said: chat.say('Go') };
}

/** Closes the chat and opens it again, as a reload of the window does. @param between has the files be others before that */
async function reload(chat: NodeChat, between: () => void = () => undefined): Promise<void> {
  const { id } = chat.conversation.session;
  await chat.conversation.close('other');
  between();
  const questions = new OpenQuestions();
  chat.conversation = new Conversation(await chat.host.reopen(id), {}, { questions });
}

/** A chat of which one agent has used up the tokens of all, and two others were stopped in their first or second request. */
async function usedUp(settings: Readonly<Record<string, unknown>> = {}): Promise<NodeChat> {
  const chat = await nodeChat({ settings: { 'gnomon.agents.maxTokens': 9_000, 'gnomon.agents.maxAtOnce': 2, ...settings } });
  chat.server.setScript(
    scripts(givesAway(part('a'), part('b')), (request) =>
      (results(request).length === 0 ? reply().toolCall('read', { file_path: 'a.txt' }) : reply().text('Found.')).usage(TOKENS, TOKENS),
    ),
  );
  await chat.say('Go');
  expect(await states(chat)).toEqual(['failed', 'failed']);
  return chat;
}

describe('the card about a limit of agents', () => {
  it('is one with exact numbers, an offer and not a question, and is there after a reload', async () => {
    const chat = await usedUp();
    const card = { limit: 'tokens', value: 9_000, used: 10_020, higher: 18_000, stopped: 2, refused: 0 } as const;
    expect(await reached(chat)).toEqual(card);
    chat.server.setScript(scripts(givesAway(part('c'), part('d'), part('e')), says('Found.')));
    await chat.say('More');
    expect(await reached(chat)).toEqual({ ...card, refused: 3 });
    follow(chat);
    await eventually(() => expect(chat.shown.elfLimit).toEqual(limitView({ ...card, refused: 3 })));
    expect([chat.shown.activity, chat.conversation.session.asks.waiting]).toEqual(['idle', []]);
    await reload(chat);
    expect(await reached(chat)).toEqual({ ...card, refused: 3 });
    follow(chat);
    await eventually(() => expect(chat.shown.elfLimit).toEqual(limitView({ ...card, refused: 3 })));
  });

  it('raises the limit for this chat alone, has those go on that it has stopped, and holds after a reload', async () => {
    const chat = await usedUp();
    chat.server.setScript(() => reply().text('Found.').usage(MORE, MORE));
    const before = chat.server.requests.length;
    await expect(elvesOf(chat).raise(chat.conversation, 'tokens', 1_000_000)).rejects.toThrow('This limit has changed meanwhile.');
    await expect(elvesOf(chat).raise(chat.conversation, 'money', 18_000)).rejects.toThrow('This limit has changed meanwhile.');
    expect(chat.server.requests.length).toBe(before);
    await elvesOf(chat).raise(chat.conversation, 'tokens', 18_000);
    await eventually(async () => expect(await states(chat)).toEqual(['failed completed', 'failed completed']));
    expect(await reached(chat)).toBeUndefined();
    const budget = async (): Promise<object> => (await chat.host.host.elves.of(chat.conversation.session)).left;
    expect(await budget()).toEqual({ tokens: 18_000 - 10_020 - 7_020 });
    expect(stored(chat)['elfLimits']).toMatchObject({ raised: { tokens: 18_000 } });
    await reload(chat);
    expect(await budget()).toEqual({ tokens: 18_000 - 10_020 - 7_020 });
    // The setting is as it was, and so is the limit of another chat, also of one that begins with the same messages.
    expect(chat.host.host.userSettings.elfLimits().budget.tokens).toBe(9_000);
    const branch = await chat.host.store.branch(chat.conversation.session.id, 2);
    expect(branch.meta.elfLimits).toBeUndefined();
    await branch.recorder.close();
    await chat.begin();
    expect(await budget()).toEqual({ tokens: 9_000 });
  });

  it('never raises a limit of the chat', async () => {
    const chat = await usedUp({ 'gnomon.maxCostUsd': 0.02 });
    const before = chat.server.requests.length;
    await elvesOf(chat).raise(chat.conversation, 'tokens', 18_000);
    await eventually(async () => expect(await states(chat)).toEqual(['failed failed', 'failed failed']));
    expect(chat.server.requests.length).toBe(before);
    const { runs } = (await chat.host.host.elves.of(chat.conversation.session)).facts[0] ?? {};
    expect(runs?.map(({ limit }) => [limit?.limit, limit?.of])).toEqual([
      ['tokens', 'agents'],
      ['money', undefined],
    ]);
    // What the chat may use is not for the agents to raise.
    expect(await reached(chat)).toBeUndefined();
  });

  it('raises the number of agents by as many again, and those that are refused then are counted anew', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxTotal': 1 } });
    chat.server.setScript(scripts(givesAway(part('a'), part('b'), part('c')), says('Found.')));
    await chat.say('Go');
    expect(await reached(chat)).toEqual({ limit: 'agents', value: 1, used: 1, higher: 2, stopped: 0, refused: 2 });
    await elvesOf(chat).raise(chat.conversation, 'agents', 2);
    expect(await reached(chat)).toBeUndefined();
    chat.server.setScript(scripts(givesAway(part('d'), part('e')), says('Found.')));
    await chat.say('Again');
    expect(await reached(chat)).toEqual({ limit: 'agents', value: 2, used: 2, higher: 3, stopped: 0, refused: 1 });
    await elvesOf(chat).goOn(chat.conversation, 'agent-1');
    expect(await reached(chat)).toMatchObject({ refused: 1 });
  });

  it('offers the next limit where another one is used up, too, and keeps what was refused for that', async () => {
    const chat = await usedUp({ 'gnomon.agents.maxTotal': 2 });
    await elvesOf(chat).raise(chat.conversation, 'tokens', 18_000);
    const card = { limit: 'agents', value: 2, used: 2, higher: 4, stopped: 0, refused: 2 } as const;
    expect(await reached(chat)).toEqual(card);
    await eventually(() => expect(stored(chat)).toMatchObject({ elfLimits: { refused: { agents: 2 } } }));
    await reload(chat);
    expect(await reached(chat)).toEqual(card);
    chat.server.setScript(() => reply().text('Found.'));
    await elvesOf(chat).raise(chat.conversation, 'agents', 4);
    await eventually(async () => expect(await states(chat)).toEqual(['failed completed', 'failed completed']));
    await reload(chat);
    expect(await reached(chat)).toBeUndefined();
  });

  it('counts those as refused for which the starts do not suffice that are left', async () => {
    const chat = await usedUp({ 'gnomon.agents.maxTotal': 3 });
    chat.server.setScript(() => reply().text('Found.'));
    await elvesOf(chat).raise(chat.conversation, 'tokens', 18_000);
    await eventually(async () => expect(await states(chat)).toEqual(['failed completed', 'failed']));
    expect(await reached(chat)).toMatchObject({ limit: 'agents', value: 3, used: 3, refused: 1 });
  });

  it('comes back where the user has an agent go on, without counting that as refused', async () => {
    const chat = await usedUp();
    await elvesOf(chat).stopAtLimit(chat.conversation);
    expect(await reached(chat)).toBeUndefined();
    await elvesOf(chat).goOn(chat.conversation, 'agent-1');
    expect(await reached(chat)).toMatchObject({ limit: 'tokens', stopped: 2, refused: 0 });
    await elvesOf(chat).stopAtLimit(chat.conversation);
    expect(await reached(chat)).toBeUndefined();
  });

  it('has those go on that the user wanted to go on once it is raised, and names them until then', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxTotal': 2 } });
    const { held, said } = startHeld(chat);
    await eventually(async () => expect(await states(chat)).toEqual(['running', 'running']));
    await elvesOf(chat).stop(chat.conversation);
    await said;
    expect(await states(chat)).toEqual(['cancelled', 'cancelled']);
    held.open();
    follow(chat);
    await elvesOf(chat).goOn(chat.conversation, 'agent-2');
    await eventually(() => expect(chat.shown.elfLimit).toMatchObject({ limit: 'agents', stopped: 0, refused: 0, wanted: ['agent-2'] }));
    await elvesOf(chat).raise(chat.conversation, 'agents', 4);
    await eventually(async () => expect(await states(chat)).toEqual(['cancelled', 'cancelled completed']));
    await eventually(() => expect(chat.shown.elfLimit).toBeNull());
    // What was said about one limit is not said about the next.
    await elvesOf(chat).goOn(chat.conversation, 'agent-1');
    await eventually(async () => expect(await states(chat)).toEqual(['cancelled completed', 'cancelled completed']));
  });

  it('keeps those from going on that all go on with what is left, until it is raised', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxTotal': 4, 'gnomon.maxRetries': 0 } });
    let fails = true;
    chat.server.setScript(
      scripts(givesAway(part('a'), part('b'), part('c')), () => (fails ? httpError(400, 'invalid_request_error', 'Broken.') : reply().text('Found.'))),
    );
    await chat.say('Go');
    expect(await states(chat)).toEqual(['failed', 'failed', 'failed']);
    fails = false;
    await elvesOf(chat).goOnAll(chat.conversation);
    await eventually(async () => expect(await states(chat)).toEqual(['failed completed', 'failed', 'failed']));
    expect(await reached(chat)).toMatchObject({ limit: 'agents', value: 4, used: 4, refused: 0, higher: 8 });
    await elvesOf(chat).raise(chat.conversation, 'agents', 8);
    await eventually(async () => expect(await states(chat)).toEqual(['failed completed', 'failed completed', 'failed completed']));
    // There is nothing left to do.
    await elvesOf(chat).goOnAll(chat.conversation);
    expect(await states(chat)).toEqual(['failed completed', 'failed completed', 'failed completed']);
  });

  it('counts no messages of the user to an agent as starts, before a reload as after it', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxTotal': 3 } });
    chat.server.setScript(scripts(givesAway(part('a'), part('b')), says('Found.')));
    await chat.say('Go');
    const tab = await chat.host.host.elves.hold(chat.conversation.session, 'agent-1');
    for (const words of ['one', 'two']) await tab.session.send([{ type: 'text', text: words }]).turn;
    await tab.release();
    const exhausted = async (): Promise<string | undefined> => (await chat.host.host.elves.of(chat.conversation.session)).exhausted;
    expect([await states(chat), await exhausted()]).toEqual([['completed completed completed', 'completed'], undefined]);
    await reload(chat);
    expect([await states(chat), await exhausted()]).toEqual([['completed completed completed', 'completed'], undefined]);
    chat.server.setScript(scripts(givesAway(part('c')), says('Found.')));
    await chat.say('More');
    expect(await exhausted()).toBe('agents');
    await reload(chat);
    expect(await exhausted()).toBe('agents');
  });

  it('stops all that work, and comes back when the limit is met again, also after a reload', async () => {
    const chat = await usedUp();
    await elvesOf(chat).stopAtLimit(chat.conversation);
    expect(await reached(chat)).toBeUndefined();
    await reload(chat);
    expect(await reached(chat)).toBeUndefined();
    chat.server.setScript(scripts(givesAway(part('c')), says('Found.')));
    await chat.say('More');
    expect(await reached(chat)).toMatchObject({ limit: 'tokens', stopped: 2, refused: 1 });
    // Those that work are stopped, too.
    const held = gate();
    onTestFinished(() => held.open());
    chat.server.setScript(async () => {
      await held.pass();
      return reply().text('Found.');
    });
    await elvesOf(chat).raise(chat.conversation, 'tokens', 18_000);
    await eventually(async () => expect(await states(chat)).toEqual(['failed running', 'failed running']));
    await elvesOf(chat).stopAtLimit(chat.conversation);
    await eventually(async () => expect(await states(chat)).toEqual(['failed cancelled', 'failed cancelled']));
  });

  it('is dismissed without stopping any agent, and forgets who was to go on', async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxTotal': 1 } });
    const { held, said } = startHeld(chat);
    await eventually(async () => expect(await reached(chat)).toMatchObject({ limit: 'agents', refused: 1 }));
    await eventually(async () => expect(await states(chat)).toEqual(['running']));
    await elvesOf(chat).dismissLimit(chat.conversation);
    expect([await reached(chat), await states(chat)]).toEqual([undefined, ['running']]);
    held.open();
    await said;
    expect(await states(chat)).toEqual(['completed']);
    await elvesOf(chat).goOn(chat.conversation, 'agent-1');
    expect(await reached(chat)).toMatchObject({ limit: 'agents' });
    await elvesOf(chat).dismissLimit(chat.conversation);
    chat.server.setScript(scripts(givesAway(part('c')), says('Found.')));
    await chat.say('More');
    await elvesOf(chat).raise(chat.conversation, 'agents', 2);
    expect(await states(chat)).toEqual(['completed']);
  });

  it.each<[string, unknown]>([
    ['what no one has raised', { raised: { tokens: -5, money: 'all', agents: null }, refused: { tokens: -1, agents: 'x' }, answered: 7 }],
    ['more than there can be', { raised: { tokens: 1e300 }, refused: { tokens: 1e15 }, answered: { tokens: 1e15 } }],
    ['no object', 'Infinity'],
    ['a list', [[]]],
  ])('is not there where the file of the chat says %s', async (_what, value) => {
    const chat = await usedUp();
    await reload(chat, () => writeFileSync(sidecar(chat), JSON.stringify({ ...stored(chat), elfLimits: value, ofLater: { kept: true } })));
    expect(await reached(chat)).toMatchObject({ value: 9_000, stopped: 2, refused: 0 });
    chat.server.setScript(scripts(givesAway(part('c')), says('Found.')));
    await chat.say('More');
    await eventually(() => expect(stored(chat)).toMatchObject({ elfLimits: { refused: { tokens: 1 } }, ofLater: { kept: true } }));
  });
});
