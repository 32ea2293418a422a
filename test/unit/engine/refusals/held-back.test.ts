import { describe, expect, test } from 'vitest';
import { type ProviderErrorKind, ProviderError } from '../../../../src/domain/errors.js';
import type { Message } from '../../../../src/domain/model/message.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import type { Compaction } from '../../../../src/domain/session/context.js';
import type { SessionMeta } from '../../../../src/domain/session/session-store.js';
import type { SessionEvent } from '../../../../src/engine/events.js';
import { type Script, type Step, answers, calls, says, stops } from '../../../support/scripted-provider/index.js';
import { isSummaryRequest } from '../context/long-talk.js';
import { outline, rig, testTool, user } from '../rig.js';

const say = (text: string): readonly [{ readonly type: 'text'; readonly text: string }] => [{ type: 'text', text }];
const sentOf = ({ messages }: Request): string => JSON.stringify(messages);

/** Refuses whatever holds the word, and answers all else. */
const strict: Script = (request) =>
  sentOf(request).includes('FORBIDDEN') ? [new ProviderError('refused_content', 'It goes against the rules.', { status: 400 })] : answers('Sure.');
const strictly = (count: number): readonly Script[] => Array.from({ length: count }, () => strict);

/** A talk of so many turns. */
const talk = (turns: number): readonly Message[] => Array.from({ length: turns }, (_, turn) => [user(`Question ${turn}`), said('Yes.')]).flat();
const said = (words: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text: words }],
  stopReason: 'end_turn',
  rawStopReason: 'stop',
  usage: NO_USAGE,
  timestamp: '2026-01-01T00:00:00Z',
});
/** A script that refuses whatever holds the word, in a way. */
const refusing = (refuses: readonly Step[], count: number): readonly Script[] =>
  Array.from({ length: count }, (): Script => (request) => (JSON.stringify(request).includes('FORBIDDEN') ? refuses : answers('Sure.')));
/** The end of an answer, in a word of the provider. */
const endsWith = (rawStopReason: string): readonly Step[] => [{ type: 'stop', stopReason: 'unknown', rawStopReason }];
/** The ways in which the rules of a provider are told. */
const REFUSALS: readonly (readonly [how: string, steps: readonly Step[]])[] = [
  ['an error', [new ProviderError('refused_content', 'No.', { status: 400 })]],
  ['an error after some text', [...says(0, 'Well, '), new ProviderError('refused_content', 'No.')]],
  ['an end of the answer', [...says(0, 'I will not.'), ...endsWith('refusal')]],
  ['an end without a word', endsWith('content_filter')],
];

