import { describe, expect, it } from 'vitest';
import { text, type ToolCallBlock } from '../../../../src/domain/model/content.js';
import { AbortError } from '../../../../src/domain/errors.js';
import { type Message, textContent } from '../../../../src/domain/model/message.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { createDemoProvider, demoModel } from '../../../../src/provider/demo/provider.js';

const TOOLS = ['bash', 'read', 'glob', 'edit'].map((name) => ({ name, description: name, parameters: {} }));
const AT_ONCE = { charactersPerSecond: Infinity };

function request(message: string, overrides: Partial<Request> = {}): Request {
  const messages: readonly Message[] = [{ role: 'user', content: [text(message)], timestamp: '2026-01-02T03:04:05Z' }];
  return { model: 'demo', systemPrompt: '', messages, tools: TOOLS, ...overrides };
}

async function answerTo(asked: Request) {
  const stream = createDemoProvider({ pace: AT_ONCE }).stream(asked, new AbortController().signal);
  while ((await stream.next()) !== undefined);
  return stream.message();
}

describe('what the demo takes as its job', () => {
  it.each([
    'Fix the failing test',
    'Den fehlschlagenden Test beheben',
    'Repariere bitte die Tests',
    'Behebe den Fehler in cart.js',
    'fix the tests',
    'Please make the tests pass!',
    'Can you get the test suite green?',
    'npm test fails, please repair the bug',
    'fix the failing test in src/a.js',
    'Continue by fixing it: fix the failing test',
  ])('%s', async (message) => {
    const answer = await answerTo(request(message));
    expect(answer.stopReason).toBe('tool_use');
    expect(textContent(answer)).toMatch(/script, not a language model.*No model is contacted/s);
  });

  it.each([
    'Hello',
    'Explain this file',
    'Write tests for the cart',
    "Don't fix the tests, just list them",
    'Never explain this project',
    'Einen Test schreiben für die Datei a.js',
    'Die Tests bitte nicht reparieren',
    'weiter',
    'continue',
    'How do I make coffee?',
    '',
  ])('not: %s', async (message) => {
    const answer = await answerTo(request(message));
    expect(answer.stopReason).toBe('end_turn');
    for (const words of ['No model was contacted', 'Gnomon: Set API Key', 'ANTHROPIC_API_KEY', 'Select Model', 'gnomon.anthropic.baseUrl']) {
      expect(textContent(answer)).toContain(words);
    }
  });

  it('says which tools it misses', async () => {
    expect(textContent(await answerTo(request('Fix the test', { tools: TOOLS.slice(1) })))).toMatch(/need the tools bash/);
  });
});

describe('what the demo is', () => {
  it('is free, uses no tokens and says so in the label', async () => {
    expect(demoModel.pricing).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
    expect(demoModel.label).toMatch(/scripted/i);
    expect((await answerTo(request('Fix the test'))).usage).toEqual(NO_USAGE);
  });

  it('thinks only when it is asked to', async () => {
    const types = async (thinking: boolean) =>
      (await answerTo(request('Fix the test', { effort: thinking ? 'low' : 'off' }))).content.map((block) => block.type);
    expect(await types(true)).toEqual(['thinking', 'text', 'tool_call']);
    expect(await types(false)).toEqual(['text', 'tool_call']);
  });

  it('takes the empty model name (P29) and refuses other names (P35) and bad numbers (P33)', async () => {
    expect((await answerTo(request('Hello', { model: '' }))).stopReason).toBe('end_turn');
    await expect(answerTo(request('Hello', { model: 'demo-2' }))).rejects.toThrow(/has no model "demo-2"/);
    await expect(answerTo(request('Hello', { temperature: 3 }))).rejects.toThrow('temperature');
  });

  it('gives every call an id of its own', async () => {
    const id = async () => (await answerTo(request('Fix the test'))).content.flatMap((block) => (block.type === 'tool_call' ? block.id : []))[0];
    expect(await id()).not.toBe(await id());
  });
});

