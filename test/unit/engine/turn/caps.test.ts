import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { Caps } from '../../../../src/engine/turn/caps.js';
import type { Turn } from '../../../../src/engine/events.js';
import { type Script, answers, calls, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { outline, rig, testTool } from '../rig.js';

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
