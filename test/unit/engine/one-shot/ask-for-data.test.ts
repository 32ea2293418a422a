import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InvalidDataError, ProviderError } from '../../../../src/domain/errors.js';
import { text } from '../../../../src/domain/model/content.js';
import type { ModelInfo, Provider } from '../../../../src/domain/model/provider.js';
import type { JsonSchema } from '../../../../src/domain/tool/tool.js';
import { type DataAnswer, type DataRequest, askForData } from '../../../../src/engine/one-shot/ask-for-data.js';
import { dataCheck } from '../../../../src/engine/one-shot/data-check.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { createDemoProvider, demoModel } from '../../../../src/provider/demo/provider.js';
import { presetOf } from '../../../../src/provider/openai/models/presets.js';
import { createOpenAiProvider } from '../../../../src/provider/openai/provider.js';
import { createVsCodeLmProvider } from '../../../../src/vscode/language-models/provider.js';
import { type ModelServer, gate, httpError, reply, startModelServer } from '../../../support/model-server/index.js';
import { type OpenAiServer, type Reply, chunk, DONE, json, sse, startOpenAiServer } from '../../../support/openai-server/index.js';
import { answer as response, said } from '../../../support/responses-server/index.js';
import { runs } from '../../../support/runs.js';
import { type Script, answers, calls, Latch, says, ScriptedProvider, stops, TEST_MODEL, thinks } from '../../../support/scripted-provider/index.js';
import { FakeLm } from '../../vscode/language-models/fake-lm.js';
import { MemoryLog, TestClock } from '../rig.js';

const PLAN: JsonSchema = {
  type: 'object',
  properties: { steps: { type: 'array', items: { type: 'string' }, minItems: 1 }, risk: { type: 'integer', minimum: 0, maximum: 3 } },
  required: ['steps', 'risk'],
  additionalProperties: false,
};
const GOOD = { steps: ['Read it'], risk: 1 };

function wanted(change: Partial<DataRequest> = {}): DataRequest {
  return {
    model: 'model-1',
    systemPrompt: 'You plan.',
    messages: [{ role: 'user', content: [text('Plan it.')], timestamp: '2026-01-01T00:00:00Z' }],
    tools: [],
    maxTokens: 4_096,
    output: PLAN,
    ...change,
  };
}

const askOf = (
  provider: Provider,
  change: Partial<DataRequest> = {},
  model: ModelInfo = TEST_MODEL,
  signal = new AbortController().signal,
): Promise<DataAnswer> => askForData(wanted(change), { provider, model, clock: new TestClock(), log: new MemoryLog(), signal });

function scripted(...scripts: readonly Script[]): { provider: ScriptedProvider; ask: (change?: Partial<DataRequest>) => Promise<DataAnswer> } {
  const provider = new ScriptedProvider(scripts);
  return { provider, ask: (change) => askOf(provider, change) };
}

const fenced = (value: unknown): string => `Here you are:\n\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\`\nTell me if {anything} is missing.`;

