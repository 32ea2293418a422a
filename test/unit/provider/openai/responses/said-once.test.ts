import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../../../src/domain/errors.js';
import { Accumulator } from '../../../../../src/domain/model/accumulator.js';
import type { AssistantMessage } from '../../../../../src/domain/model/message.js';
import { EventReader } from '../../../../../src/provider/openai/responses/event-reader.js';
import { runs } from '../../../../support/runs.js';

type Event = Readonly<Record<string, unknown>>;

const NOW = '2026-01-02T03:04:05.678Z';

/** What the provider makes of these events. */
function messageOf(events: readonly Event[]): AssistantMessage {
  const reader = new EventReader();
  const accumulator = new Accumulator();
  const add = (parts: ReturnType<EventReader['read']>): void => {
    for (const part of 'type' in parts ? [parts] : parts) accumulator.add(part);
  };
  for (const event of events) add(reader.read(event));
  add(reader.finish());
  accumulator.finish();
  return accumulator.message(NOW);
}

function failureOf(events: readonly Event[]): unknown {
  try {
    return messageOf(events);
  } catch (error) {
    return error;
  }
}

const completed = (...output: readonly object[]): Event => ({ type: 'response.completed', response: { output } });

/** An item, in each of the ways in which a server may say it. */
interface Item {
  readonly kind: 'text' | 'refusal' | 'call' | 'thinking' | 'reasoning_text';
  readonly words: readonly string[];
}

