import type Anthropic from '@anthropic-ai/sdk';
import { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
import type { Message } from '../../src/domain/model/message.js';
import type { ModelInfo, Provider } from '../../src/domain/model/provider.js';
import type { StreamPart } from '../../src/domain/model/event-stream.js';
import { createAgentSession } from '../../src/engine/live-session.js';
import { buildRequest } from '../../src/engine/wire.js';
import { EventReader } from '../../src/provider/anthropic/stream.js';
import { PartStream } from '../../src/provider/part-stream.js';
import { memorySession } from '../support/memory-session.js';
import { type Figure, median, medianFigure } from './figure.js';
import { USUAL_EFFORTS } from '../../src/domain/model/effort.js';
import { measureResponses } from './responses.js';

const ROUNDS = 200;
const MESSAGES = 2_000;
const DELTAS = 100_000;
const RUNS = 7;

const MODEL: ModelInfo = {
  provider: 'instant',
  id: 'instant',
  label: 'Instant',
  contextWindow: 10_000_000,
  maxOutputTokens: 64_000,
  efforts: USUAL_EFFORTS,
  supportsImages: true,
  supportsTools: true,
};
const NOW = '2026-01-01T00:00:00Z';

/** What the engine itself costs: a round, a request, an answer. */
export async function measureEngine(): Promise<readonly Figure[]> {
  await loop(ROUNDS);
  const rounds = await runs(RUNS, () => loop(ROUNDS));
  const requests = await runs(RUNS, () => Promise.resolve(request()));
  return [
    medianFigure('loop_overhead_per_round', rounds, { unit: 'ms', goal: 2 }),
    medianFigure('request_of_2000_messages', requests, { unit: 'ms', goal: 20 }),
    await accumulating(),
    await measureResponses(),
  ];
}

async function runs(count: number, measure: () => Promise<number>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let run = 0; run < count; run += 1) times.push(await measure());
  return times;
}

/** Milliseconds per round of a turn whose model and tool take no time. */
async function loop(rounds: number): Promise<number> {
  const tool = {
    spec: { name: 'read', description: 'Reads.', parameters: { type: 'object' } },
    plan: (args: unknown) => Promise.resolve({ tool: 'read', subject: 'x', args, accesses: [], preview: { kind: 'none' as const }, changes: [] }),
    execute: () => Promise.resolve({ content: [{ type: 'text' as const, text: 'ok' }], isError: false }),
  };
  const needs = memorySession({ systemPrompt: 'Be good.', tools: [tool], maxRounds: rounds + 1 });
  const session = createAgentSession({ ...needs, provider: instant(rounds), model: MODEL });
  const start = performance.now();
  const turn = await session.send([{ type: 'text', text: 'go' }]).turn;
  const time = performance.now() - start;
  if (turn.rounds !== rounds || turn.end !== 'end_turn') throw new Error(`The turn ended as ${turn.end} after ${turn.rounds} rounds.`);
  return time / rounds;
}

/** Calls the tool in each round, with other arguments each time, and says something in the last one. */
function instant(rounds: number): Provider {
  let round = 0;
  return {
    name: MODEL.provider,
    stream: (_request, signal) => {
      round += 1;
      return new PartStream(() => arriving(round < rounds ? callOf(round) : words()), signal);
    },
  };
}

function callOf(round: number): readonly StreamPart[] {
  return [
    { type: 'tool_call_begin', index: 0, id: `call_${round}`, name: 'read' },
    { type: 'tool_call_delta', index: 0, delta: `{"path":"file-${round}.ts"}` },
    { type: 'block_end', index: 0 },
    { type: 'stop', stopReason: 'tool_use', rawStopReason: 'tool_use' },
  ];
}

function words(): readonly StreamPart[] {
  return [
    { type: 'text', index: 0, delta: 'Done.' },
    { type: 'block_end', index: 0 },
    { type: 'stop', stopReason: 'end_turn', rawStopReason: 'end_turn' },
  ];
}

/** Items that are all there, one a pull, as from a socket that is fast enough. */
function arriving<T>(items: readonly T[]): AsyncIterable<T> {
  let at = 0;
  const next = (): Promise<IteratorResult<T, undefined>> => {
    const value = items[at];
    at += 1;
    return Promise.resolve(value === undefined ? { done: true, value: undefined } : { done: false, value });
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => Promise.resolve({ done: true, value: undefined }) }) };
}