describe('a message that a provider refused', () => {
  test('stays in the chat and in no request, and is put back with one step', async () => {
    const { session, provider, recorder, events } = rig({ scripts: strictly(5) });
    await session.send(say('First.')).turn;
    expect(await session.send(say('FORBIDDEN')).turn).toMatchObject({ end: 'error', error: { message: 'It goes against the rules.' } });
    expect(session.heldBack).toEqual([{ from: 2, to: 3 }]);
    expect(recorder.meta['heldBack']).toEqual([{ from: 2, to: 3 }]);
    expect(await session.send(say('Something else.')).turn).toMatchObject({ end: 'end_turn' });
    expect(outline(session.messages)).toContain('user: FORBIDDEN');
    expect(sentOf(provider.requests.at(-1) as Request)).not.toContain('FORBIDDEN');
    expect(session.putBack(0)).toBe(false);
    expect(session.putBack(2)).toBe(true);
    expect(session.heldBack).toEqual([]);
    expect(recorder.meta['heldBack']).toBeUndefined();
    // It is to blame, and not the one that comes after it.
    expect(await session.send(say('And now?')).turn).toMatchObject({ end: 'end_turn' });
    expect(provider.requests.slice(-2).map((request) => sentOf(request).includes('FORBIDDEN'))).toEqual([true, false]);
    expect(session.heldBack).toEqual([{ from: 2, to: 3 }]);
    expect(events.flatMap((event) => (event.type === 'held_back' ? [event.heldBack.length] : []))).toEqual([1, 0, 1]);
  });

  test('goes with the work on it: the model is told that there was some', async () => {
    const read = testTool('read');
    const first: Script = [...calls(0, 'c1', { name: 'read', args: { on: 'x' } }), ...stops('tool_use')];
    const refused: Script = [new ProviderError('refused_content', 'No.')];
    const { session, provider } = rig({ tools: [read], scripts: [first, refused, answers('Fine.')] });
    await session.send(say('Work.')).turn;
    expect(session.heldBack).toEqual([{ from: 0, to: 3 }]);
    await session.send(say('Else.')).turn;
    expect(outline(provider.requests.at(-1)?.messages ?? [])).toEqual([expect.stringContaining('the work on it, are left out here') as string, 'user: Else.']);
    expect(provider.broken).toEqual([]);
  });

  test('is asked again as it is when it is put back as the last', async () => {
    const { session, provider } = rig({ scripts: [[new ProviderError('refused_content', 'No.')], answers('Now I do.')] });
    await session.send(say('Please.')).turn;
    expect(() => session.retry()).toThrow(/nothing to retry/);
    session.putBack(0);
    expect(await session.retry().turn).toMatchObject({ end: 'end_turn' });
    expect(sentOf(provider.requests.at(-1) as Request)).toContain('Please.');
  });

  test('is in no summary, whether it is covered or is what was worked on', async () => {
    const long = 'word '.repeat(2_000);
    const messages: readonly Message[] = [user(`Old ${long}`), ...[0, 1, 2].flatMap((n) => [user(`FORBIDDEN ${n} ${long}`)])];
    const answer = (text: string): Message => ({
      role: 'assistant',
      content: [{ type: 'text', text }],
      stopReason: 'end_turn',
      rawStopReason: 'stop',
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
      timestamp: '2026-01-01T00:00:00Z',
    });
    const talk = [messages[0] as Message, answer('Yes.'), messages[1] as Message, user(`New ${long}`), answer('Yes.'), messages[2] as Message];
    const meta: SessionMeta = {
      heldBack: [
        { from: 2, to: 3 },
        { from: 5, to: 6 },
      ],
    };
    const { session, provider } = rig({ messages: talk, meta, scripts: strictly(4) });
    await session.compact();
    expect(session.compactions).toHaveLength(1);
    expect(await session.send(say('Go on.')).turn).toMatchObject({ end: 'end_turn' });
    expect(provider.requests.filter(isSummaryRequest)).toHaveLength(1);
    expect(provider.requests.map(sentOf).join('')).not.toContain('FORBIDDEN');
  });

  test('takes what came before it along where the provider refuses turn after turn', async () => {
    const messages = [user('FORBIDDEN from another model'), user('more')];
    const { session } = rig({ messages, scripts: strictly(12) });
    const ends: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) ends.push((await session.send(say(`Turn ${turn}`)).turn).end);
    expect(ends).toEqual(Array.from({ length: 6 }, () => 'end_turn'));
    expect(session.heldBack).toEqual([{ from: 0, to: 2 }]);
  });

  test.each(REFUSALS)('takes along nothing that was answered, however often it is worded anew, with %s', async (_how, refuses) => {
    const { session, provider } = rig({ messages: talk(4), scripts: refusing(refuses, 40) });
    for (let turn = 0; turn < 6; turn += 1) expect(await session.send(say(`FORBIDDEN ${turn}`)).turn).toMatchObject({ end: 'error' });
    expect(await session.send(say('Harmless.')).turn).toMatchObject({ end: 'end_turn' });
    expect(session.heldBack.map(({ from }) => from)).not.toContain(0);
    expect(sentOf(provider.requests.at(-1) as Request)).toMatch(/Question 0.*Question 3.*Harmless/);
    expect(sentOf(provider.requests.at(-1) as Request)).not.toContain('FORBIDDEN');
  });

  test('is still held back when the session is opened again', async () => {
    const { session, provider } = rig({ messages: [user('FORBIDDEN')], meta: { heldBack: [{ from: 0, to: 1 }] }, scripts: strictly(1) });
    expect(await session.send(say('Hello.')).turn).toMatchObject({ end: 'end_turn' });
    expect(sentOf(provider.requests[0] as Request)).not.toContain('FORBIDDEN');
  });
});