describe('data that a model is asked for', () => {
  test.each<[string, Script]>([
    ['alone', answers(JSON.stringify(GOOD))],
    ['in a fence among words', answers(fenced(GOOD))],
    ['behind thinking, in two blocks', [...thinks(0, '{"no": 1}'), ...says(1, '{"steps": ["Read it"],'), ...says(2, ' "risk": 1}'), ...stops('end_turn')]],
    ['behind an example that is not valid', answers(`For example {"steps": []}, or better ${JSON.stringify(GOOD)}`)],
  ])('is taken %s', async (_how, script) => {
    const { provider, ask } = scripted(script);
    expect(await ask()).toEqual({ end: 'data', value: GOOD, usage: expect.objectContaining({ inputTokens: 100, outputTokens: 10 }) as object });
    expect(provider.requests).toEqual([wanted()]);
  });

  test.each<[string, string, RegExp]>([
    ['no JSON', 'First I would read it.', /- it is not JSON/],
    ['other JSON', JSON.stringify({ steps: [1], risk: 9 }), /- steps\.0: .*expected string.*\n- risk: .*<=3/],
    ['a field too many', JSON.stringify({ ...GOOD, more: true }), /- the value: .*"more"/],
    ['a field too few', fenced({ risk: 1 }), /- steps: .*expected array, received undefined/],
  ])('is asked for once more with what is wrong: %s', async (_what, raw, problem) => {
    const { provider, ask } = scripted(answers(raw), answers(fenced(GOOD)));
    expect(await ask()).toMatchObject({ end: 'data', value: GOOD, usage: { inputTokens: 200, outputTokens: 20 } });
    const [first, second] = provider.requests;
    expect(second).toEqual({ ...first, messages: [...(first?.messages ?? []), expect.anything(), expect.anything()] });
    const [said, correction] = second?.messages.slice(-2) ?? [];
    expect(said).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: raw }] });
    const words = JSON.stringify(correction?.content[0]);
    expect((JSON.parse(words) as { text: string }).text).toMatch(problem);
    expect(words).toContain('additionalProperties');
  });

  test('is asked for once more where the answer was empty, without an empty message', async () => {
    const { provider, ask } = scripted([...stops('end_turn')], answers(JSON.stringify(GOOD)));
    expect(await ask()).toMatchObject({ end: 'data', value: GOOD });
    expect(provider.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'user']);
  });

  test('ends as invalid after the second answer, with what that was and what is wrong with it', async () => {
    const { provider, ask } = scripted(answers('No.'), answers('{"steps": [], "risk": 1}'));
    expect(await ask()).toMatchObject({ end: 'invalid', raw: '{"steps": [], "risk": 1}', problem: expect.stringMatching(/^- steps: /) as string });
    expect(provider.requests).toHaveLength(2);
  });

  test('ends as cut where the answer was, and is not gone on with', async () => {
    for (const script of [
      [...says(0, '{"steps": ["Re'), ...stops('length')],
      [...says(0, '{"steps": ["Re'), { type: 'stop' as const, stopReason: 'unknown' as const, rawStopReason: 'model_context_window_exceeded' }],
      // All of it would have been valid, but who knows what was to follow.
      [...says(0, JSON.stringify(GOOD)), ...stops('length')],
    ]) {
      const { provider, ask } = scripted(script);
      expect(await ask()).toMatchObject({ end: 'cut', raw: expect.stringContaining('"steps"') as string });
      expect(provider.requests).toHaveLength(1);
    }
    const { ask } = scripted(answers('No.'), [...says(0, '{"steps"'), ...stops('length')]);
    expect(await ask()).toMatchObject({ end: 'cut', raw: '{"steps"', usage: { outputTokens: 20 } });
  });

  test('ends as an error where the request failed or the model refused, with what had come', async () => {
    expect(await scripted([...says(0, '{"st'), new ProviderError('overloaded', 'Too much.')]).ask()).toMatchObject({
      end: 'error',
      raw: '{"st',
      error: { kind: 'overloaded' },
    });
    expect(await scripted([...says(0, 'I will not.'), { type: 'stop', stopReason: 'unknown', rawStopReason: 'refusal' }]).ask()).toMatchObject({
      end: 'error',
      raw: 'I will not.',
      error: { kind: 'refused_content' },
    });
    expect(await scripted(answers('No.'), [new Error('gone')]).ask()).toMatchObject({
      end: 'error',
      raw: '',
      error: { message: 'gone' },
      usage: { outputTokens: 10 },
    });
  });

  test('is data that fits or a problem in words, whatever was written', () => {
    const tree: JsonSchema = {
      ...PLAN,
      properties: { ...(PLAN['properties'] as object), inner: { $ref: '#/$defs/plan' } },
      $defs: { plan: { ...PLAN, $defs: {} } },
    };
    const written = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.json(),
      fc.tuple(fc.string({ maxLength: 10 }), fc.json(), fc.string({ maxLength: 10 })).map((parts) => parts.join('')),
      fc.constantFrom('__proto__', 'constructor', 'steps').map((name) => `{"${name}": {"steps": [], "risk": 1}, "steps": ["a"], "risk": 1}`),
    );
    const check = dataCheck(tree);
    fc.assert(
      fc.property(written, (raw) => {
        const checked = check(raw);
        if (checked.ok) expect(checked.value).toMatchObject({ steps: expect.any(Array) as unknown, risk: expect.any(Number) as unknown });
        else expect(checked.problem).toMatch(/^- /);
      }),
      { numRuns: runs(500) },
    );
  });

  test('is not taken from a call, which nobody asked for', async () => {
    const { ask } = scripted([...calls(0, 'c', { name: 'plan', args: GOOD }), ...stops('tool_use')], answers(JSON.stringify(GOOD)));
    expect(await ask()).toMatchObject({ end: 'data', value: GOOD });
  });

  test.each([1, 2])('ends as aborted in request %i, and nothing is asked after that', async (number) => {
    const latch = new Latch();
    const held: Script = [...says(0, JSON.stringify(GOOD)), latch, ...stops('end_turn')];
    const provider = new ScriptedProvider(number === 1 ? [held] : [answers('No.'), held]);
    const stop = new AbortController();
    const asking = askOf(provider, {}, TEST_MODEL, stop.signal);
    await latch.reached;
    stop.abort();
    latch.open();
    expect(await asking).toMatchObject({ end: 'aborted' });
    expect(provider.requests).toHaveLength(number);
  });

  test('is not asked for by a schema that cannot be read, or with a signal that has fired', async () => {
    const { provider, ask } = scripted();
    for (const output of [{ type: 'object', not: { type: 'string' } }, { $ref: 'https://example.com/x' }, { type: 'string', pattern: '(' }]) {
      await expect(ask({ output })).rejects.toThrow(InvalidDataError);
    }
    expect(provider.requests).toEqual([]);
    const server = await startModelServer({ script: () => reply().text('{}') });
    try {
      const anthropic = createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => server.url });
      expect(await askOf(anthropic, {}, TEST_MODEL, AbortSignal.abort())).toMatchObject({ end: 'aborted', raw: '' });
      expect(server.requests).toEqual([]);
    } finally {
      await server.close();
    }
  });

  test('is asked for in words of a model that is known to take no schema', async () => {
    const provider = new ScriptedProvider([answers('No.'), answers(JSON.stringify(GOOD))]);
    expect(await askOf(provider, {}, { ...TEST_MODEL, supportsOutputSchema: false })).toMatchObject({ end: 'data' });
    for (const { output, systemPrompt } of provider.requests) {
      expect(output).toBeUndefined();
      expect(systemPrompt).toMatch(/^You plan\.\n\nAnswer with one JSON value/);
    }
  });
});