const ITEM = fc.record<Item>({
  kind: fc.constantFrom('text', 'refusal', 'call', 'thinking', 'reasoning_text'),
  words: fc.array(fc.stringMatching(/^[a-z "\\é]{2,9}$/), { minLength: 1, maxLength: 3 }),
});

const TYPES = {
  text: { item: 'message', event: 'response.output_text', part: 'output_text', number: 'content_index' },
  refusal: { item: 'message', event: 'response.refusal', part: 'refusal', number: 'content_index' },
  thinking: { item: 'reasoning', event: 'response.reasoning_summary_text', part: 'summary_text', number: 'summary_index' },
  reasoning_text: { item: 'reasoning', event: 'response.reasoning_text', part: 'reasoning_text', number: 'content_index' },
} as const;

/** Where an item speaks, and how it is told from others. */
interface Ways {
  readonly delta: boolean;
  readonly part: boolean;
  readonly item: boolean;
  readonly output: boolean;
}

const WAYS = fc
  .record<Ways>({ delta: fc.boolean(), part: fc.boolean(), item: fc.boolean(), output: fc.boolean() })
  .filter((ways) => Object.values(ways).includes(true));

function argumentsText({ words }: Item): string {
  return JSON.stringify({ words });
}

function itemOf(item: Item, place: number, says: boolean): object {
  const id = `item_${place}`;
  if (item.kind === 'call')
    return {
      id,
      type: 'function_call',
      call_id: `c${place}`,
      name: 'read',
      status: says ? 'completed' : 'in_progress',
      arguments: says ? argumentsText(item) : '',
    };
  const { item: type, part } = TYPES[item.kind];
  const parts = says ? item.words.map((words) => ({ type: part, [item.kind === 'refusal' ? 'refusal' : 'text']: words })) : [];
  return { id, type, ...(item.kind === 'thinking' ? { summary: parts } : { content: parts, summary: [] }) };
}

/** Cuts a text in two. */
function halves(words: string): readonly string[] {
  return [words.slice(0, 1), words.slice(1)];
}

/** The deltas and the whole parts of an item. */
function spoken(item: Item, ways: Ways): readonly Event[] {
  if (item.kind === 'call') {
    const type = 'response.function_call_arguments';
    const deltas = ways.delta ? halves(argumentsText(item)).map((delta) => ({ type: `${type}.delta`, delta })) : [];
    return [...deltas, ...(ways.part ? [{ type: `${type}.done`, arguments: argumentsText(item) }] : [])];
  }
  const { event, number } = TYPES[item.kind];
  const field = item.kind === 'refusal' ? 'refusal' : 'text';
  return item.words.flatMap((words, at): Event[] => [
    ...(ways.delta ? halves(words).map((delta) => ({ type: `${event}.delta`, [number]: at, delta })) : []),
    ...(ways.part ? [{ type: `${event}.done`, [number]: at, [field]: words }] : []),
  ]);
}

/** The block that an item must become. */
function blockOf(item: Item, place: number): object {
  if (item.kind === 'call') return { type: 'tool_call', id: `c${place}`, name: 'read', arguments: argumentsText(item) };
  return item.kind === 'text' || item.kind === 'refusal'
    ? { type: 'text', text: item.words.join('') }
    : { type: 'thinking', thinking: item.words.join('\n\n') };
}

/** Events of several items, which take turns as the numbers say. */
function mixed(queues: readonly (readonly Event[])[], turns: readonly number[]): readonly Event[] {
  const left = queues.map((queue) => [...queue]);
  const out: Event[] = [];
  for (let turn = 0; left.some((queue) => queue.length > 0); turn += 1) {
    const open = left.filter((queue) => queue.length > 0);
    out.push(...(open[(turns[turn % turns.length] ?? 0) % open.length] ?? []).splice(0, 1));
  }
  return out;
}

const ANSWER = fc.record({
  items: fc.array(fc.tuple(ITEM, WAYS), { minLength: 1, maxLength: 4 }),
  marks: fc.constantFrom('number and id', 'number', 'id', 'number and another id each time'),
  turns: fc.array(fc.nat(5), { minLength: 1, maxLength: 12 }),
  wholeFirst: fc.boolean(),
});

describe('an answer over Responses', () => {
  it('is the same message whatever part of it comes as deltas, whole parts, whole items, or only at the end', () => {
    fc.assert(
      fc.property(ANSWER, ({ items, marks, turns, wholeFirst }) => {
        let made = 0;
        const marked = (place: number): object => ({
          ...(marks === 'id' ? {} : { output_index: place }),
          ...(marks === 'number' ? {} : { item_id: marks === 'number and another id each time' ? `other_${(made += 1)}` : `item_${place}` }),
        });
        const announced = items.map(([item], place) => ({ type: 'response.output_item.added', ...marked(place), item: itemOf(item, place, false) }));
        const queues = items.map(([item, ways], place) => {
          const events = spoken(item, ways).map((event) => ({ ...event, ...marked(place) }));
          const done = ways.item ? [{ type: 'response.output_item.done', ...marked(place), item: itemOf(item, place, true) }] : [];
          return wholeFirst ? [...done, ...events] : [...events, ...done];
        });
        const output = items.flatMap(([item, ways], place) => [itemOf(item, place, ways.output)]);
        const silent = items.every(([, ways]) => !ways.output);
        const { content } = messageOf([...announced, ...mixed(queues, turns), silent ? completed() : completed(...output)]);
        expect(content).toEqual(items.map(([item], place) => blockOf(item, place)));
      }),
      { numRuns: runs(400) },
    );
  });

  it('is whole when only its end has it, and so is one that nothing announced', () => {
    const items: Item[] = [
      { kind: 'thinking', words: ['One', 'Two'] },
      { kind: 'text', words: ['Text'] },
      { kind: 'call', words: ['a'] },
    ];
    const expected = items.map(blockOf);
    const output = items.map((item, place) => itemOf(item, place, true));
    expect(messageOf([completed(...output)]).content).toEqual(expected);
    const alone = { type: 'response.output_text.done', item_id: 'item_1', output_index: 1, content_index: 0, text: 'Text' };
    expect(messageOf([alone, completed(...output)]).content).toEqual(expected);
    expect(messageOf([alone, completed()]).content).toEqual([expected[1]]);
  });
});

const call = (id: string, call_id: string, more: object = {}): object => ({ type: 'function_call', id, call_id, name: 'read', ...more });
const added = (item: object, more: object = {}): Event => ({ type: 'response.output_item.added', item, ...more });
const argued = (delta: string, more: object = {}): Event => ({ type: 'response.function_call_arguments.delta', delta, ...more });
const argumentsDone = (whole: string, more: object = {}): Event => ({ type: 'response.function_call_arguments.done', arguments: whole, ...more });

describe('a call', () => {
  it.each<[string, readonly Event[]]>([
    ['announced only', [added(call('f1', 'c1', { arguments: '' }), { output_index: 0 }), completed()]],
    ['whole without the field', [{ type: 'response.output_item.done', output_index: 0, item: call('f1', 'c1', { status: 'completed' }) }, completed()]],
    ['in the output without the field', [completed(call('f1', 'c1'))]],
  ])('whose arguments never came is not run with none: %s', (_, events) => {
    expect(failureOf(events)).toMatchObject({ kind: 'protocol' });
  });

  it('has no arguments where the server says so', () => {
    for (const events of [[completed(call('f1', 'c1', { arguments: '' }))], [added(call('f1', 'c1')), argumentsDone(''), completed()]]) {
      expect(messageOf(events).content).toMatchObject([{ arguments: '{}' }]);
    }
  });

  it('has its own id where several have the same one, and one in its place where it has none', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('', 'c', 'd', 'call_1', 'call_2'), { minLength: 1, maxLength: 5 }), (ids) => {
        const output = ids.map((id, place) => ({ type: 'function_call', call_id: id, name: 'read', arguments: `{"n":${place}}` }));
        const events = output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item }));
        const calls = messageOf([...events, completed(...output)]).content.filter((block) => block.type === 'tool_call');
        expect(calls.map((block) => block.arguments)).toEqual(output.map((item) => item.arguments));
        expect(new Set(calls.map((block) => block.id)).size).toBe(ids.length);
      }),
    );
  });

  it('never gets the arguments of another one', () => {
    const two = [added(call('f1', 'c1')), added(call('f2', 'c2'))];
    const crossed = [argued('{"n":', { item_id: 'f2' }), argued('{"n":', { item_id: 'f1' }), argued('1}', { item_id: 'f1' }), argued('2}', { item_id: 'f2' })];
    expect(messageOf([...two, ...crossed, completed()]).content).toMatchObject([{ arguments: '{"n":1}' }, { arguments: '{"n":2}' }]);
    for (const mark of [{}, { item_id: '' }, { item_id: 'f3' }]) {
      const failed = failureOf([...two, argued('{"n":1}', mark), completed()]);
      expect(failed).toBeInstanceOf(ProviderError);
      expect(failed).toMatchObject({ kind: 'protocol' });
    }
    const inTurn = [
      added(call('', 'c1')),
      argued('{"n":1}'),
      argumentsDone('{"n":1}'),
      { type: 'response.output_item.done', item: call('', 'c1', { arguments: '{"n":1}' }) },
    ];
    expect(messageOf([...inTurn, added(call('', 'c2')), argued('{"n":2}'), completed()]).content).toMatchObject([
      { arguments: '{"n":1}' },
      { arguments: '{"n":2}' },
    ]);
  });

  it('with other arguments at its end than on its way is a broken answer, not one of the two', () => {
    expect(failureOf([added(call('f1', 'c1')), argued('{"n":'), argumentsDone('{"m":2}'), completed()])).toMatchObject({ kind: 'protocol' });
  });
});
