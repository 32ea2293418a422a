import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../src/domain/errors.js';
import { text } from '../../../src/domain/model/content.js';
import type { ModelInfo } from '../../../src/domain/model/provider.js';
import type { JsonSchema } from '../../../src/domain/tool/tool.js';
import { type Answered, answerTo, checkBy } from '../../../src/headless/structured.js';
import { answers, Latch, says, type Script, type ScriptedProvider, stops, TEST_MODEL, thinks } from '../../support/scripted-provider/index.js';
import { rig } from '../engine/rig.js';

const PLAN: JsonSchema = { type: 'object', properties: { risk: { type: 'integer' } }, required: ['risk'], additionalProperties: false };
const GOOD = '{"risk": 1}';

interface Asking {
  readonly answered: Promise<Answered>;
  readonly provider: ScriptedProvider;
  readonly abort: () => void;
}

async function asking(scripts: readonly Script[], model: ModelInfo = TEST_MODEL): Promise<Asking> {
  const { session, provider } = rig({ model, scripts });
  const form = { schema: PLAN, check: await checkBy(PLAN) };
  const answered = answerTo({ kind: 'message', content: [text('Plan it.')], options: {}, notes: [] }, session, form, new AbortController().signal);
  return { answered, provider, abort: () => session.cancel() };
}

describe('an answer in a form', () => {
  test('is data, behind thinking and in two blocks', async () => {
    const { answered, provider } = await asking([[...thinks(0, '{"no": 1}'), ...says(1, '{"risk":'), ...says(2, ' 1}'), ...stops('end_turn')]]);
    expect(await answered).toMatchObject({ turn: { end: 'end_turn', rounds: 1 }, facts: { structured: { risk: 1 } } });
    expect(provider.requests.map(({ output }) => output)).toEqual([PLAN]);
  });

  test('is asked for again with what is wrong and the schema, at the price of both', async () => {
    const { answered, provider } = await asking([answers('{"risk": "high"}'), answers(GOOD)]);
    expect(await answered).toMatchObject({ turn: { rounds: 2, usage: { inputTokens: 200, outputTokens: 20 } }, facts: { structured: { risk: 1 } } });
    const said = JSON.stringify(provider.requests[1]?.messages.at(-1)?.content);
    expect(said).toMatch(/- risk: .*expected number/);
    expect(said).toContain(JSON.stringify(JSON.stringify(PLAN)).slice(1, -1));
  });

  test('is asked for in words of a model that is known to take no schema', async () => {
    const { answered, provider } = await asking([answers('No.'), answers(GOOD)], { ...TEST_MODEL, supportsOutputSchema: false });
    expect((await answered).facts).toEqual({ structured: { risk: 1 } });
    for (const { output, systemPrompt } of provider.requests) {
      expect(output).toBeUndefined();
      expect(systemPrompt).toContain('Answer with one JSON value');
    }
  });

  test('is none after the third that is another one', async () => {
    const { answered, provider } = await asking([answers('No.'), answers('Sorry.'), answers('Never.')]);
    expect((await answered).facts).toEqual({ structuredProblem: expect.stringContaining('it is not JSON') as string });
    expect(provider.requests).toHaveLength(3);
  });

  test.each([
    ['the request failed', [...says(0, '{"ri'), new ProviderError('invalid_request', 'No.')], 'error'],
    ['the model refused', [...says(0, GOOD), { type: 'stop', stopReason: 'unknown', rawStopReason: 'refusal' }], 'error'],
  ] as const)('is none, and not asked for again, where %s', async (_why, script, end) => {
    const { answered, provider } = await asking([script]);
    expect(await answered).toMatchObject({ turn: { end }, facts: {} });
    expect(provider.requests).toHaveLength(1);
  });

  test.each([1, 2])('is none where request %i is stopped, and nothing is asked after that', async (number) => {
    const latch = new Latch();
    const held: Script = [...says(0, GOOD), latch, ...stops('end_turn')];
    const { answered, provider, abort } = await asking(number === 1 ? [held] : [answers('No.'), held]);
    await latch.reached;
    abort();
    latch.open();
    expect(await answered).toMatchObject({ turn: { end: 'aborted' }, facts: {} });
    expect(provider.requests).toHaveLength(number);
  });
});
