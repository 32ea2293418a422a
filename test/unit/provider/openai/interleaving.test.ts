import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Accumulator } from '../../../../src/domain/model/accumulator.js';
import { COMMON_DIALECT } from '../../../../src/provider/openai/dialect.js';
import { ChunkReader } from '../../../../src/provider/openai/stream.js';
import { NOW } from './rig.js';
import { anyCharacter } from '../../../support/any-character.js';

/** How the pieces of calls are told apart on the wire. */
const STYLES = ['number', 'number, id repeated', 'number, all repeated', 'id alone', 'one number, all repeated'] as const;

interface Call {
  readonly name: string;
  readonly pieces: readonly string[];
}

const calls = fc
  .array(
    fc.record({
      name: fc.constantFrom('read', 'grep', 'edit'),
      value: fc.string({ unit: anyCharacter, maxLength: 12 }),
      cuts: fc.array(fc.nat(12), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((list) =>
    list.map(({ name, value, cuts }): Call => {
      const text = JSON.stringify({ value });
      const places = [...new Set([0, ...cuts.map((cut) => cut % text.length), text.length])].sort((a, b) => a - b);
      return { name, pieces: places.slice(1).map((end, n) => text.slice(places[n], end)) };
    }),
  );

it('P50 stream-14 any interleaving of the pieces of calls gives the same message', () => {
  fc.assert(
    fc.property(calls, fc.constantFrom(...STYLES), fc.infiniteStream(fc.nat()), (list, style, choices) => {
      const accumulator = new Accumulator();
      const reader = new ChunkReader(COMMON_DIALECT);
      const queues = list.map((call, place) => call.pieces.map((piece, n) => entry(style, { call, place, piece, first: n === 0 })));
      // A call that has no number of its own can only be told to begin by its order.
      const begun = style === 'number' ? 0 : queues.length;
      const take = (chunk: object): void => {
        for (const part of reader.read({ choices: [{ delta: { tool_calls: [chunk] } }] })) accumulator.add(part);
      };
      for (const queue of queues.slice(0, begun)) take(queue.shift() ?? {});
      while (queues.some((queue) => queue.length > 0)) {
        const open = queues.filter((queue) => queue.length > 0);
        take(open[(choices.next().value ?? 0) % open.length]?.shift() ?? {});
      }
      for (const part of [...reader.read({ choices: [{ delta: {}, finish_reason: 'stop' }] }), ...reader.finish()]) accumulator.add(part);
      accumulator.finish();
      expect(accumulator.message(NOW).content).toEqual(
        list.map(({ name, pieces }, place) => ({ type: 'tool_call', id: `call_${place}`, name, arguments: pieces.join('') })),
      );
    }),
  );
});

function entry(style: (typeof STYLES)[number], { call, place, piece, first }: { call: Call; place: number; piece: string; first: boolean }): object {
  const id = `call_${place}`;
  const named = { name: call.name, arguments: piece };
  switch (style) {
    case 'number':
      return first ? { index: place, id, function: named } : { index: place, function: { arguments: piece } };
    case 'number, id repeated':
      return { index: place, id, function: first ? named : { name: '', arguments: piece } };
    case 'number, all repeated':
      return { index: place, id, function: named };
    case 'id alone':
      return { id, function: first ? named : { arguments: piece } };
    case 'one number, all repeated':
      return { index: 0, id, function: named };
  }
}