describe('the stream of a demo answer', () => {
  const start = (signal = new AbortController().signal) => createDemoProvider({ pace: { charactersPerSecond: 50 } }).stream(request('Fix the test'), signal);

  it('P17 P21 P23 has no message before the first pull and none of its work when aborted before it', async () => {
    const stream = start(AbortSignal.abort());
    expect(() => stream.message()).toThrow('before the first next()');
    await expect(stream.next()).rejects.toThrow(AbortError);
    expect(stream.message()).toMatchObject({ stopReason: 'aborted', content: [] });
  });

  it('P24 close() unblocks a pending pull and keeps what came', async () => {
    const stream = start();
    await stream.next();
    const pending = stream.next();
    await Promise.all([stream.close(), expect(pending).rejects.toThrow(AbortError)]);
    expect(stream.state).toBe('closed');
    expect(stream.message().content).toHaveLength(1);
  });

  it('P24 leaving for await early closes it', async () => {
    const stream = start();
    for await (const event of stream) {
      expect(event.type).toBe('text_delta');
      break;
    }
    expect(stream.state).toBe('closed');
  });

  it('P50 announces the call it makes and ends it with the whole arguments', async () => {
    const stream = createDemoProvider({ pace: AT_ONCE }).stream(request('Fix the test'), new AbortController().signal);
    const calls: ToolCallBlock[] = [];
    let json = '';
    for await (const event of stream) {
      if (event.type === 'tool_call_delta') json += event.delta;
      if (event.type === 'tool_call_end') calls.push(event.call);
    }
    expect(calls).toEqual([expect.objectContaining({ name: 'read', arguments: '{"file_path":"package.json"}' })]);
    expect(json).toBe(calls[0]?.arguments);
    expect(stream.message().content.at(-1)).toEqual(calls[0]);
  });
});

describe('the pace', () => {
  it('waits in proportion to the text, in small deltas', async () => {
    const waits: number[] = [];
    const pace = { charactersPerSecond: 100, wait: (ms: number) => Promise.resolve(void waits.push(ms)) };
    const stream = createDemoProvider({ pace }).stream(request('Hello'), new AbortController().signal);
    const deltas: string[] = [];
    for await (const event of stream) if (event.type === 'text_delta') deltas.push(event.delta);
    expect(deltas.join('')).toBe(textContent(stream.message()));
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(deltas.join('').length * 10);
    expect(Math.max(...deltas.map((delta) => delta.length))).toBeLessThan(60);
  });

  it('stops at once while it waits, and keeps what came (stream-19)', async () => {
    const abort = new AbortController();
    const start = (signal: AbortSignal) => createDemoProvider({ pace: { charactersPerSecond: 20 } }).stream(request('Hello'), signal);
    const [stopped, other] = [start(abort.signal), start(new AbortController().signal)];
    await Promise.all([stopped.next(), other.next()]);
    // The other one waits for its next letters as long as the one that is stopped would.
    const order: string[] = [];
    const stop = expect(stopped.next().finally(() => order.push('stopped'))).rejects.toThrow(AbortError);
    const goesOn = other.next().then(() => order.push('went on'));
    abort.abort();
    await Promise.all([stop, goesOn]);
    await other.close();
    expect(order).toEqual(['stopped', 'went on']);
    expect(stopped.message().stopReason).toBe('aborted');
    expect(textContent(stopped.message())).toMatch(/^I/);
  });
});

describe('a summary', () => {
  it('keeps what the person asked for and calls no tool', async () => {
    const lines = [JSON.stringify({ role: 'user', text: 'Fix the failing test' }), JSON.stringify({ role: 'assistant', text: 'Done.' })];
    const asked = { ...request(`The transcript:\n${lines.join('\n')}`), systemPrompt: 'You summarize the working transcript.', tools: [] };
    const { content } = await answerTo(asked);
    expect(content).toHaveLength(1);
    expect(JSON.stringify(content)).toContain('- Fix the failing test');
    expect(JSON.stringify(content)).not.toContain('Done.');
  });
});