interface Wire {
  readonly name: string;
  readonly model: string;
  readonly provider: () => Provider;
  /** Answers with a text each; those of requests with the field for the schema while it is refused are left for later. */
  readonly play: (options: { readonly refuses: boolean }, ...texts: readonly string[]) => void;
}

let messages: ModelServer;
let openAi: OpenAiServer;
beforeAll(async () => {
  [messages, openAi] = await Promise.all([startModelServer(), startOpenAiServer()]);
});
afterAll(() => Promise.all([messages.close(), openAi.close()]));
/** Whether each request of a test had the field for the schema. */
let fields: boolean[] = [];
beforeEach(() => {
  fields = [];
});

const REFUSAL = { message: 'This model does not support structured outputs.', type: 'invalid_request_error' };
const openAiWire = (name: string, preset: 'openai' | 'ollama', model: string): Wire => ({
  name,
  model,
  provider: () => createOpenAiProvider({ name: preset, preset: presetOf(preset), apiKey: () => Promise.resolve('k'), baseUrl: () => `${openAi.url}/v1` }),
  play: ({ refuses }, ...texts) => {
    const left = [...texts];
    openAi.setScript(({ path, body }): Reply => {
      const hasField = 'response_format' in body || 'text' in body;
      fields.push(hasField);
      if (refuses && hasField) return json({ error: REFUSAL }, 400);
      const next = left.shift() ?? '';
      return path.endsWith('/responses') ? response(said(next)) : sse(chunk({ content: next }), chunk({}, 'stop'), DONE);
    });
  },
});
const WIRES: readonly Wire[] = [
  {
    name: 'Messages',
    model: 'claude-opus-4-6',
    provider: () => createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => messages.url }),
    play: ({ refuses }, ...texts) => {
      const left = [...texts];
      messages.setScript(({ body }) => {
        fields.push('output_config' in body);
        return refuses && 'output_config' in body ? httpError(400, REFUSAL.type, REFUSAL.message) : reply().text(left.shift() ?? '');
      });
    },
  },
  openAiWire('chat completions', 'ollama', 'qwen3'),
  openAiWire('Responses', 'openai', 'gpt-5.6-terra'),
];

describe.each(WIRES)('over $name', ({ model, provider, play }) => {
  test('data comes by the field for the schema, also at the second try', async () => {
    play({ refuses: false }, '{"risk": 1}', JSON.stringify(GOOD));
    expect(await askOf(provider(), { model })).toMatchObject({ end: 'data', value: GOOD });
    expect(fields).toEqual([true, true]);
  });

  test('data comes in words once the field was refused, which is remembered', async () => {
    play({ refuses: true }, 'Sure!', fenced(GOOD), fenced(GOOD));
    const asked = provider();
    expect(await askOf(asked, { model })).toMatchObject({ end: 'data', value: GOOD });
    expect(await askOf(asked, { model })).toMatchObject({ end: 'data', value: GOOD });
    expect(fields).toEqual([true, false, false, false]);
  });

  test('what is not valid twice is told with the answer as it was', async () => {
    play({ refuses: false }, 'Sure!', 'Sorry.');
    expect(await askOf(provider(), { model })).toMatchObject({ end: 'invalid', raw: 'Sorry.' });
  });
});

describe('a stop', () => {
  test('closes the connection in the middle of the answer', async () => {
    const held = gate();
    messages.setScript(() => reply().text('{"steps": ', held, '[]}'));
    const stop = new AbortController();
    const n = messages.requests.length;
    const asking = askOf(WIRES[0]?.provider() as Provider, { model: 'claude-opus-4-6' }, TEST_MODEL, stop.signal);
    const { closedByClient } = await messages.request(n);
    await held.reached;
    stop.abort();
    expect(await asking).toMatchObject({ end: 'aborted' });
    expect(await closedByClient).toBe(true);
    held.open();
  });
});

describe('models without a field for schemas', () => {
  test('a model of VS Code is told in words', async () => {
    const fake = new FakeLm();
    fake.acts = [{ kind: 'text', deltas: [fenced(GOOD)] }];
    expect(await askOf(createVsCodeLmProvider(fake.api), { model: 'acme/m/1' })).toMatchObject({ end: 'data', value: GOOD });
    expect(JSON.stringify(fake.requests[0]?.messages)).toContain('JSON Schema');
  });

  test('the demo explains itself, which is no data', async () => {
    const answer = await askOf(createDemoProvider({ pace: { charactersPerSecond: Infinity } }), { model: 'demo' }, demoModel);
    expect(answer).toMatchObject({ end: 'invalid', raw: expect.stringContaining('offline demo') as string });
  });
});
