import { describe, expect, test } from 'vitest';
import type { GnomonEvent } from '../../../src/api/gnomon-api.js';
import { answers, Latch, says, stops, thinks } from '../../support/scripted-provider/index.js';
import { apiWindow, asksFor, CALLER, eventsOf, say } from './rig.js';
import { eventually } from '../../support/eventually.js';

describe('getApi', () => {
  test('gives version 1 to an installed extension, and loads nothing', async () => {
    const { exports, api, loads } = apiWindow();
    expect(exports.apiVersion).toMatch(/^1\.\d+\.\d+$/);
    expect(await api.listSessions()).toEqual([]);
    expect(loads()).toBe(0);
  });

  test.each([2, 0, '1', undefined])('refuses version %s', (version) => {
    const { exports } = apiWindow();
    expect(() => exports.getApi(version as 1, CALLER)).toThrow(
      expect.objectContaining({ name: 'GnomonApiError', code: 'version', message: expect.stringContaining(String(version)) as string }),
    );
  });

  test.each([undefined, 'not.there', {}])('refuses a caller that is %s', (caller) => {
    const { exports } = apiWindow();
    expect(() => exports.getApi(1, caller as string)).toThrow(expect.objectContaining({ code: 'caller' }));
  });
});

describe('a session', () => {
  test('sends, and tells what happens in order, as plain data', async () => {
    const { api } = apiWindow({ scripts: [[...thinks(0, 'hm'), ...says(1, 'Hello ', 'there.'), ...stops('end_turn')]] });
    const session = await api.startSession({ title: 'Mine' });
    const events = eventsOf(session);
    expect(session).toMatchObject({ state: 'idle', title: 'Mine', model: 'scripted/model-1', mode: 'default' });
    expect(await session.send('Hi')).toBe('sent');
    await eventually(() => expect(events.at(-1)?.type).toBe('turn_ended'));
    expect(events).toEqual([
      { type: 'turn_started', text: 'Hi' },
      { type: 'thinking', delta: 'hm' },
      { type: 'text', delta: 'Hello ' },
      { type: 'text', delta: 'there.' },
      {
        type: 'turn_ended',
        turn: expect.objectContaining({
          end: 'done',
          text: 'Hello there.',
          rounds: 1,
          usage: { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 },
        }) as unknown,
      },
    ]);
    expect(structuredClone(events)).toEqual(events);
    expect(session.messages()).toMatchObject([
      { role: 'user', text: 'Hi', attached: [] },
      { role: 'assistant', text: 'Hello there.', calls: [] },
    ]);
  });

  test('is an ordinary stored one, in which the person sees who started it', async () => {
    const { api, conversations } = apiWindow({ scripts: [answers('Yes.')] });
    const session = await api.startSession();
    await say(session, 'First words');
    expect(await conversations.list()).toMatchObject([{ id: session.id, title: 'First words' }]);
    const conversation = conversations.find(session.id);
    conversation?.view.flush();
    expect(conversation?.view.state.items[0]).toMatchObject({ kind: 'notice', text: expect.stringContaining(CALLER) as string });
  });

  test('attaches files through mentions, and texts of its own', async () => {
    const { api, provider } = apiWindow({ scripts: [answers('Read.')] });
    const session = await api.startSession();
    await session.send({ text: 'Look', files: [{ path: 'a.ts', firstLine: 2, lastLine: 5 }], attachments: [{ name: 'report', text: 'three problems' }] });
    await eventually(() => expect(session.state).toBe('idle'));
    expect(session.messages()[0]).toMatchObject({ text: 'Look', attached: ['@a.ts:2-5', 'report'] });
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain('three problems');
  });

  test('a message during a turn waits, and goes out after it', async () => {
    const latch = new Latch();
    const { api } = apiWindow({ scripts: [[latch, ...answers('One.')], answers('Two.')] });
    const session = await api.startSession();
    const events = eventsOf(session);
    await session.send('first');
    expect(await session.send('second')).toBe('queued');
    expect(session.state).toBe('running');
    latch.open();
    await eventually(() => expect(events.filter(({ type }) => type === 'turn_ended')).toHaveLength(2));
    expect(session.messages().map(({ text }) => text)).toEqual(['first', 'One.', 'second', 'Two.']);
  });

  test('can be stopped; what arrived is kept', async () => {
    const { api } = apiWindow({ scripts: [[...says(0, 'partly'), new Latch()]] });
    const session = await api.startSession();
    const events = eventsOf(session);
    await session.send('go');
    await eventually(() => expect(events.at(-1)?.type).toBe('text'));
    session.cancel();
    await eventually(() => expect(events.at(-1)).toMatchObject({ type: 'turn_ended', turn: { end: 'stopped', text: 'partly' } }));
  });

  test('tells why a turn failed, in words for the person', async () => {
    const { api } = apiWindow({ scripts: [[new Error('no connection')]] });
    expect(await say(await api.startSession(), 'go')).toMatchObject({ end: 'failed', error: expect.stringContaining('no connection') as string });
  });

  test('listeners that fail, now or later, disturb neither the turn nor each other', async () => {
    const { api, log } = apiWindow({ scripts: [answers('Fine.')] });
    const session = await api.startSession();
    session.onEvent(() => {
      throw new Error('at once');
    });
    const later = (): unknown => Promise.reject(new Error('later'));
    session.onEvent(later);
    const changed: unknown[] = [];
    session.onEvent((event) => {
      if (event.type === 'turn_ended') changed.push(Reflect.set(event.turn, 'text', 'forged'));
    });
    expect(await say(session, 'go')).toMatchObject({ end: 'done', text: 'Fine.' });
    expect(changed).toEqual([false]);
    expect(log.lines.filter((line) => line.includes('at once')).length).toBeGreaterThan(1);
    expect(log.lines.filter((line) => line.includes('later')).length).toBeGreaterThan(1);
  });

  test('a listener that was disposed of hears no more', async () => {
    const { api } = apiWindow({ scripts: [answers('Fine.')] });
    const session = await api.startSession();
    const heard: GnomonEvent[] = [];
    session.onEvent((event) => heard.push(event)).dispose();
    await say(session, 'go');
    expect(heard).toEqual([]);
  });

  test('is shown when that is wished for', async () => {
    const { api, shown } = apiWindow();
    const session = await api.startSession({ show: true });
    expect(shown).toEqual([session.id]);
    await session.show();
    expect(shown).toEqual([session.id, session.id]);
  });

  test('stays open while no place shows it, until it is closed', async () => {
    const { api, conversations } = apiWindow({ scripts: [answers('One.')] });
    const session = await api.startSession();
    const events = eventsOf(session);
    await say(session, 'go');
    const conversation = conversations.find(session.id);
    if (conversation !== undefined) await conversations.leave(conversation, () => false);
    expect(conversations.find(session.id)).toBe(conversation);
    await session.close();
    await session.close();
    expect(events.filter(({ type }) => type === 'closed')).toHaveLength(1);
    expect(session.state).toBe('closed');
    await eventually(() => expect(conversations.find(session.id)).toBeUndefined());
    await expect(session.send('more')).rejects.toMatchObject({ code: 'closed' });
    await expect(session.show()).rejects.toMatchObject({ code: 'closed' });
    expect((await conversations.list()).map(({ id }) => id)).toEqual([session.id]);
  });

  test('is closed when the person deletes it', async () => {
    const { api, conversations } = apiWindow({ scripts: [answers('One.')] });
    const session = await api.startSession();
    await say(session, 'go');
    const events = eventsOf(session);
    await conversations.release(session.id);
    expect(events).toEqual([{ type: 'closed' }]);
    expect(await api.listSessions()).toEqual([]);
  });

  test('does not take what the person has written for a new conversation', async () => {
    const { api, drafts, conversations } = apiWindow();
    const session = await api.startSession();
    const own = conversations.find(session.id);
    const chat = await conversations.create();
    drafts.of(chat).write('half a thought', 1);
    await drafts.of(chat).ready;
    await drafts.flush();
    expect(own === undefined ? '' : drafts.of(own).text).toBe('');
    expect(own?.ofChat).toBe(false);
    await conversations.release(chat.id);
    const next = drafts.of(await conversations.create());
    await next.ready;
    expect(next.text).toBe('half a thought');
  });
});