describe('a summary that a provider refuses', () => {
  const compaction: Compaction = {
    upTo: 8,
    at: 8,
    summary: 'They spoke of FORBIDDEN things.',
    trigger: 'manual',
    createdAt: '2026-01-01T00:00:00Z',
    tokensBefore: 9,
    tokensAfter: 9,
  };
  test.each([...REFUSALS, ['an error that says nothing', [new ProviderError('invalid_request', 'Nope.', { status: 400 })]] as const])(
    'is left out with all before it, with %s, and comes back with them',
    async (_how, refuses) => {
      const messages = talk(7);
      const { session, provider, recorder } = rig({ messages, meta: { compactions: [compaction] }, scripts: refusing(refuses, 60) });
      const ends: string[] = [];
      for (let turn = 0; turn < 6; turn += 1) ends.push((await session.send(say(`Turn ${turn}`)).turn).end);
      expect(ends.at(-1)).toBe('end_turn');
      expect(JSON.stringify(provider.requests.at(-1))).not.toContain('FORBIDDEN');
      // The summary itself is kept.
      expect(recorder.meta['compactions']).toBeUndefined();
      expect(session.compactions).toEqual([compaction]);
      session.putBack(0);
      await session.send(say('And now?')).turn;
      expect(provider.requests.slice(-2).map((request) => JSON.stringify(request).includes('FORBIDDEN'))).toContain(true);
    },
  );
});

const unclear = (kind: ProviderErrorKind = 'invalid_request', status?: number): ProviderError =>
  new ProviderError(kind, 'Nope.', status === undefined ? {} : { status });
/** Refuses whatever holds the word, without saying why. */
const wordless = (count: number, word = 'FORBIDDEN'): readonly Script[] =>
  Array.from({ length: count }, (): Script => (request) => (sentOf(request).includes(word) ? [unclear()] : answers('Sure.')));
const marks = (events: readonly SessionEvent[]): readonly unknown[] => events.flatMap((event) => (event.type === 'held_back' ? [event.heldBack] : []));

