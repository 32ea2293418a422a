import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ViewEvent, applyViewEvent } from '../../../src/protocol/view-event.js';
import { type ViewState, emptyViewState } from '../../../src/protocol/view-state.js';
import { mergeDeltas } from '../../../webview/state/transcript/merge-deltas.js';

const call = { id: 'c', name: 'bash', subject: 'ls', status: 'running' as const };

function stateAfter(events: readonly ViewEvent[]): ViewState {
  const state = emptyViewState('m', 'default');
  for (const id of ['a', 'b']) {
    const blocks = [
      { type: 'text' as const, text: '' },
      { type: 'tool' as const, call: { ...call, output: '' } },
    ];
    state.items.push({ kind: 'answer', id, blocks, status: 'streaming', time: '', summary: '' });
  }
  for (const event of events) applyViewEvent(state, event);
  return state;
}

test('merged events lead to the same state', () => {
  const item = fc.constantFrom('a', 'b');
  const event: fc.Arbitrary<ViewEvent> = fc.oneof(
    fc.record({ type: fc.constant('delta' as const), item, block: fc.constant(0), delta: fc.string() }),
    fc.record({ type: fc.constant('call_output' as const), item, block: fc.constant(1), delta: fc.string() }),
    fc.record({ type: fc.constant('call_result' as const), item, block: fc.constant(1), output: fc.string() }),
  );
  fc.assert(
    fc.property(fc.array(event), (events) => {
      expect(stateAfter(mergeDeltas(events))).toEqual(stateAfter(events));
    }),
  );
});

test('deltas of one block become one, others stay apart', () => {
  const delta = (item: string, text: string): ViewEvent => ({ type: 'delta', item, block: 0, delta: text });
  expect(mergeDeltas([delta('a', '1'), delta('a', '2'), delta('b', '3'), delta('a', '4')])).toEqual([delta('a', '12'), delta('b', '3'), delta('a', '4')]);
});