describe('what an extension cannot do', () => {
  test.each(['bypassPermissions'])('choose the mode %s', async (mode) => {
    const { api, loads } = apiWindow({ mode: 'bypassPermissions' });
    await expect(api.startSession({ mode: mode as 'ask' })).rejects.toMatchObject({ name: 'GnomonApiError', code: 'mode' });
    expect((await api.startSession()).mode).toBe('default');
    expect(loads()).toBe(1);
  });

  test.each([
    ['acceptEdits', 'default', 'default'],
    ['default', 'ask', 'ask'],
    ['plan', 'acceptEdits', 'plan'],
    ['ask', 'default', 'ask'],
    ['acceptEdits', 'bypassPermissions', 'acceptEdits'],
    [undefined, 'acceptEdits', 'acceptEdits'],
  ] as const)('be allowed more than the person wants: %s where they have %s gives %s', async (wish, mode, got) => {
    const { api } = apiWindow({ mode });
    expect((await api.startSession(wish === undefined ? {} : { mode: wish })).mode).toBe(got);
  });

  test('reach a session of the person, or of another extension', async () => {
    const { api, exports, conversations } = apiWindow({ scripts: [answers('Private.')] });
    const persons = await conversations.create();
    await persons.send([{ type: 'text', text: 'secret' }]).recorded;
    await expect(api.openSession(persons.id)).rejects.toMatchObject({ code: 'not_yours' });
    const others = await exports.getApi(1, 'other.ext').startSession();
    await expect(api.openSession(others.id)).rejects.toMatchObject({ code: 'not_yours' });
    const own = await api.startSession();
    expect((await api.listSessions()).map(({ id }) => id)).toEqual([own.id]);
    expect(await api.openSession(own.id)).toBe(own);
  });

  test('answer for the person: a prompt is told of, and stays open until they answer', async () => {
    const { api, conversations } = apiWindow({ scripts: [asksFor('read', { file_path: '/etc/hosts' }), answers('Well.')] });
    const session = await api.startSession();
    const events = eventsOf(session);
    await session.send('go');
    await eventually(() => expect(session.state).toBe('waiting'));
    expect(events.at(-1)).toMatchObject({
      type: 'permission_requested',
      callId: 'c1',
      tool: 'read',
      subject: '/etc/hosts',
      reasons: [expect.stringContaining('outside')],
    });
    expect(Object.keys(session)).toEqual([
      ...['id', 'title', 'model', 'mode', 'state', 'usage', 'costUsd', 'agents', 'stopAgents'],
      ...['send', 'cancel', 'onEvent', 'messages', 'show', 'close'],
    ]);
    expect(Object.getPrototypeOf(session)).toBe(Object.prototype);
    conversations.find(session.id)?.answer('c1', { type: 'deny' });
    await eventually(() => expect(session.state).toBe('idle'));
    expect(
      events.flatMap((event): readonly unknown[] => (event.type === 'tool_call' ? [event.state] : event.type === 'permission_resolved' ? [event.allowed] : [])),
    ).toEqual(['pending', 'awaiting_permission', false, 'denied']);
  });

  test('have any number of sessions open', async () => {
    const { api } = apiWindow();
    const started = await Promise.allSettled(Array.from({ length: 20 }, () => api.startSession()));
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
    expect(started.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'limit' } });
    await (await api.listSessions())[0]?.close();
    await expect(api.startSession()).resolves.toBeDefined();
  });

  test.each([
    [{ title: 3 }, 'title'],
    [{ mode: 'yolo' }, 'mode'],
    [{ tools: 'read' }, 'tools'],
    [{ tools: ['read', 'nonsense'] }, 'nonsense'],
    ['quick', 'argument'],
  ])('start a session with %j', async (options, named) => {
    const { api, conversations } = apiWindow();
    await expect(api.startSession(options as object)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(named) as string });
    expect(await api.listSessions()).toEqual([]);
    expect(await conversations.list()).toEqual([]);
  });

  test('use a model that there is not; after that the next session starts', async () => {
    const { api } = apiWindow();
    await expect(api.startSession({ model: 'x/y' })).rejects.toThrow('There is no model x/y.');
    await expect(api.startSession({ model: 'scripted/model-1' })).resolves.toBeDefined();
  });

  test.each(['  ', undefined, { text: 3 }, { text: 'a', files: [{ path: 'a"b' }] }, { text: 'a', files: [{ path: 'a', firstLine: 0 }] }])(
    'send %j',
    async (message) => {
      const { api } = apiWindow();
      const session = await api.startSession();
      await expect(session.send(message as string)).rejects.toMatchObject({ code: 'invalid' });
    },
  );
});