/** Milliseconds to make the request of a long session whose messages were never sent before. */
function request(): number {
  const messages = conversation(MESSAGES);
  const target = { model: MODEL, modelOf: () => 'instant/instant' };
  const start = performance.now();
  const made = buildRequest({ systemPrompt: 'Be good.', messages, tools: [], effort: 'medium' }, target);
  const time = performance.now() - start;
  if (made.messages.length !== MESSAGES) throw new Error(`The request has ${made.messages.length} messages.`);
  return time;
}

/** A conversation of one question and rounds of a call with its result, 2 KB each. */
function conversation(count: number): readonly Message[] {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const long = 'A line of a file that was read, as long as lines are.\n'.repeat(40);
  const first: Message = { role: 'user', content: [{ type: 'text', text: 'Go.' }], timestamp: NOW };
  return Array.from({ length: count }, (_, index): Message => {
    const id = `call_${Math.ceil(index / 2)}`;
    if (index === 0) return first;
    if (index % 2 === 0)
      return { role: 'tool_result', toolCallId: id, toolName: 'read', content: [{ type: 'text', text: long }], isError: false, timestamp: NOW };
    const call = { type: 'tool_call' as const, id, name: 'read', arguments: JSON.stringify({ path: `file-${index}.ts`, text: long }) };
    const said = { type: 'text' as const, text: 'Let me look.' };
    if (index === count - 1) return { role: 'user', content: [said], timestamp: NOW };
    return { role: 'assistant', content: [said, call], stopReason: 'tool_use', rawStopReason: 'tool_use', usage, timestamp: NOW };
  });
}

/** Our assembly of an answer of many deltas against the SDK's own, on the same events. The runs take turns. */
async function accumulating(): Promise<Figure> {
  // Made anew for each run: the SDK writes into what it gets.
  await withSdk(eventsOf(DELTAS));
  await withOurs(eventsOf(DELTAS));
  const ratios: number[] = [];
  const ours: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const sdk = await withSdk(eventsOf(DELTAS));
    const own = await withOurs(eventsOf(DELTAS));
    ours.push(own);
    ratios.push(own / sdk);
  }
  const note = `${median(ours).toFixed(0)} ms for ${DELTAS} deltas, ${RUNS} runs`;
  return { name: 'accumulate_100000_deltas', value: median(ratios), unit: '× bare SDK', goal: 1.3, note };
}

function eventsOf(count: number): readonly Anthropic.RawMessageStreamEvent[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null, stop_sequence: null, usage };
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...Array.from({ length: count }, (_, n) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `word ${n} ` } })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: count } },
    { type: 'message_stop' },
  ];
  // The SDK's types demand dozens of fields that neither side reads.
  return events as unknown as readonly Anthropic.RawMessageStreamEvent[];
}

async function withOurs(events: readonly Anthropic.RawMessageStreamEvent[]): Promise<number> {
  const start = performance.now();
  const reader = new EventReader();
  const source = { [Symbol.asyncIterator]: () => read(arriving(events)[Symbol.asyncIterator](), reader) };
  const stream = new PartStream(() => source, new AbortController().signal);
  let deltas = 0;
  for (let event = await stream.next(); event !== undefined; event = await stream.next()) deltas += event.type === 'text_delta' ? 1 : 0;
  const { content } = stream.message();
  const time = performance.now() - start;
  // An answer begins with the delta of its block's start, which may be empty.
  if (deltas < DELTAS || content.length !== 1) throw new Error(`There are ${deltas} deltas.`);
  return time;
}

/** As the provider reads: without an await between an event and its parts. */
function read(events: AsyncIterator<Anthropic.RawMessageStreamEvent>, reader: EventReader): AsyncIterator<StreamPart | readonly StreamPart[]> {
  return {
    next: () => events.next().then((step) => (step.done === true ? { done: true, value: undefined } : { done: false, value: reader.read(step.value) })),
  };
}

async function withSdk(events: readonly Anthropic.RawMessageStreamEvent[]): Promise<number> {
  const start = performance.now();
  const data = Object.assign(arriving(events), { controller: new AbortController() });
  const answer = { data, response: new Response(''), request_id: null };
  const messages = { create: () => ({ withResponse: () => Promise.resolve(answer) }) } as unknown as Anthropic.Messages;
  const stream = MessageStream.createMessage(messages, { model: 'x', max_tokens: 1, messages: [], stream: true }, {});
  let deltas = 0;
  stream.on('text', () => (deltas += 1));
  const { content } = await stream.finalMessage();
  const time = performance.now() - start;
  if (deltas !== DELTAS || content.length !== 1) throw new Error(`The SDK got ${deltas} deltas.`);
  return time;
}
