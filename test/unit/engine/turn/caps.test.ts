import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import { type Amount, type Caps, NO_AMOUNT } from '../../../../src/domain/model/purse.js';
import { type Spent, NO_USAGE } from '../../../../src/domain/model/usage.js';
import type { Tool } from '../../../../src/domain/tool/tool.js';
import type { Turn } from '../../../../src/engine/events.js';
import { improveTitle } from '../../../../src/engine/one-shot/improve-title.js';
import { createPurse } from '../../../../src/engine/turn/purse.js';
import { type Script, answers, calls, ScriptedProvider, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { ok, outline, rig, testTool } from '../rig.js';

const hello = [{ type: 'text' as const, text: 'hello' }];
/** Costs one dollar with the prices of the test model. */
const dear: Script = [...answers('Dear.').slice(0, -2), ...stops('end_turn', { inputTokens: 1_000_000, outputTokens: 0 })];

function words(turn: Turn): string {
  expect(turn.end).toBe('cap');
  return turn.error instanceof Error ? turn.error.message : '';
}

describe('the cap on turns', () => {
  test('ends the turn after the last one, names the numbers and the setting, and asks nobody', async () => {
    let caps: Caps = { maxTurns: 2 };
    const { session, provider } = rig({ caps: () => caps, scripts: [answers('One.'), answers('Two.'), answers('Three.')] });
    await session.send(hello).turn;
    await session.send(hello).turn;

    const text = words(await session.send(hello).turn);

    expect(text).toContain('2 turns');
    expect(text).toContain('turn 3');
    expect(text).toContain('gnomon.maxTurns');
    expect(provider.requests).toHaveLength(2);
    // Raising it is enough to go on.
    caps = { maxTurns: 3 };
    expect(await session.retry().turn).toMatchObject({ end: 'end_turn' });
    expect(outline(session.messages).at(-1)).toBe('assistant(end_turn): Three.');
  });

  test('counts the turns of a stored session', async () => {
    const first = rig({ scripts: [answers('One.')] });
    await first.session.send(hello).turn;
    const { session, provider } = rig({ caps: () => ({ maxTurns: 1 }), messages: first.session.messages });
    words(await session.send(hello).turn);
    expect(provider.requests).toHaveLength(0);
  });
});

describe('the cap on spending', () => {
  test.each([
    [0.000001, '$0.000001 '],
    [0.0000123, '$0.000012 '],
    [0.00005, '$0.00005 '],
    [0.025, '$0.0250 '],
    [0.5, '$0.50 '],
  ])('of %d is told with the digits that it needs, and the turn has no round', async (maxCostUsd, told) => {
    const { session, provider } = rig({ caps: () => ({ maxCostUsd }), scripts: [dear] });
    await session.send(hello).turn;
    const turn = await session.send(hello).turn;
    expect(words(turn)).toContain(told);
    expect(turn.rounds).toBe(0);
    expect(provider.requests.length).toBeLessThan(2);
  });

  test('ends the turn before the next request, with what was spent', async () => {
    const { session, provider } = rig({
      caps: () => ({ maxCostUsd: 1 }),
      tools: [testTool('read')],
      scripts: [[...calls(0, 'a', { name: 'read', args: { on: 'x' } }), ...stops('tool_use', { inputTokens: 1_500_000, outputTokens: 0 })]],
    });

    const text = words(await session.send(hello).turn);

    expect(text).toContain('$1.00');
    expect(text).toContain('$1.50');
    expect(text).toContain('gnomon.maxCostUsd');
    expect(provider.requests).toHaveLength(1);
    expect(outline(session.messages).at(-1)).toBe('result#a: read x');
  });

  test('is checked before another attempt too', async () => {
    const broken = new ProviderError('interrupted', 'Broken.');
    const used = { type: 'usage' as const, usage: { inputTokens: 1_000_000 } };
    const { session, provider } = rig({ caps: () => ({ maxCostUsd: 1 }), maxRetries: 8, wait: () => Promise.resolve(), scripts: [[used, broken]] });
    words(await session.send(hello).turn);
    expect(provider.requests).toHaveLength(1);
  });

  test('is no hindrance below it', async () => {
    const { session } = rig({ caps: () => ({ maxCostUsd: 1.01 }), scripts: [dear, answers('Ok.')] });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
  });

  test('takes a model on the user’s own machine that has no price, which costs nothing', async () => {
    const { provider: name, id, label, contextWindow, maxOutputTokens, efforts, supportsImages, supportsTools } = TEST_MODEL;
    const local = { provider: name, id, label, contextWindow, maxOutputTokens, efforts, supportsImages, supportsTools, onThisMachine: true as const };
    const { session } = rig({ model: local, caps: () => ({ maxCostUsd: 1 }), scripts: [dear, answers('Ok.')] });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', costUsd: 0 });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(session.costUsd).toBe(0);
  });

  test('refuses a model whose price is not known, before anything is sent', async () => {
    const { provider: name, id, label, contextWindow, maxOutputTokens, efforts, supportsImages, supportsTools } = TEST_MODEL;
    const unpriced = { provider: name, id, label, contextWindow, maxOutputTokens, efforts, supportsImages, supportsTools };
    const { session, provider } = rig({ model: unpriced, caps: () => ({ maxCostUsd: 5 }), scripts: [answers('No.')] });

    const text = words(await session.send(hello).turn);

    expect(text).toContain('price of Model 1 is unknown');
    expect(text).toContain('gnomon.maxCostUsd');
    expect(provider.requests).toHaveLength(0);
  });

  test('refuses to go on in a session whose cost is not known', async () => {
    const first = rig({ scripts: [answers('One.')] });
    await first.session.send(hello).turn;
    const { session, provider } = rig({ caps: () => ({ maxCostUsd: 5 }), messages: first.session.messages });
    expect(words(await session.send(hello).turn)).toContain('its cost so far is unknown');
    expect(provider.requests).toHaveLength(0);
  });
});

test('without caps nothing is capped', async () => {
  const { session } = rig({ caps: () => ({}), scripts: [dear, dear, dear] });
  for (let turn = 0; turn < 3; turn += 1) expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
});

test('what could not be sent at all is no request', async () => {
  const purse = createPurse(() => ({ requests: 1 }));
  const { session, provider } = rig({ purse, scripts: [] });
  expect(await session.send(hello).turn).toMatchObject({ end: 'error', byModel: {} });
  expect([purse.spent, purse.reserved]).toEqual([NO_AMOUNT, NO_AMOUNT]);
  provider.replace(answers('Ok.'));
  expect(await session.retry().turn).toMatchObject({ end: 'end_turn' });
});

describe('a limit', () => {
  test('ends a turn with data beside the words', async () => {
    const { session } = rig({ caps: () => ({ maxCostUsd: 1 }), scripts: [dear] });
    await session.send(hello).turn;
    expect(await session.send(hello).turn).toMatchObject({
      end: 'cap',
      reached: { limit: 'money', value: 1, used: 1, whose: 'own' },
      error: { name: 'LimitReachedError' },
    });
  });

  test('of turns is data, too', async () => {
    const { session } = rig({ caps: () => ({ maxTurns: 0 }), scripts: [] });
    expect(await session.send(hello).turn).toMatchObject({ reached: { limit: 'turns', value: 0, used: 1, whose: 'own' } });
  });

  test('of others is named as theirs, with no setting of this chat', async () => {
    const purse = createPurse(() => ({ costUsd: 1 }));
    const { session } = rig({ purse, caps: () => ({ maxCostUsd: 5 }), scripts: [dear] });
    await session.send(hello).turn;
    const text = words(await session.send(hello).turn);
    expect(text).toContain('$1.00 that this chat shares with others');
    expect(text).not.toContain('gnomon.');
  });

  test('keeps a summary from being made that the user asks for, and says why', async () => {
    const { session, provider, events, log } = rig({ caps: () => ({ maxCostUsd: 1 }), scripts: [dear, answers('No.')] });
    await session.send([{ type: 'text', text: 'hello '.repeat(2_000) }]).turn;
    await session.send(hello).turn;
    await session.compact();
    expect(provider.requests).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'compaction_ended', error: { reached: { limit: 'money', value: 1 } } });
    expect(session.compactions).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  test('counts a summary: the request behind it is one too many', async () => {
    const purse = createPurse(() => ({ requests: 2 }));
    const long = [{ type: 'text' as const, text: 'hello '.repeat(40_000) }];
    const small = { ...TEST_MODEL, contextWindow: 80_000 };
    const { session, provider } = rig({ purse, model: small, autoCompactPercent: 50, scripts: [answers('One.'), answers('A summary.'), answers('No.')] });
    await session.send(long).turn;
    expect(await session.send(hello).turn).toMatchObject({ end: 'cap', reached: { limit: 'requests', used: 2 } });
    expect(provider.requests).toHaveLength(2);
    expect(session.compactions).toHaveLength(1);
  });

  test('is what a turn ends with whose conversation is too long, where it leaves no room for a summary', async () => {
    const purse = createPurse(() => ({ requests: 2 }));
    const tooLong = new ProviderError('context_length', 'Too long.');
    const { session, provider } = rig({ purse, scripts: [answers('One.'), [tooLong]] });
    await session.send([{ type: 'text', text: 'hello '.repeat(2_000) }]).turn;
    expect(await session.send(hello).turn).toMatchObject({ end: 'cap', reached: { limit: 'requests', value: 2, used: 2, whose: 'parent' } });
    expect(provider.requests).toHaveLength(2);
  });

  test('keeps titles from being asked for', async () => {
    const namer = new ScriptedProvider([answers('A title')]);
    const { session, log } = rig({ caps: () => ({ maxCostUsd: 1 }), scripts: [dear] });
    const titles: string[] = [];
    improveTitle(session, {
      wanted: () => true,
      asked: () => Promise.resolve({ provider: namer, model: TEST_MODEL }),
      apply: (title) => titles.push(title),
      log,
    });
    await session.send(hello).turn;
    await expect.poll(() => log.lines.join()).toContain('cost limit');
    expect([namer.requests, titles]).toEqual([[], []]);
  });
});

describe('a call that has to be paid for', () => {
  const search = (estimate: Amount, spent: Spent): Tool => {
    const tool = testTool('search', { execute: () => ({ ...ok('Found.'), spent }) });
    return { ...tool, plan: async (args, context) => ({ ...(await tool.plan(args, context)), spends: estimate }) };
  };
  const script = [...calls(0, 'a', { name: 'search', args: { on: 'x' } }), ...stops('tool_use')];
  const took: Spent = { usage: { ...NO_USAGE, inputTokens: 10 }, costUsd: 0.25, asked: { provider: 'scripted', id: 'searcher' }, webSearchRequests: 1 };

  test('is paid from the purse of the chat, and counted by model', async () => {
    const purse = createPurse(() => ({}));
    const { session } = rig({ purse, tools: [search({ costUsd: 0.5, tokens: 100, requests: 1 }, took)], scripts: [script, answers('Done.')] });
    const turn = await session.send(hello).turn;
    expect(purse.spent).toMatchObject({ costUsd: turn.costUsd, requests: 3 });
    expect(purse.reserved).toEqual(NO_AMOUNT);
    expect(turn.byModel['scripted/searcher']).toEqual({ usage: took.usage, costUsd: 0.25, requests: 1, webSearchRequests: 1 });
    expect(turn.byModel['scripted/model-1']).toMatchObject({ requests: 2 });
  });

  test('does not run where a limit leaves no room for it, and the model is told', async () => {
    const purse = createPurse(() => ({ requests: 1 }));
    const { session } = rig({ purse, tools: [search({ costUsd: 0.5, tokens: 100, requests: 1 }, took)], scripts: [script] });
    const turn = await session.send(hello).turn;
    expect(turn.end).toBe('cap');
    expect(outline(session.messages).at(-1)).toContain('result#a!: Not run: what may be spent');
    expect(purse.spent.requests).toBe(1);
  });

  test('that did not say so before is taken from the purse behind it', async () => {
    const unsaid = testTool('search', { execute: () => ({ ...ok('Found.'), spent: took }) });
    const { session } = rig({ caps: () => ({ maxCostUsd: 0.25 }), tools: [unsaid], scripts: [script] });
    expect(await session.send(hello).turn).toMatchObject({ end: 'cap', reached: { limit: 'money' } });
  });

  test('that fails has sent its request and costs nothing', async () => {
    const purse = createPurse(() => ({}));
    const failing = search({ costUsd: 0.5, tokens: 100, requests: 1 }, took);
    const broken: Tool = { ...failing, execute: () => Promise.reject(new Error('Broken.')) };
    const { session } = rig({ purse, tools: [broken], scripts: [script, answers('Done.')] });
    const turn = await session.send(hello).turn;
    expect(purse.spent).toMatchObject({ costUsd: turn.costUsd, requests: 3 });
    expect(purse.reserved).toEqual(NO_AMOUNT);
  });
});
