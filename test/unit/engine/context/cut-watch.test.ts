import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../src/domain/model/message.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { CutWatch } from '../../../../src/engine/context/cut-watch.js';
import { type Script, calls, stops } from '../../../support/scripted-provider/index.js';
import { ok, rig, testTool } from '../rig.js';

const timestamp = '2026-01-01T00:00:00Z';
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }], timestamp });
const answer = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  stopReason: 'end_turn',
  rawStopReason: 'stop',
  usage: NO_USAGE,
  timestamp,
});

/** Requests that grow by texts of so many words. */
function growing(sizes: readonly number[]): readonly Request[] {
  return sizes.map((_, round) => ({
    model: 'm',
    systemPrompt: 'word '.repeat(300),
    messages: sizes.slice(0, round + 1).flatMap((size, turn) => [...(turn > 0 ? [answer('Yes.')] : []), user('word '.repeat(size))]),
    tools: [],
  }));
}

/** Tokens of texts in which each word is one. */
const words = (messages: readonly Message[]): number =>
  messages.reduce((total, { content }) => total + content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.split(' ').length : 0), 0), 0);
const all = (request: Request): number => words(request.messages) + 300;
/** Only what came after the last answer, as a gateway counts that leaves out what it has in a cache. */
const fresh = ({ messages }: Request): number =>
  words(
    messages.slice(
      Math.max(
        0,
        messages.findLastIndex(({ role }) => role === 'assistant'),
      ),
    ),
  );

function noticed(requests: readonly Request[], reported: (request: Request, round: number) => number): boolean {
  const watch = new CutWatch();
  return requests.map((request, round) => watch.take('p/m', request, { ...NO_USAGE, inputTokens: reported(request, round) })).some(Boolean);
}

const sizes = fc.array(fc.integer({ min: 1_100, max: 6_000 }), { minLength: 6, maxLength: 10 });

describe('a server that reads no more than fits', () => {
  test('is noticed within a few rounds, when it always reports its window', () => {
    fc.assert(
      fc.property(sizes, fc.constantFrom(2_048, 4_096, 8_192), (grown, window) =>
        noticed(growing([...grown, 9_000, 3_000, 6_000]), (request) => Math.min(window, all(request))),
      ),
    );
  });

  test('is noticed when it drops whole messages, so that its numbers go up and down', () => {
    const grown = growing([4_000, 1_200, 3_000, 1_000, 2_600, 1_100, 3_100]);
    const reported = [4_300, 4_050, 3_800, 3_950, 3_700, 4_000, 3_900];
    expect(noticed(grown, (_request, round) => reported[round] ?? 0)).toBe(true);
  });
});

describe('an honest server is not suspected', () => {
  test.each([
    ['that counts all, from a cache or not', (request: Request) => all(request)],
    ['that counts only what is new', fresh],
    ['that counts what is new, half as much', (request: Request) => Math.round(fresh(request) / 2)],
    ['that counts nothing', () => 0],
  ])('%s', (_what, reported) => {
    fc.assert(fc.property(sizes, (grown) => !noticed(growing(grown), reported)));
  });

  test('that counts only what is new, of rounds of one size', () => {
    expect(noticed(growing(Array.from({ length: 12 }, () => 2_000)), fresh)).toBe(false);
  });

  test('whose request got shorter by a summary, or went to another model', () => {
    const [short, long] = [growing([3_000])[0] as Request, growing([3_000, 3_000, 3_000])[2] as Request];
    const watch = new CutWatch();
    const usage = { ...NO_USAGE, inputTokens: 4_096 };
    expect([watch.take('p/a', long, usage), watch.take('p/a', short, usage), watch.take('p/b', long, usage)]).toEqual([false, false, false]);
  });
});

test('a session on any server is told of it, and summarizes from then on', async () => {
  let round = 0;
  const source = testTool('read', {
    execute: () =>
      ok(Array.from({ length: 200 }, (_, line) => `  const value${line + round} = await this.deps.window.measure(model, ${line * round});`).join('\n')),
  });
  const reading: Script = ({ messages, systemPrompt }) => {
    round += 1;
    const tokens = Math.ceil((JSON.stringify(messages).length + systemPrompt.length) / 4);
    const usage = { inputTokens: Math.min(4_096, tokens), outputTokens: 10 };
    if (systemPrompt.startsWith('You summarize')) return [{ type: 'text', index: 0, delta: 'A summary.' }, ...stops('end_turn', usage)];
    return round > 9
      ? [{ type: 'text', index: 0, delta: 'Done.' }, ...stops('end_turn', usage)]
      : [...calls(0, `c${round}`, { name: 'read', args: { on: String(round) } }), ...stops('tool_use', usage)];
  };
  const { session, events } = rig({ tools: [source], autoCompactPercent: 85, scripts: Array.from({ length: 60 }, () => reading) });
  await session.send([{ type: 'text', text: 'Read.' }]).turn;
  expect(events.filter(({ type }) => type === 'context_cut')).toMatchObject([{ tokens: 4_096 }]);
  expect(session.compactions.length).toBeGreaterThan(0);
});
