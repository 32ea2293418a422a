import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validateHostMessage } from '../../../src/protocol/validate-host-message.js';
import { type ViewEvent, applyViewEvent, MAX_VIEW_OUTPUT } from '../../../src/protocol/view-event.js';
import { type ViewState, emptyViewState } from '../../../src/protocol/view-state.js';

const ids = fc.constantFrom('a', 'b', 'c');
const block = fc.nat({ max: 3 });
const words = fc.string({ maxLength: 6 });
const call = fc.record({ id: ids, name: fc.constant('bash'), subject: words, status: fc.constantFrom('pending', 'running', 'done') });
const viewBlock = fc.oneof(
  fc.record({ type: fc.constant('text'), text: words }),
  fc.record({ type: fc.constant('thinking'), text: words, done: fc.boolean() }),
  fc.record({ type: fc.constant('tool'), call: call.map((value) => ({ ...value, output: '' })) }),
);
const item = fc.oneof(
  fc.record({ kind: fc.constant('user'), id: ids, text: words, images: fc.array(words), time: words }),
  fc.record({
    kind: fc.constant('answer'),
    id: ids,
    blocks: fc.array(viewBlock, { maxLength: 3 }),
    status: fc.constant('streaming'),
    time: words,
    summary: words,
  }),
  fc.record({ kind: fc.constant('notice'), id: ids, level: fc.constant('info'), text: words, actions: fc.constant([]) }),
);
const event = fc.oneof(
  fc.record({ type: fc.constant('item_added'), item }),
  fc.record({ type: fc.constant('block_added'), item: ids, block: viewBlock }),
  fc.record({ type: fc.constant('blocks_removed'), item: ids, from: block }),
  fc.record({ type: fc.constant('delta'), item: ids, block, delta: words }),
  fc.record({ type: fc.constant('thinking_done'), item: ids, block, ms: fc.nat() }, { requiredKeys: ['type', 'item', 'block'] }),
  fc.record({ type: fc.constant('call'), item: ids, block, call }),
  fc.record({ type: fc.constant('call_output'), item: ids, block, delta: words }),
  fc.record({ type: fc.constant('call_result'), item: ids, block, output: words, images: fc.nat() }, { requiredKeys: ['type', 'item', 'block', 'output'] }),
  fc.record({ type: fc.constant('answer_status'), item: ids, status: fc.constantFrom('complete', 'failed'), summary: words }),
  fc.record({ type: fc.constant('held_back'), items: fc.array(ids, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('meta'), patch: fc.record({ title: words, activity: fc.constant('running') }, { requiredKeys: [] }) }),
) as fc.Arbitrary<ViewEvent>;

function play(state: ViewState, events: readonly ViewEvent[]): ViewState {
  for (const each of structuredClone(events)) applyViewEvent(state, each);
  return state;
}

describe('applyViewEvent', () => {
  test('a snapshot with the events after it equals all events', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.nat({ max: 40 }), (events, at) => {
        const all = play(emptyViewState('m', 'default'), events);
        const snapshot = structuredClone(play(emptyViewState('m', 'default'), events.slice(0, at)));
        expect(play(snapshot, events.slice(at))).toEqual(all);
      }),
    );
  });

  test('an event for something that is not there changes nothing', () => {
    const state = emptyViewState('m', 'default');
    applyViewEvent(state, { type: 'delta', item: 'x', block: 0, delta: 'a' });
    expect(state).toEqual(emptyViewState('m', 'default'));
  });

  test('of the messages of the user exactly those are marked that are held back', () => {
    const user = (id: string): ViewEvent => ({ type: 'item_added', item: { kind: 'user', id, text: id, images: [], time: 't' } });
    const state = play(emptyViewState('m', 'default'), [user('u0'), user('u2'), user('u4'), { type: 'held_back', items: ['u0', 'u1', 'u2'] }]);
    const marked = (): readonly string[] => state.items.flatMap((each) => (each.kind === 'user' && each.heldBack === true ? [each.id] : []));
    expect(marked()).toEqual(['u0', 'u2']);
    play(state, [{ type: 'held_back', items: ['u4'] }]);
    expect(marked()).toEqual(['u4']);
    play(state, [{ type: 'held_back', items: [] }]);
    expect(state).toEqual(play(emptyViewState('m', 'default'), [user('u0'), user('u2'), user('u4')]));
  });

  test('a changed call keeps its output, and output keeps its end', () => {
    const state = emptyViewState('m', 'default');
    const tool = { id: 'c', name: 'bash', subject: 'ls', status: 'running' as const };
    const at = { item: 'a', block: 0 };
    play(state, [
      { type: 'item_added', item: { kind: 'answer', id: 'a', blocks: [], status: 'streaming', time: 't', summary: '' } },
      { type: 'block_added', item: 'a', block: { type: 'tool', call: { ...tool, output: '' } } },
      { type: 'call_output', ...at, delta: 'x'.repeat(MAX_VIEW_OUTPUT) },
      { type: 'call_output', ...at, delta: 'end' },
      { type: 'call', ...at, call: { ...tool, status: 'done' } },
    ]);
    const [first] = state.items;
    const [changed] = first?.kind === 'answer' ? first.blocks : [];
    const result = changed?.type === 'tool' ? changed.call : undefined;
    expect(result?.status).toBe('done');
    expect(result?.output).toHaveLength(MAX_VIEW_OUTPUT);
    expect(result?.output.endsWith('xend')).toBe(true);
  });
});

