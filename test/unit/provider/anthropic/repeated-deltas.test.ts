import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RepeatedDeltas } from '../../../../src/provider/anthropic/repeated-deltas.js';
import type { RawEvent } from '../../../../src/provider/anthropic/stream.js';
import { anyCharacter } from '../../../support/any-character.js';

/** What a reader of whole events makes of some data. */
const whole = (data: string): RawEvent => JSON.parse(data) as RawEvent;

/** Notes what has a text, as the provider does. */
function note(repeated: RepeatedDeltas, data: string): void {
  const event = whole(data);
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') repeated.note(data, { index: event.index, text: event.delta.text });
}

/** Both together, as the provider reads. */
function read(repeated: RepeatedDeltas, data: string): RawEvent {
  const known = repeated.read(data);
  if (known !== undefined) return known;
  const event = whole(data);
  note(repeated, data);
  return event;
}

const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 12 }), fc.constantFrom('"', '\\', '}}', '","text":"x', '\n', '\u2028', '😀', ''));
const event = fc.oneof(
  fc.record({ type: fc.constant('content_block_delta'), index: fc.nat(2), delta: fc.record({ type: fc.constant('text_delta'), text }) }),
  fc.record({ type: fc.constant('content_block_delta'), index: fc.nat(2), delta: fc.record({ type: fc.constant('text_delta'), text, more: text }) }),
  fc.record({ type: fc.constant('content_block_delta'), index: fc.nat(2), delta: fc.record({ type: fc.constant('input_json_delta'), partial_json: text }) }),
  fc.record({ type: fc.constant('content_block_delta'), index: fc.nat(2), delta: fc.record({ type: fc.constant('text_delta'), text }), p: text }),
  fc.record({ type: fc.constant('content_block_stop'), index: fc.nat(2) }),
);

it('events that repeat others are what they are when all of them is parsed, whatever their texts', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), (events) => {
      const repeated = new RepeatedDeltas();
      for (const data of events.map((each) => JSON.stringify(each))) expect(read(repeated, data)).toEqual(whole(data));
    }),
  );
});

it('only the text of one that repeats another is parsed', () => {
  const repeated = new RepeatedDeltas();
  const data = (words: string): string => JSON.stringify({ type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text: words } });
  expect(repeated.read(data('one'))).toBeUndefined();
  note(repeated, data('one'));
  expect(repeated.read(data('two'))).toEqual(whole(data('two')));
});

it('a second field behind the text is not taken for a part of it', () => {
  const repeated = new RepeatedDeltas();
  const first = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}';
  note(repeated, first);
  const second = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a","type":"other"}}';
  expect(repeated.read(second)).toBeUndefined();
});
