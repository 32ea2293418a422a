import { describe, expect, test } from 'vitest';
import type { GnomonSession, GnomonTool } from '../../../src/api/gnomon-api.js';
import type { Conversation } from '../../../src/chat/conversation/conversation.js';
import { answers, Latch } from '../../support/scripted-provider/index.js';
import { type ApiOptions, type ApiWindow, apiWindow, asksFor, eventsOf, say } from './rig.js';
import { eventually } from '../../support/eventually.js';

const NAME = 'ext__acme_words__count';
const SCHEMA = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false };
const ALLOWED = { rules: [`allow ${NAME}`] };

/** A tool that counts words, and keeps what it was given. */
function counter(change: Partial<GnomonTool<{ text: string }>> = {}): GnomonTool<{ text: string }> & { readonly inputs: unknown[] } {
  const inputs: unknown[] = [];
  const execute = (input: { text: string }): string => {
    inputs.push(input);
    return `${input.text.split(' ').length} words`;
  };
  return { name: 'count', description: 'Counts words.', inputSchema: SCHEMA, execute, ...change, inputs };
}

/** A window whose model calls the tool once in a session of the extension. */
async function calling(
  tool: GnomonTool<{ text: string }>,
  options: ApiOptions & { readonly args?: unknown } = {},
): Promise<{ window: ApiWindow; session: GnomonSession }> {
  const { args = { text: 'one two' }, ...rest } = options;
  const window = apiWindow({ scripts: [asksFor(NAME, args), answers('Done.')], ...rest });
  await window.api.registerTool(tool);
  return { window, session: await window.api.startSession(rest.mode === undefined ? {} : { mode: rest.mode as 'plan' }) };
}

/** What the model was told of the call. */
function told(session: GnomonSession): { readonly text: string; readonly isError: boolean } | undefined {
  return session.messages().find((message) => message.role === 'tool');
}

/** Waits for the prompt and gives the person's answer. */
async function answer({ conversations }: ApiWindow, session: GnomonSession, type: 'allow' | 'deny'): Promise<Conversation> {
  await eventually(() => expect(session.state).toBe('waiting'));
  const conversation = conversations.find(session.id);
  if (conversation === undefined) throw new Error('It is not open.');
  conversation.view.flush();
  conversation.answer('c1', { type });
  await eventually(() => expect(session.state).toBe('idle'));
  return conversation;
}