describe('validateHostMessage', () => {
  test('takes every event and every state that events lead to', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        expect(validateHostMessage({ type: 'events', session: 's', epoch: 'e', first: 1, events })).toBeDefined();
        const state = play(emptyViewState('m', 'default'), events);
        expect(validateHostMessage({ type: 'snapshot', session: 's', epoch: 'e', seq: 1, state })).toBeDefined();
      }),
    );
  });

  test('refuses anything else without a throw', () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true }),
        fc.constantFrom('snapshot', 'events', 'choices', 'history', 'attachments', 'accepted', 'rejected', 'x'),
        (value, type) => {
          expect(validateHostMessage(value)).toBeUndefined();
          const fields = typeof value === 'object' && value !== null ? value : {};
          expect(validateHostMessage({ ...fields, type })).toBeUndefined();
        },
      ),
    );
  });

  test.each([
    { type: 'delta', item: 'a', block: -1, delta: 'x' },
    { type: 'delta', item: 'a', block: 0 },
    { type: 'item_added', item: { kind: 'answer', id: 'a' } },
    { type: 'block_added', item: 'a', block: { type: 'tool', call: {} } },
    { type: 'constructor' },
  ])('refuses a batch with %j', (bad) => {
    expect(validateHostMessage({ type: 'events', session: 's', epoch: 'e', first: 1, events: [bad] })).toBeUndefined();
  });
});

describe('what a call gave back', () => {
  const events: readonly ViewEvent[] = [
    { type: 'item_added', item: { kind: 'answer', id: 'a', blocks: [], status: 'streaming', time: '', summary: '' } },
    { type: 'block_added', item: 'a', block: { type: 'tool', call: { id: 'c', name: 'read', subject: '', status: 'running', output: '' } } },
    { type: 'call_result', item: 'a', block: 0, output: 'seen', images: 2 },
    { type: 'call', item: 'a', block: 0, call: { id: 'c', name: 'read', subject: 'a.png', status: 'done' } },
  ];

  test('stays when the call changes, images too', () => {
    expect(play(emptyViewState('m', 'default'), events).items[0]).toMatchObject({ blocks: [{ call: { status: 'done', output: 'seen', images: 2 } }] });
  });

  test('and what an answer took is there when it has ended', () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
    const state = play(emptyViewState('m', 'default'), [
      ...events,
      { type: 'answer_status', item: 'a', status: 'complete', summary: '', facts: { rounds: 2, usage } },
    ]);
    expect(state.items[0]).toMatchObject({ facts: { rounds: 2, usage } });
  });
});

describe('messages about the transcript', () => {
  test.each([
    { type: 'files', asked: ['a'], found: [] },
    { type: 'copied', item: 'a' },
    { type: 'code_colors', colors: {} },
    { type: 'code_colors', colors: { string: '#a1b2c3', comment: '#00000080' } },
    { type: 'image', session: 's', item: 'a', index: 0 },
    { type: 'image', session: 's', item: 'a', call: 'c', index: 0, image: { mimeType: 'image/png', data: Uint8Array.of(1) } },
    { type: 'found', session: 's', request: 1, places: [{ item: 'a', count: 2 }], total: 2, more: false },
  ])('takes %j', (message) => {
    expect(validateHostMessage(structuredClone(message))).toEqual(message);
  });

  test.each([
    { type: 'files', asked: 'a', found: [] },
    { type: 'code_colors', colors: { string: 'red' } },
    { type: 'code_colors', colors: { string: '#fff; } body { display: none' } },
    { type: 'code_colors' },
    { type: 'files', asked: [1], found: [] },
    { type: 'image', session: 's', item: 'a', index: 0, image: { mimeType: 'image/png', data: 'AAAA' } },
    { type: 'image', session: 's', item: 'a', index: -1 },
    { type: 'found', session: 's', request: 1, places: [{ item: 'a' }], total: 2, more: false },
    { type: 'found', session: 's', request: 1, places: [], total: 2 },
  ])('refuses %j', (message) => {
    expect(validateHostMessage(message)).toBeUndefined();
  });
});
