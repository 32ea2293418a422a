import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Accumulator } from '../../../../src/domain/model/accumulator.js';
import type { AssistantContent } from '../../../../src/domain/model/content.js';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { StreamEvent } from '../../../../src/domain/model/stream-event.js';
import type { StreamPart } from '../../../../src/domain/model/event-stream.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { validateMessage } from '../../../../src/domain/model/validate.js';
import { says } from '../../../support/wording.js';

const TIME = '2026-01-02T03:04:05Z';
const STOP: StreamPart = { type: 'stop', stopReason: 'tool_use', rawStopReason: 'tool_use' };

/** A block as a model means it, with the places where its text is cut into deltas. */
interface Planned {
  readonly block: AssistantContent;
  readonly cuts: readonly number[];
}

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const cuts = fc.array(fc.nat(60), { maxLength: 6 });
const bytes = fc.uint8Array({ minLength: 1, maxLength: 20 });
const block: fc.Arbitrary<AssistantContent> = fc.oneof(
  text.map((value): AssistantContent => ({ type: 'text', text: value })),
  fc
    .tuple(text, fc.option(bytes, { nil: undefined }))
    .map(([thinking, signature]): AssistantContent => ({ type: 'thinking', thinking, ...(signature === undefined ? {} : { signature }) })),
  bytes.map((signature): AssistantContent => ({ type: 'thinking', thinking: '', signature, redacted: true })),
  text.map((value): AssistantContent => ({ type: 'tool_call', id: 'id', name: 'tool', arguments: value })),
);
const planned = fc.array(fc.record({ block, cuts }), { maxLength: 6 }).map((plans) =>
  // Ids of calls differ.
  plans.map((plan, n): Planned => (plan.block.type === 'tool_call' ? { ...plan, block: { ...plan.block, id: `id_${n}` } } : plan)),
);

describe('Accumulator', () => {
  it('P50 G20 gives the same message for every interleaving of blocks and every split of deltas', () => {
    fc.assert(
      fc.property(planned, fc.infiniteStream(fc.nat(1_000)), fc.nat(9), (plans, random, gap) => {
        const queues = plans.map((plan, n) => partsOf(plan, n * (gap + 1)));
        const { accumulator } = fed([...interleave(queues, random), STOP]);
        accumulator.finish();
        expect(accumulator.message(TIME).content).toEqual(
          plans
            .map(({ block: meant }) => meant)
            .filter(storable)
            .map(stored),
        );
      }),
    );
  });

  it('P20 tells listeners all that is in the message and nothing else', () => {
    fc.assert(
      fc.property(planned, fc.infiniteStream(fc.nat(1_000)), (plans, random) => {
        const { accumulator, events } = fed(interleave(plans.map(partsOf), random));
        plans.forEach(({ block: meant }, index) => {
          const own = events.filter((event) => event.index === index);
          const told = own.map((event) => ('delta' in event ? event.delta : '')).join('');
          expect(told).toBe(meant.type === 'text' ? meant.text : meant.type === 'thinking' ? meant.thinking : meant.arguments);
          if (meant.type === 'tool_call') {
            expect(own[0]).toEqual({ type: 'tool_call_begin', index, id: meant.id, name: meant.name });
            expect(own.at(-1)).toEqual({ type: 'tool_call_end', index, call: stored(meant) });
          }
        });
        expect(accumulator.message(TIME).stopReason).toBe('unknown');
      }),
    );
  });

  it('P22 gives a message that can be stored, wherever a stream is cut off', () => {
    fc.assert(
      fc.property(planned, fc.infiniteStream(fc.nat(1_000)), fc.nat(40), (plans, random, length) => {
        const { accumulator } = fed(interleave(plans.map(partsOf), random).slice(0, length));
        const message = accumulator.message(TIME, { stopReason: 'aborted', rawStopReason: 'aborted' });
        if (message.content.length > 0) validateMessage(message);
        expect(() => accumulator.finish()).toThrow(ProviderError);
      }),
    );
  });

  it.each<[string, StreamPart[]]>([
    ['stream-14 text after the end of its block', [textPart(0, 'a'), { type: 'block_end', index: 0 }, textPart(0, 'b')]],
    ['stream-14 arguments for a block that never began', [{ type: 'tool_call_delta', index: 3, delta: '{' }]],
    ['stream-14 text for a call', [begin(0, 'a'), textPart(0, 'x')]],
    ['stream-14 thinking for text', [textPart(0, 'x'), { type: 'thinking', index: 0, delta: 'y' }]],
    ['stream-14 a signature for text', [textPart(0, 'x'), { type: 'signature', index: 0, signature: new Uint8Array([1]) }]],
    ['stream-14 more thinking after encrypted thinking', [redacted(0), { type: 'thinking', index: 0, delta: 'y' }]],
    ['stream-14 two blocks with one index', [begin(0, 'a'), begin(0, 'b')]],
    ['stream-14 a block that ends twice', [begin(0, 'a'), { type: 'block_end', index: 0 }, { type: 'block_end', index: 0 }]],
    ['stream-15 two calls with one id', [begin(0, 'a'), begin(1, 'a')]],
    ['stream-15 a call without an id', [begin(0, '')]],
    ['stream-15 a call without a name', [{ type: 'tool_call_begin', index: 0, id: 'a', name: '' }]],
  ])('refuses %s and keeps what was right', (_, parts) => {
    const { accumulator } = fed(parts.slice(0, -1));
    const before = accumulator.message(TIME);
    expect(() => accumulator.add(parts.at(-1) as StreamPart)).toThrow(expect.objectContaining({ kind: 'protocol', fact: says('responseMalformed') }));
    expect(accumulator.message(TIME)).toEqual(before);
  });

  it('stream-15 takes an id of 300 characters as it is', () => {
    const id = 'x'.repeat(300);
    const { accumulator } = fed([begin(0, id), { type: 'block_end', index: 0 }, STOP]);
    expect(accumulator.message(TIME).content).toMatchObject([{ id }]);
  });

  it('stream-05 a call that was cut off by the length limit stays as it was sent', () => {
    const stop: StreamPart = { type: 'stop', stopReason: 'length', rawStopReason: 'max_tokens' };
    const { accumulator } = fed([begin(0, 'a'), { type: 'tool_call_delta', index: 0, delta: '{"path":"sr' }, stop]);
    accumulator.finish();
    expect(accumulator.message(TIME)).toMatchObject({ stopReason: 'length', content: [{ arguments: '{"path":"sr' }] });
  });

  it('stream-14 refuses an end with tool_use while a call was never finished', () => {
    const { accumulator } = fed([begin(0, 'a'), STOP]);
    expect(() => accumulator.finish()).toThrow(expect.objectContaining({ kind: 'protocol', fact: says('responseMalformed') }));
  });

  it('stream-03 says of an answer without an end only that it was cut off while it is asked for again', () => {
    const { accumulator } = fed([textPart(0, 'so far')]);
    expect(() => accumulator.finish()).toThrow(expect.objectContaining({ kind: 'interrupted', fact: says('responseCutOff') }));
  });

  it('stream-25 takes usage as totals', () => {
    const { accumulator } = fed([
      { type: 'usage', usage: { inputTokens: 5, cacheReadTokens: 7, outputTokens: 1 } },
      { type: 'usage', usage: { outputTokens: 30 } },
      STOP,
    ]);
    expect(accumulator.message(TIME).usage).toEqual({ inputTokens: 5, outputTokens: 30, cacheReadTokens: 7, cacheWriteTokens: 0 });
    expect(NO_USAGE.outputTokens).toBe(0);
  });
});

