import type { Gate } from '../model-server/index.js';
import { type SseReply, type Step, sse } from '../openai-server/reply.js';

/** One delta, or a place where the answer holds. */
type Delta = string | Gate;

/** An item of an answer: how it begins, its deltas, and how it is when it is whole. */
export interface Output {
  readonly item: Readonly<Record<string, unknown>>;
  readonly begun: Readonly<Record<string, unknown>>;
  /** The events of its deltas, without the numbers that its place gives them. */
  readonly deltas: readonly (Gate | Readonly<Record<string, unknown>>)[];
}

let made = 0;

function newId(prefix: string): string {
  made += 1;
  return `${prefix}_${String(made).padStart(24, '0')}`;
}

/** Reasoning with the parts of its summary, each in one delta. */
export function reasoning(...summaries: readonly string[]): Output {
  const id = newId('rs');
  const summary = summaries.map((text) => ({ type: 'summary_text', text }));
  const deltas = summaries.flatMap((delta, summary_index) => [
    { type: 'response.reasoning_summary_part.added', summary_index, part: { type: 'summary_text', text: '' } },
    { type: 'response.reasoning_summary_text.delta', summary_index, delta },
    { type: 'response.reasoning_summary_text.done', summary_index, text: delta },
  ]);
  // What is there at the beginning is not yet what has to go back.
  return {
    item: { id, type: 'reasoning', summary, encrypted_content: `gAAAA+/${id}==` },
    begun: { id, type: 'reasoning', summary: [], encrypted_content: 'gAAAAunfinished' },
    deltas,
  };
}

/** A text, in deltas. */
export function said(...deltas: readonly Delta[]): Output {
  return message('output_text', deltas);
}

/** A text with its phase. */
export function saidAs(phase: string, ...deltas: readonly string[]): Output {
  const plain = message('output_text', deltas);
  return { ...plain, item: { ...plain.item, phase }, begun: { ...plain.begun, phase } };
}

/** Words of refusal, in deltas. */
export function refused(...deltas: readonly string[]): Output {
  return message('refusal', deltas);
}

function message(kind: 'output_text' | 'refusal', deltas: readonly Delta[]): Output {
  const base = { id: newId('msg'), type: 'message', role: 'assistant' };
  const words = joined(deltas);
  const content = kind === 'refusal' ? [{ type: kind, refusal: words }] : [{ type: kind, text: words, annotations: [], logprobs: [] }];
  const name = kind === 'refusal' ? 'refusal' : 'output_text';
  return {
    item: { ...base, status: 'completed', content },
    begun: { ...base, status: 'in_progress', content: [] },
    deltas: deltas.map((delta) =>
      typeof delta === 'string' ? { type: `response.${name}.delta`, content_index: 0, delta, logprobs: [], obfuscation: 'x7' } : delta,
    ),
  };
}

/** A call with its arguments, in deltas. */
export function called(call_id: string, name: string, ...deltas: readonly Delta[]): Output {
  const base = { id: newId('fc'), type: 'function_call', call_id, name };
  return {
    item: { ...base, status: 'completed', arguments: joined(deltas) },
    begun: { ...base, status: 'in_progress', arguments: '' },
    deltas: deltas.map((delta) => (typeof delta === 'string' ? { type: 'response.function_call_arguments.delta', delta } : delta)),
  };
}

/** An item that Gnomon asks for in no way. */
export function searched(): Output {
  const item = { id: newId('ws'), type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } };
  return { item, begun: item, deltas: [{ type: 'response.web_search_call.searching' }] };
}

/** 100 tokens read, 40 of them from a cache, and 20 written, 5 of them reasoning. */
export const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 120,
};

/** An event as it goes over the wire. */
export function event(type: string, fields: object = {}): Step {
  return { raw: `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 1, ...fields })}\n\n` };
}

/** A whole answer. */
export function answer(...outputs: readonly Output[]): SseReply {
  return sse(...begin(), ...outputs.flatMap((output, place) => stepsOf(output, place)), completed(outputs));
}

/** A whole answer whose items begin one after another, and whose deltas then take turns. */
export function interleaved(...outputs: readonly Output[]): SseReply {
  const middle: Step[] = [];
  const queues = outputs.map((output, place) => deltasOf(output, place));
  while (queues.some((queue) => queue.length > 0)) for (const queue of queues) middle.push(...queue.splice(0, 1));
  return sse(...begin(), ...outputs.map(added), ...middle, ...outputs.map(done), completed(outputs));
}

/** The beginning of an answer with these items, behind which a test writes its end. */
export function begun(...outputs: readonly Output[]): readonly Step[] {
  return [...begin(), ...outputs.flatMap((output, place) => stepsOf(output, place))];
}

/** Announces an item without its end, with what came of it. */
export function open(output: Output, place: number): readonly Step[] {
  return [added(output, place), ...deltasOf(output, place)];
}

function begin(): readonly Step[] {
  const response = { id: 'resp_1', object: 'response', status: 'in_progress', output: [], error: null, usage: null };
  return [
    event('response.created', { response }),
    event('response.in_progress', { response }),
    event('response.of_next_year', { output_index: 0, delta: 'not for us' }),
  ];
}

function stepsOf(output: Output, place: number): readonly Step[] {
  return [...open(output, place), done(output, place)];
}

function added({ begun: item }: Output, output_index: number): Step {
  return event('response.output_item.added', { output_index, item });
}

function done({ item }: Output, output_index: number): Step {
  return event('response.output_item.done', { output_index, item });
}

function deltasOf({ deltas, item }: Output, output_index: number): Step[] {
  return deltas.map((delta) => ('pass' in delta ? (delta as Gate) : event((delta as { type: string }).type, { ...delta, item_id: item['id'], output_index })));
}

function completed(outputs: readonly Output[]): Step {
  return event('response.completed', {
    response: {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: outputs.map(({ item }) => item),
      error: null,
      incomplete_details: null,
      usage: USAGE,
    },
  });
}

function joined(deltas: readonly Delta[]): string {
  return deltas.map((delta) => (typeof delta === 'string' ? delta : '')).join('');
}