describe('a tool of another extension', () => {
  test('is told to the model under a name that says whose it is', async () => {
    const window = apiWindow({ scripts: [answers('Hi.')] });
    expect((await window.api.registerTool(counter())).name).toBe(NAME);
    await say(await window.api.startSession(), 'go');
    expect(window.provider.requests[0]?.tools.map(({ name }) => name)).toEqual(['read', NAME]);
    expect(window.provider.requests[0]?.tools[1]).toMatchObject({ description: expect.stringContaining('acme.words') as string, parameters: SCHEMA });
  });

  test('runs after the person allowed it, with what they were shown', async () => {
    const tool = counter();
    const { window, session } = await calling(tool);
    const events = eventsOf(session);
    await session.send('go');
    await eventually(() => expect(session.state).toBe('waiting'));
    expect(tool.inputs).toEqual([]);
    expect(events.at(-1)).toMatchObject({
      type: 'permission_requested',
      tool: NAME,
      subject: '{"text":"one two"}',
      reasons: [expect.stringContaining('acme.words')],
    });
    const conversation = window.conversations.find(session.id);
    conversation?.view.flush();
    expect(JSON.stringify(conversation?.view.state.items)).toContain('"preview":{"kind":"input"');
    expect(JSON.stringify(conversation?.view.state.items)).toContain(`"proposal":["${NAME}"]`);
    await answer(window, session, 'allow');
    expect(tool.inputs).toEqual([{ text: 'one two' }]);
    expect(told(session)).toMatchObject({ text: '2 words', isError: false });
  });

  test('does not run after the person denied it', async () => {
    const tool = counter();
    const { window, session } = await calling(tool);
    await session.send('go');
    await answer(window, session, 'deny');
    expect(tool.inputs).toEqual([]);
    expect(told(session)).toMatchObject({ isError: true, text: expect.stringContaining('denied') as string });
  });

  test.each([
    ['allow', '2 words', `allow ${NAME}`],
    ['allow', '2 words', 'allow ext__acme_words'],
    ['deny', 'Permission denied', `deny ${NAME}`],
    ['deny', 'Permission denied', 'deny ext__acme_words__*'],
  ])('rules of the person %s it: %s by %s', async (_effect, words, rule) => {
    const { session } = await calling(counter(), { rules: [rule] });
    await say(session, 'go');
    expect(told(session)?.text).toContain(words);
  });

  test.each([
    ['plan', true, 'asked'],
    ['plan', false, 'refused'],
    ['default', true, 'asked'],
    ['acceptEdits', true, 'asked'],
    ['acceptEdits', false, 'asked'],
  ] as const)('in the mode %s one that says it only reads (%s) is %s', async (mode, readOnly, outcome) => {
    const tool = counter({ readOnly });
    const { window, session } = await calling(tool, { mode });
    const events = eventsOf(session);
    await session.send('go');
    if (outcome === 'asked') await answer(window, session, 'allow');
    await eventually(() => expect(events.at(-1)?.type).toBe('turn_ended'));
    expect(tool.inputs).toHaveLength(outcome === 'asked' ? 1 : 0);
  });

  test('does not run where the workspace is not trusted, whatever rules say', async () => {
    const tool = counter({ readOnly: true });
    const { session } = await calling(tool, { ...ALLOWED, trusted: false });
    await say(session, 'go');
    expect(tool.inputs).toEqual([]);
    expect(told(session)?.text).toContain('not trusted');
  });

  test.each([
    [{ text: 3 }, 'text: must be a string'],
    [{}, 'text: missing'],
    [{ text: 'a', more: 1 }, 'more'],
  ])('never gets what does not fit its schema: %j', async (args, words) => {
    const tool = counter();
    const { session } = await calling(tool, { ...ALLOWED, args });
    await say(session, 'go');
    expect(tool.inputs).toEqual([]);
    expect(told(session)).toMatchObject({ isError: true, text: expect.stringContaining(words) as string });
  });

  test.each<[string, GnomonTool<{ text: string }>['execute'], string, boolean]>([
    [
      'throws',
      () => {
        throw new Error('out of words');
      },
      'out of words',
      true,
    ],
    ['rejects', () => Promise.reject(new Error('out of words')), 'out of words', true],
    ['says that it failed', () => ({ text: 'no luck', isError: true }), 'no luck', true],
    ['gives nothing', () => undefined as unknown as string, 'no text', true],
    ['gives very much', () => 'x'.repeat(150_000), '[50000 more characters were left out]', false],
    [
      'changes its input',
      (input) => {
        Reflect.set(input, 'text', 'other');
        return input.text;
      },
      'other',
      false,
    ],
  ])('one that %s does no harm to the turn', async (_what, execute, words, isError) => {
    const { session } = await calling(counter({ execute }), ALLOWED);
    expect(await say(session, 'go')).toMatchObject({ end: 'done', text: 'Done.' });
    expect(told(session)).toMatchObject({ isError, text: expect.stringContaining(words) as string });
  });

  test('is told when the person stops the turn, and knows its session', async () => {
    const seen: { session?: string; aborted?: boolean } = {};
    const { session } = await calling(
      counter({
        execute: (_input, { signal, sessionId }) => {
          seen.session = sessionId;
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              seen.aborted = true;
              resolve('late');
            }),
          );
        },
      }),
      ALLOWED,
    );
    const events = eventsOf(session);
    await session.send('go');
    await eventually(() => expect(seen.session).toBe(session.id));
    session.cancel();
    await eventually(() => expect(events.at(-1)).toMatchObject({ type: 'turn_ended', turn: { end: 'stopped' } }));
    expect(seen.aborted).toBe(true);
  });

  test('reaches sessions that are open already with their next message, those of the person too', async () => {
    const window = apiWindow({ scripts: [answers('One.'), answers('Two.'), answers('Three.')] });
    const persons = await window.conversations.create();
    const send = async (): Promise<void> => {
      await persons.send([{ type: 'text', text: 'go' }]).recorded;
      await eventually(() => expect(persons.running).toBe(false));
    };
    await send();
    const registered = await window.api.registerTool(counter());
    await send();
    registered.dispose();
    await send();
    expect(window.provider.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['read'], ['read', NAME], ['read']]);
  });

  test('that is taken back while a turn runs is told to the model as gone', async () => {
    const latch = new Latch();
    const window = apiWindow({ ...ALLOWED, scripts: [[latch, ...asksFor(NAME, { text: 'one two' })], answers('Without.')] });
    const tool = counter();
    const registered = await window.api.registerTool(tool);
    const session = await window.api.startSession();
    const events = eventsOf(session);
    await session.send('go');
    registered.dispose();
    latch.open();
    await eventually(() => expect(events.at(-1)).toMatchObject({ type: 'turn_ended', turn: { end: 'done' } }));
    expect(tool.inputs).toEqual([]);
    expect(told(session)).toMatchObject({ isError: true, text: expect.stringContaining('does not offer') as string });
  });

  test('is only in sessions that want it', async () => {
    const window = apiWindow({ scripts: [answers('One.'), answers('Two.')] });
    const { name } = await window.api.registerTool(counter());
    await say(await window.api.startSession({ tools: ['read'] }), 'go');
    await say(await window.api.startSession({ tools: [name] }), 'go');
    expect(window.provider.requests.map(({ tools }) => tools.map((tool) => tool.name))).toEqual([['read'], [NAME]]);
  });
});

