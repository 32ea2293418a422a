import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ModelInfo } from '../../../../src/domain/model/provider.js';
import type { SessionEvent } from '../../../../src/engine/events.js';
import { withServedWindow } from '../../../../src/provider/openai/models/models.js';
import { listModels } from '../../../../src/provider/openai/models/list-models.js';
import { createOpenAiProvider } from '../../../../src/provider/openai/provider.js';
import { type ChatRequest, type OpenAiServer, chunk, FakeOllama, startOpenAiServer } from '../../../support/openai-server/index.js';
import { never, optionsFor } from '../../provider/openai/rig.js';
import { type Rig, ok, rig, testTool } from '../rig.js';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

/** A session on the real provider with the model as an Ollama lists it. */
async function start(ollama: FakeOllama): Promise<Rig & { readonly model: ModelInfo }> {
  server.setScript(ollama.script);
  const options = optionsFor(server, 'ollama');
  const [model] = await listModels(options, never());
  if (model === undefined) throw new Error('Ollama listed no model.');
  const it = rig({ autoCompactPercent: 85, tools: [testTool('read', { execute: () => ok('word '.repeat(1_000)) })] });
  it.session.setModel(withServedWindow(createOpenAiProvider(options), options), model);
  return { ...it, model };
}

const says = (words: string) => (): readonly ReturnType<typeof chunk>[] => [chunk({ role: 'assistant', content: words })];
const text = (words: string): { type: 'text'; text: string }[] => [{ type: 'text', text: words }];
const isSummary = ({ body }: ChatRequest): boolean => JSON.stringify(body).includes('You summarize');
const cuts = (events: readonly SessionEvent[]): readonly SessionEvent[] => events.filter(({ type }) => type === 'context_cut');

describe('the window that Ollama gives', () => {
  test('is not known before the model is loaded, and right from the first answer on', async () => {
    const ollama = new FakeOllama(4_096, says('Hello.'));
    const { session, events, model } = await start(ollama);
    expect(model).toMatchObject({ contextWindow: 0, maxOutputTokens: 8_192 });
    expect(session.context).toBeUndefined();
    await session.send(text('Hi')).turn;
    expect(session.context?.limit).toBe(Math.floor(4_096 * 0.8));
    expect(events).toContainEqual({ type: 'context', context: session.context, who: session.identity });
    // Another start of the server with more room is noticed with the next message.
    ollama.window = 65_536;
    await session.send(text('Hi again')).turn;
    expect(session.context?.limit).toBe(65_536 - 8_192);
    expect(cuts(events)).toEqual([]);
  });

  test('is kept within from the second round on, so that nothing is cut', async () => {
    let reads = 0;
    const ollama = new FakeOllama(4_096, (request) => {
      if (isSummary(request)) return [chunk({ content: 'It was about words.' })];
      reads += 1;
      return reads > 4
        ? [chunk({ content: 'Done.' })]
        : [chunk({ tool_calls: [{ index: 0, id: `c${reads}`, type: 'function', function: { name: 'read', arguments: `{"on":"${reads}"}` } }] })];
    });
    const { session, events } = await start(ollama);
    expect(await session.send(text('Read it four times.')).turn).toMatchObject({ end: 'end_turn' });
    expect(events.filter(({ type }) => type === 'compacted').length).toBeGreaterThan(0);
    expect(ollama.read.every((words) => words.split(' ').length < ollama.window)).toBe(true);
  });

  test('a message that was cut is told of once, and the next request is summarized', async () => {
    const ollama = new FakeOllama(4_096, (request) => [chunk({ content: isSummary(request) ? 'It was about words.' : 'Yes.' })]);
    const { session, events } = await start(ollama);
    await session.send(text(`BEGIN ${'lorem ipsum '.repeat(5_000)}`)).turn;
    expect(ollama.read[0]).not.toContain('BEGIN');
    expect(cuts(events)).toEqual([
      { type: 'context_cut', model: 'qwen3:8b', tokens: 4_096, advice: expect.stringContaining('OLLAMA_CONTEXT_LENGTH') as string, who: session.identity },
    ]);
    // What the server counted is not the size of the chat.
    expect(session.context?.used).toBeGreaterThan(9_000);
    const before = ollama.read.length;
    await session.send(text('And now?')).turn;
    expect(events.map(({ type }) => type)).toContain('compacted');
    expect(ollama.read.length - before).toBeGreaterThan(1);
    expect(ollama.read.at(-1)).toContain('It was about words');
    expect(ollama.read.at(-1)).toContain('And now');
    await session.send(text('Thanks.')).turn;
    expect(cuts(events)).toHaveLength(1);
  });

  test('a server that truncates to half of its window is believed in what it read', async () => {
    const ollama = new FakeOllama(65_536, says('Yes.'));
    const { session, events } = await start(ollama);
    await session.send(text('Hi')).turn;
    // It still says 65,536.
    const half = new FakeOllama(4_000, says('Yes.'));
    server.setScript((request) => (request.path === '/api/ps' ? ollama.script(request) : half.script(request)));
    await session.send(text('lorem ipsum '.repeat(5_000))).turn;
    expect(cuts(events)).toHaveLength(1);
    expect(session.context?.limit).toBe(3_200);
  });

  test('a server that does not tell, or tells nonsense, changes nothing', async () => {
    for (const body of ['', '[]', '{"models":[{"model":"qwen3:8b","context_length":"much"}]}', '{"models":7}']) {
      const ollama = new FakeOllama(4_096, says('Hello.'));
      const { session } = await start(ollama);
      server.setScript((request) => (request.path === '/api/ps' ? { kind: 'plain', status: 200, headers: {}, body } : ollama.script(request)));
      expect(await session.send(text('Hi')).turn).toMatchObject({ end: 'end_turn' });
      expect(session.context).toBeUndefined();
    }
  });
});
