import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Limits, type Purse, NO_AMOUNT } from '../../../../src/domain/model/purse.js';
import { totalInputTokens } from '../../../../src/domain/model/usage.js';
import type { AgentSession } from '../../../../src/engine/agent-session.js';
import type { Turn } from '../../../../src/engine/events.js';
import { createPurse } from '../../../../src/engine/turn/purse.js';
import { gate } from '../../../support/model-server/index.js';
import { rig } from '../rig.js';
import { type CountingWire, type Deed, chatWire, messagesWire, TAKEN } from './counting-wires.js';

const hello = [{ type: 'text' as const, text: 'hello' }];

describe.each([
  ['Messages', messagesWire],
  ['Chat Completions', chatWire],
])('sessions that share a purse, over %s', (_name, start) => {
  let wire: CountingWire;
  beforeAll(async () => {
    wire = await start();
  });
  afterAll(() => wire.close());
  beforeEach(() => wire.plan(() => 'answer'));

  function sessionsOf(purse: Purse, count: number): readonly AgentSession[] {
    return Array.from({ length: count }, () => {
      const { session } = rig({ purse });
      session.setModel(wire.provider, wire.model);
      return session;
    });
  }

  async function allAtOnce(limits: Limits, deed: (n: number) => Deed = () => 'answer') {
    wire.plan(deed);
    const purse = createPurse(() => limits);
    const sessions = sessionsOf(purse, 10);
    const turns = await Promise.all(sessions.map((session) => session.send(hello).turn));
    return { purse, sessions, turns };
  }

  function endsOf(turns: readonly Turn[]): Readonly<Record<string, number>> {
    return Object.fromEntries(['end_turn', 'cap', 'error'].map((end) => [end, turns.filter((turn) => turn.end === end).length]));
  }

  test.each<[string, Limits, object]>([
    ['requests', { requests: 3 }, { limit: 'requests', value: 3, used: 3 }],
    ['money', { costUsd: 1.5 }, { limit: 'money', value: 1.5, used: 1.5 }],
    ['money that ends within the third', { costUsd: 1.25 }, { limit: 'money', value: 1.25, used: 1.5 }],
    ['tokens', { tokens: 3_000 }, { limit: 'tokens', value: 3_000, used: 3_000 }],
  ])('with room for three requests by %s, ten of them make exactly three', async (_limit, limits, reached) => {
    const { purse, sessions, turns } = await allAtOnce(limits);
    expect(wire.count()).toBe(3);
    expect(endsOf(turns)).toEqual({ end_turn: 3, cap: 7, error: 0 });
    for (const turn of turns.filter(({ end }) => end === 'cap')) expect(turn.reached).toEqual({ ...reached, whose: 'parent' });
    expect(purse.spent).toEqual({ costUsd: 3 * TAKEN.costUsd, tokens: 3 * TAKEN.tokens, requests: 3 });
    expect(purse.reserved).toEqual(NO_AMOUNT);
    expect(sessions.reduce((sum, { costUsd = NaN }) => sum + costUsd, 0)).toBe(purse.spent.costUsd);
    expect(sessions.reduce((sum, { usage }) => sum + totalInputTokens(usage) + usage.outputTokens, 0)).toBe(purse.spent.tokens);
  });

  test('requests that are under way count: what is left is enough for three, and all ten ask before the first answer', async () => {
    const held = gate();
    const all = allAtOnce({ requests: 3 }, () => held);
    await held.reached;
    held.open();
    expect(endsOf((await all).turns)).toEqual({ end_turn: 3, cap: 7, error: 0 });
    expect(wire.count()).toBe(3);
  });

  test('what fails gives its money back', async () => {
    const { purse, turns } = await allAtOnce({ costUsd: 1.5 }, (n) => (n < 2 ? 'fail' : 'answer'));
    expect(endsOf(turns)).toEqual({ end_turn: 3, cap: 5, error: 2 });
    expect(wire.count()).toBe(5);
    expect(purse.spent).toEqual({ costUsd: 1.5, tokens: 3_000, requests: 5 });
    expect(purse.reserved).toEqual(NO_AMOUNT);
  });

  test('what breaks off is paid for as far as its use is known', async () => {
    wire.plan(() => 'break off');
    const purse = createPurse(() => ({ costUsd: 10 }));
    const [session] = sessionsOf(purse, 1);
    expect(await session?.send(hello).turn).toMatchObject({ end: 'error' });
    const known = session?.usage ?? { inputTokens: NaN, outputTokens: NaN };
    expect(purse.spent).toEqual({ costUsd: session?.costUsd, tokens: known.inputTokens + known.outputTokens, requests: 1 });
    expect(purse.reserved).toEqual(NO_AMOUNT);
  });

  test('what is stopped gives its money back to the one that waits for it', async () => {
    const held = gate();
    wire.plan((n) => (n === 0 ? held : 'answer'));
    const purse = createPurse(() => ({ costUsd: 0.5 }));
    const [first, second] = sessionsOf(purse, 2) as [AgentSession, AgentSession];
    const stopped = first.send(hello).turn;
    await held.reached;
    const waiting = second.send(hello).turn;
    first.cancel();
    expect(await stopped).toMatchObject({ end: 'aborted' });
    expect(await waiting).toMatchObject({ end: 'end_turn', costUsd: TAKEN.costUsd });
    expect(wire.count()).toBe(2);
    expect(purse.reserved).toEqual(NO_AMOUNT);
    held.open();
  });

  test('one that waits can be stopped, and has sent nothing', async () => {
    const held = gate();
    wire.plan(() => held);
    const purse = createPurse(() => ({ costUsd: 0.5 }));
    const [first, second] = sessionsOf(purse, 2) as [AgentSession, AgentSession];
    const sent = first.send(hello).turn;
    await held.reached;
    const waiting = second.send(hello);
    await waiting.recorded;
    second.cancel();
    expect(await waiting.turn).toMatchObject({ end: 'aborted', costUsd: 0, byModel: {} });
    held.open();
    expect(await sent).toMatchObject({ end: 'end_turn' });
    expect(wire.count()).toBe(1);
  });
});