describe('a message that is refused in words that say nothing', () => {
  test('is held back once the next one is answered without it, and can be put back', async () => {
    const { session, provider, recorder, events } = rig({ scripts: wordless(20) });
    await session.send(say('First.')).turn;
    expect(await session.send(say('FORBIDDEN')).turn).toMatchObject({ end: 'error', error: { message: 'Nope.' } });
    expect(await session.retry().turn).toMatchObject({ end: 'error' });
    expect([session.heldBack, marks(events)]).toEqual([[], []]);
    expect(await session.send(say('Harmless.')).turn).toMatchObject({ end: 'end_turn' });
    expect([session.heldBack, recorder.meta['heldBack'], marks(events)]).toEqual([[{ from: 2, to: 3 }], [{ from: 2, to: 3 }], [[{ from: 2, to: 3 }]]]);
    const before = provider.requests.length;
    expect(await session.send(say('More.')).turn).toMatchObject({ end: 'end_turn' });
    expect(provider.requests).toHaveLength(before + 1);
    expect(outline(session.messages)).toContain('user: FORBIDDEN');
    // Put back by the user, it is found again, though others have been answered since.
    session.putBack(2);
    expect(await session.send(say('And now?')).turn).toMatchObject({ end: 'end_turn' });
    expect(session.heldBack).toEqual([{ from: 2, to: 3 }]);
  });

  test('may be several, in a row, or the first of a chat', async () => {
    const { session } = rig({ scripts: wordless(20) });
    for (const words of ['FORBIDDEN 1', 'FORBIDDEN 2', 'FORBIDDEN 3']) expect(await session.send(say(words)).turn).toMatchObject({ end: 'error' });
    expect(session.heldBack).toEqual([]);
    expect(await session.send(say('Harmless.')).turn).toMatchObject({ end: 'end_turn' });
    expect(session.heldBack).toEqual([{ from: 0, to: 3 }]);
  });

  test('goes with the work on it where a result is what is refused', async () => {
    const read = testTool('read', { execute: () => ({ content: [{ type: 'text', text: 'FORBIDDEN' }], isError: false }) });
    const call: Script = [...calls(0, 'c1', { name: 'read', args: { on: 'x' } }), ...stops('tool_use')];
    const { session, provider } = rig({ tools: [read], scripts: [call, ...wordless(9)] });
    expect(await session.send(say('Work.')).turn).toMatchObject({ end: 'error' });
    expect(await session.send(say('Else.')).turn).toMatchObject({ end: 'end_turn' });
    expect(session.heldBack).toEqual([{ from: 0, to: 3 }]);
    expect(sentOf(provider.requests.at(-1) as Request)).toContain('the work on it, are left out here');
    expect(provider.broken).toEqual([]);
  });

  test.each<[string, readonly Step[]]>([
    ['an error of the server after some text', [...says(0, 'Well, '), unclear('server')]],
    ['an invalid request after some text', [...says(0, 'Well, '), unclear()]],
    ['an error after a call', [...calls(0, 'c1', { name: 'read', args: { on: 'x' } }), unclear('server')]],
    ['an error before any text', [unclear('server', 500)]],
    ['an empty answer', stops('end_turn')],
  ])('is found with %s, too', async (_how, refuses) => {
    const { session, provider } = rig({
      tools: [testTool('read')],
      messages: talk(2),
      scripts: refusing(refuses, 60),
      maxRetries: 1,
      wait: () => Promise.resolve(),
    });
    expect(await session.send(say('FORBIDDEN')).turn).toMatchObject({ end: 'error' });
    expect(await session.send(say('Harmless.')).turn).toMatchObject({ end: 'end_turn' });
    expect(sentOf(provider.requests.at(-1) as Request)).toMatch(/Question 0.*Question 1.*Harmless/);
    const before = provider.requests.length;
    expect(await session.send(say('More.')).turn).toMatchObject({ end: 'end_turn' });
    expect(provider.requests).toHaveLength(before + 1);
  });

  test.each([1, 2, 3, 4])('takes no answered turn along where %i in a row were refused', async (count) => {
    const { session, provider } = rig({ messages: talk(4), scripts: wordless(60) });
    for (let turn = 0; turn < count; turn += 1) expect(await session.send(say(`FORBIDDEN ${turn}`)).turn).toMatchObject({ end: 'error' });
    expect(await session.send(say('Harmless.')).turn).toMatchObject({ end: 'end_turn' });
    expect(session.heldBack).toEqual([{ from: 8, to: 8 + count }]);
    expect(sentOf(provider.requests.at(-1) as Request)).toMatch(/Question 0.*Question 3.*Harmless/);
  });

  const OTHERS: readonly ProviderErrorKind[] = [
    'rate_limit',
    'overloaded',
    'network',
    'interrupted',
    'stalled',
    'authentication',
    'no_key',
    'quota',
    'consent',
  ];
  test.each([...OTHERS, 'stopped' as const].flatMap((first) => [400, 403, 404, 500].map((status) => [first, status] as const)))(
    'is sent on where it failed with %s before a single %i',
    async (first, status) => {
      const passing = unclear(status === 403 ? 'permission' : status === 404 ? 'not_found' : status === 500 ? 'server' : 'invalid_request', status);
      const steps: Script = () => {
        if (first !== 'stopped') return [unclear(first)];
        it.session.cancel();
        return answers('Too late.');
      };
      const it = rig({ messages: talk(2), scripts: [steps, [passing], answers('Sure.'), answers('Sure.'), answers('Sure.')] });
      await it.session.send(say('one')).turn;
      expect(await it.session.send(say('two')).turn).toMatchObject({ end: 'error' });
      expect(await it.session.send(say('three')).turn).toMatchObject({ end: 'end_turn' });
      expect(sentOf(it.provider.requests.at(-1) as Request)).toMatch(/one.*two.*three/);
      expect(marks(it.events)).toEqual([]);
    },
  );

  test('is not taken for found by an answer that is a refusal itself', async () => {
    const { session, events } = rig({
      messages: talk(2),
      scripts: [[unclear()], [unclear()], [...says(0, 'I will not.'), ...endsWith('refusal')], answers('Sure.')],
    });
    await session.send(say('one')).turn;
    expect(await session.send(say('two')).turn).toMatchObject({ end: 'error' });
    expect(marks(events).flat()).not.toContainEqual({ from: 4, to: 5 });
  });

  test('is found further back, after a change of the model', async () => {
    const messages = [user('FORBIDDEN for another model'), said('Yes.'), user('two'), said('Yes.'), user('three'), said('Yes.')];
    const { session } = rig({ messages, scripts: wordless(30) });
    const ends: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) ends.push((await session.send(say(`Turn ${turn}`)).turn).end);
    expect(ends.at(-1)).toBe('end_turn');
  });

  test('keeps the notes that came with it', async () => {
    const note = '<environment>\nBranch: main\n</environment>';
    const messages: readonly Message[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: note },
          { type: 'text', text: 'FORBIDDEN' },
        ],
        timestamp: '2026-01-01T00:00:00Z',
      },
    ];
    const { session, provider } = rig({ messages, scripts: wordless(9) });
    expect(await session.send(say('Harmless.')).turn).toMatchObject({ end: 'end_turn' });
    expect(sentOf(provider.requests.at(-1) as Request)).toContain('Branch: main');
  });

  test.each<[ProviderErrorKind, number | undefined]>([
    ['invalid_request', 400],
    ['not_found', 404],
    ['permission', 403],
    ['server', undefined],
    ['server', 500],
    ['server', 501],
    ['server', 503],
    ['authentication', 401],
    ['quota', 402],
    ['rate_limit', 429],
    ['network', undefined],
    ['overloaded', 529],
  ])('is sent on where the server refuses everything, with %s %s', async (kind, status) => {
    let isBroken = true;
    const scripts = Array.from({ length: 30 }, (): Script => () => (isBroken ? [unclear(kind, status)] : answers('Back.')));
    const { session, provider, events, recorder } = rig({ scripts, maxRetries: 1, wait: () => Promise.resolve() });
    for (const words of ['one', 'two', 'three']) expect(await session.send(say(words)).turn).toMatchObject({ end: 'error', error: { message: 'Nope.' } });
    isBroken = false;
    expect(await session.send(say('four')).turn).toMatchObject({ end: 'end_turn' });
    expect(sentOf(provider.requests.at(-1) as Request)).toMatch(/one.*two.*three.*four/);
    expect([session.heldBack, recorder.meta['heldBack'], marks(events)]).toEqual([[], undefined, []]);
  });

  test('is not held back by a stop while it is found out', async () => {
    const stop: Script = () => {
      it.session.cancel();
      return answers('Too late.');
    };
    const it = rig({ scripts: [[unclear()], [unclear()], stop] });
    const { session, events } = it;
    await session.send(say('FORBIDDEN')).turn;
    expect(await session.send(say('Harmless.')).turn).toMatchObject({ end: 'aborted' });
    expect([session.heldBack, marks(events)]).toEqual([[], []]);
  });
});
