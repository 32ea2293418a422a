import { OpenAI } from 'openai';
import { presetOf } from '../../src/provider/openai/models/presets.js';
import { createOpenAiProvider } from '../../src/provider/openai/provider.js';
import { frame } from '../support/openai-server/reply.js';
import { type Figure, median } from './figure.js';

const DELTAS = 30_000;
const RUNS = 9;
/** Bytes that arrive at once, as from a fast connection. */
const PIECE = 16 * 1024;

/**
 * A long answer over Responses from its bytes to the message, against the bare SDK whose events are only counted. Both read
 * the same bytes without a network, and the runs take turns.
 */
export async function measureResponses(): Promise<Figure> {
  const pieces = answerBytes();
  const fetchAnswer = (): Promise<Response> => Promise.resolve(new Response(arriving(pieces), { headers: { 'content-type': 'text/event-stream' } }));
  for (let run = 0; run < 3; run += 1) {
    await withSdk(fetchAnswer);
    await withOurs(fetchAnswer);
  }
  const ratios: number[] = [];
  const ours: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const sdk = await withSdk(fetchAnswer);
    const own = await withOurs(fetchAnswer);
    ours.push(own);
    ratios.push(own / sdk);
  }
  const note = `${median(ours).toFixed(0)} ms for ${DELTAS} deltas, ${RUNS} runs`;
  return { name: 'responses_accumulate_ratio', value: median(ratios), unit: '× bare SDK', goal: 1.3, note };
}

function answerBytes(): readonly Uint8Array[] {
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  const delta = (n: number): string =>
    frame({
      type: 'response.output_text.delta',
      sequence_number: n,
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta: `word ${n} `,
      logprobs: [],
      obfuscation: 'aQ2xVb',
    });
  const text = [
    frame({ type: 'response.created', response: { id: 'resp_1', object: 'response', status: 'in_progress', output: [] } }),
    frame({ type: 'response.output_item.added', output_index: 0, item }),
    ...Array.from({ length: DELTAS }, (_, n) => delta(n)),
    frame({ type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } }),
    frame({
      type: 'response.completed',
      response: { id: 'resp_1', object: 'response', status: 'completed', output: [], usage: { input_tokens: 1, output_tokens: DELTAS } },
    }),
  ].join('');
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, n) => bytes.subarray(n * PIECE, (n + 1) * PIECE));
}

function arriving(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      const piece = pieces[at++];
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
}

async function withOurs(fetchAnswer: typeof fetch): Promise<number> {
  const provider = createOpenAiProvider({
    name: 'openai',
    preset: presetOf('openai'),
    apiKey: () => Promise.resolve('k'),
    baseUrl: () => undefined,
    fetch: fetchAnswer,
  });
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }], timestamp: '2026-01-01T00:00:00Z' }];
  const start = performance.now();
  const stream = provider.stream({ model: 'gpt-5.6-terra', systemPrompt: '', messages, tools: [] }, new AbortController().signal);
  let deltas = 0;
  for (let event = await stream.next(); event !== undefined; event = await stream.next()) deltas += event.type === 'text_delta' ? 1 : 0;
  const { content } = stream.message();
  const time = performance.now() - start;
  if (deltas !== DELTAS || content.length !== 1) throw new Error(`There are ${deltas} deltas.`);
  return time;
}

async function withSdk(fetchAnswer: typeof fetch): Promise<number> {
  const client = new OpenAI({ apiKey: 'k', baseURL: 'https://api.openai.com/v1', fetch: fetchAnswer });
  const start = performance.now();
  const stream = await client.responses.create({ model: 'gpt-5.6-terra', input: 'Hello', stream: true });
  let deltas = 0;
  for await (const event of stream) deltas += event.type === 'response.output_text.delta' ? 1 : 0;
  const time = performance.now() - start;
  if (deltas !== DELTAS) throw new Error(`The SDK got ${deltas} deltas.`);
  return time;
}