function fed(parts: readonly StreamPart[]): { accumulator: Accumulator; events: StreamEvent[] } {
  const accumulator = new Accumulator();
  const events = parts.flatMap((part) => accumulator.add(part) ?? []);
  return { accumulator, events };
}

/** The parts of one block: its text cut in pieces, some of which are empty. */
function partsOf({ block: meant, cuts: places }: Planned, index: number): StreamPart[] {
  const end: StreamPart = { type: 'block_end', index };
  switch (meant.type) {
    case 'text':
      return [...pieces(meant.text, places).map((delta) => textPart(index, delta)), end];
    case 'tool_call': {
      const deltas = pieces(meant.arguments, places).map((delta): StreamPart => ({ type: 'tool_call_delta', index, delta }));
      return [{ type: 'tool_call_begin', index, id: meant.id, name: meant.name }, ...deltas, end];
    }
    case 'thinking': {
      if (meant.redacted === true) return [{ type: 'redacted_thinking', index, data: meant.signature ?? new Uint8Array() }, end];
      const deltas = pieces(meant.thinking, places).map((delta): StreamPart => ({ type: 'thinking', index, delta }));
      const signed: StreamPart[] = meant.signature === undefined ? [] : [{ type: 'signature', index, signature: meant.signature }];
      return [...deltas, ...signed, end];
    }
  }
}

function pieces(value: string, places: readonly number[]): string[] {
  const at = [0, ...places.map((place) => Math.min(place, value.length)).sort((a, b) => a - b), value.length];
  return at.slice(1).map((end, n) => value.slice(at[n], end));
}

function interleave(queues: StreamPart[][], random: fc.Stream<number>): StreamPart[] {
  const left = queues.map((queue) => [...queue]).filter((queue) => queue.length > 0);
  const mixed: StreamPart[] = [];
  while (left.length > 0) {
    const n = (random.next().value ?? 0) % left.length;
    mixed.push(...(left[n]?.splice(0, 1) ?? []));
    if (left[n]?.length === 0) left.splice(n, 1);
  }
  return mixed;
}

function storable(meant: AssistantContent): boolean {
  if (meant.type === 'text') return meant.text !== '';
  return meant.type === 'tool_call' || meant.thinking !== '' || meant.signature !== undefined;
}

function stored(meant: AssistantContent): AssistantContent {
  return meant.type === 'tool_call' && meant.arguments === '' ? { ...meant, arguments: '{}' } : meant;
}

function textPart(index: number, delta: string): StreamPart {
  return { type: 'text', index, delta };
}

function begin(index: number, id: string): StreamPart {
  return { type: 'tool_call_begin', index, id, name: 'read' };
}

function redacted(index: number): StreamPart {
  return { type: 'redacted_thinking', index, data: new Uint8Array([1, 2]) };
}