describe('registering', () => {
  test.each<[string, object, string]>([
    ['a name with other signs', { name: 'read file' }, 'name'],
    ['a name that could be of another extension', { name: 'a__b' }, 'name'],
    ['a name that is too long', { name: 'a'.repeat(60) }, 'longer'],
    ['no description', { description: '' }, 'description'],
    ['a schema of no object', { inputSchema: { type: 'string' } }, 'inputSchema'],
    ['a schema that cannot be followed', { inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } } }, 'inputSchema'],
    ['a schema that is too long', { inputSchema: { type: 'object', description: 'x'.repeat(30_000) } }, 'longer'],
    ['no function', { execute: 'run' }, 'execute'],
  ])('refuses %s', async (_what, change, words) => {
    const { api, offered } = apiWindow();
    await expect(api.registerTool({ ...counter(), ...change })).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(words) as string });
    expect(offered.all).toEqual([]);
  });

  test('takes no name twice, and any again that was given back; another extension has names of its own', async () => {
    const { api, exports, offered } = apiWindow();
    const first = await api.registerTool(counter());
    await expect(api.registerTool(counter())).rejects.toMatchObject({ code: 'invalid' });
    await exports.getApi(1, 'Other.Ext').registerTool(counter());
    first.dispose();
    const second = await api.registerTool(counter());
    first.dispose();
    expect(offered.all.map(({ spec }) => spec.name)).toEqual([second.name, 'ext__other_ext__count']);
  });

  test('cannot take the place of a built-in tool', async () => {
    const { api } = apiWindow();
    expect((await api.registerTool(counter({ name: 'read' }))).name).toBe('ext__acme_words__read');
  });

  test('a schema that is changed afterwards changes nothing', async () => {
    const inputSchema: Record<string, unknown> = structuredClone(SCHEMA);
    const tool = counter({ inputSchema });
    const { session } = await calling(tool, { ...ALLOWED, args: { text: 3 } });
    inputSchema['properties'] = {};
    await say(session, 'go');
    expect(tool.inputs).toEqual([]);
  });

  test('has a limit for each extension', async () => {
    const { api, exports } = apiWindow();
    for (let number = 0; number < 32; number += 1) await api.registerTool(counter({ name: `count${number}` }));
    await expect(api.registerTool(counter())).rejects.toMatchObject({ code: 'limit' });
    await expect(exports.getApi(1, 'other.ext').registerTool(counter())).resolves.toBeDefined();
  });
});
