import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StreamEvent } from '../../../../src/domain/model/stream-event.js';
import { JoinedDeltas } from '../../../../src/engine/turn/joined-deltas.js';

const delta = (type: 'text_delta' | 'thinking_delta', index: number, text: string): StreamEvent => ({ type, index, delta: text });
const text = (words: string): StreamEvent => delta('text_delta', 0, words);
const begin: StreamEvent = { type: 'tool_call_begin', index: 1, id: 'c', name: 'read' };

function joining(): { readonly passed: StreamEvent[]; readonly joined: JoinedDeltas } {
  const passed: StreamEvent[] = [];
  return { passed, joined: new JoinedDeltas((event) => passed.push(event)) };
}

test('the first delta is passed on at once, and what comes with it as one behind it', async () => {
  const { passed, joined } = joining();
  for (const words of ['a', 'b', 'c']) joined.push(text(words));
  expect(passed).toEqual([text('a')]);
  await turn();
  expect(passed).toEqual([text('a'), text('bc')]);
  joined.push(text('d'));
  expect(passed.at(-1)).toEqual(text('d'));
});

test('what comes behind deltas comes behind them', () => {
  const { passed, joined } = joining();
  for (const event of [text('a'), text('b'), begin, text('c'), text('d')]) joined.push(event);
  joined.flush();
  expect(passed).toEqual([text('a'), text('b'), begin, text('c'), text('d')]);
});

test('property: whatever comes, nothing of it is lost, and nothing passes another', async () => {
  const events = fc.oneof(
    fc.tuple(fc.constantFrom('text_delta' as const, 'thinking_delta' as const), fc.nat(2), fc.string({ maxLength: 3 })).map((parts) => delta(...parts)),
    fc.constant(begin),
    fc.constant('turn' as const),
  );
  /** The events with deltas of one block that follow one another as one. */
  const whole = (all: readonly StreamEvent[]): readonly StreamEvent[] =>
    all.reduce<StreamEvent[]>((joined, event) => {
      const last = joined.at(-1);
      if (last === undefined || !('delta' in last) || !('delta' in event) || last.type !== event.type || last.index !== event.index) return [...joined, event];
      return [...joined.slice(0, -1), { ...last, delta: last.delta + event.delta }];
    }, []);
  await fc.assert(
    fc.asyncProperty(fc.array(events), async (all) => {
      const { passed, joined } = joining();
      for (const event of all) {
        if (event === 'turn') await turn();
        else joined.push(event);
      }
      joined.flush();
      expect(whole(passed)).toEqual(whole(all.filter((event) => event !== 'turn')));
    }),
  );
});
