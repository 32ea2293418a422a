import { Stream } from '@anthropic-ai/sdk/core/streaming';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StreamPart } from '../../../../src/domain/model/event-stream.js';
import { EventBatches, type ServerSentEvent } from '../../../../src/provider/http/event-batches.js';
import { runs } from '../../../support/runs.js';

/** A body that arrives in pieces. */
function body(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textPart = ({ data }: ServerSentEvent): StreamPart => ({ type: 'text', index: 0, delta: data });

/** All batches of a body until it ends or fails. */
async function batches(pieces: readonly Uint8Array[], read: (event: ServerSentEvent) => StreamPart): Promise<{ texts: string[][]; error?: unknown }> {
  const texts: string[][] = [];
  const events = new EventBatches(body(pieces), read);
  try {
    for (let step = await events.next(); step.done !== true; step = await events.next()) {
      texts.push([step.value].flat().flatMap((part) => (part.type === 'text' ? [part.delta] : [])));
    }
  } catch (error) {
    return { texts, error };
  }
  return { texts };
}

/** Cuts bytes at some places, within characters too. */
function cut(whole: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const at = [0, ...places.map((place) => place % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
  return at.slice(1).map((end, index) => whole.slice(at[index], end));
}

/** Lines of a stream: of events, of comments, and such as mean nothing. */
const line = fc.constantFrom(
  'event: a',
  'event:b',
  'data: {"x":1}',
  'data:two',
  'data:  three — 世界 👩‍👩‍👧',
  ': alive',
  'id: 7',
  'retry: 5',
  'datafield',
  'other: x',
  '',
  '',
);

test('reads any stream as the SDK does, however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 30 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(), { maxLength: 8 }),
      async (lines, end, places) => {
        const whole = bytes([...lines, '', ''].join(end));
        const own: ServerSentEvent[] = [];
        await batches(cut(whole, places), (event) => {
          own.push({ event: event.event, data: event.data });
          return textPart(event);
        });
        const others: ServerSentEvent[] = [];
        for await (const { event, data } of Stream.rawEvents(new Response(body([whole])))) {
          if (data !== '') others.push({ event: event ?? undefined, data });
        }
        expect(own.filter(({ data }) => data !== '')).toEqual(others);
      },
    ),
    { numRuns: runs(500) },
  );
});

test('gives what came in one piece together, and a failure behind it', async () => {
  const pieces = ['data: one\n\ndata: two\n\nda', 'ta: three\n\ndata: bad\n\ndata: four\n\n', 'data: five\n\n'].map(bytes);
  const failure = new Error('It is bad.');
  const read = (event: ServerSentEvent): StreamPart => {
    if (event.data === 'bad') throw failure;
    return textPart(event);
  };
  expect(await batches(pieces, read)).toEqual({ texts: [['one', 'two'], ['three']], error: failure });
});

test('an event in which the stream breaks off is none', async () => {
  expect(await batches([bytes('data: one\n\ndata: {"tw')], textPart)).toEqual({ texts: [['one']] });
  expect(await batches([bytes('data: one\n\ndata: two\n')], textPart)).toEqual({ texts: [['one']] });
});

test('an event without an end is given up before it takes all room', async () => {
  const piece = new Uint8Array(8 * 1024 * 1024).fill(0x61);
  const { error } = await batches([bytes('data: '), ...Array.from({ length: 10 }, () => piece)], textPart);
  expect(error).toMatchObject({ kind: 'protocol' });
});
