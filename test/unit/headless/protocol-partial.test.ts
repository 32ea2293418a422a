import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantContent } from '../../../src/domain/model/content.js';
import { NO_USAGE } from '../../../src/domain/model/usage.js';
import type { StreamEvent } from '../../../src/domain/model/stream-event.js';
import { ownSession } from '../../../src/domain/session/identity.js';
import type { SessionEvent } from '../../../src/engine/events.js';
import { WireMessages } from '../../../src/headless/ndjson/messages.js';
import { type AgentMessage, type ContentDelta, type JsonObject, messageParser } from '../../../src/headless/library/index.js';
import { OutputLines } from '../../../src/headless/ndjson/output-lines.js';
import { runs } from '../../support/runs.js';

/** A block of an answer, in the pieces that it comes in. */
interface Block {
  readonly kind: 'text' | 'thinking' | 'tool_call';
  readonly pieces: readonly string[];
}

const blocks = fc.array(
  fc.record({
    kind: fc.constantFrom('text' as const, 'thinking' as const, 'tool_call' as const),
    pieces: fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** The events of an answer. Blocks follow one another, as those of a stream do; calls may go on beside what comes behind them. */
function eventsOf(all: readonly Block[], order: readonly number[]): readonly StreamEvent[] {
  const left = all.map(({ pieces }) => [...pieces]);
  const begun = new Set<number>();
  const events: StreamEvent[] = [];
  let at = 0;
  for (let n = 0; left.some((pieces) => pieces.length > 0); n += 1) {
    while (left[at]?.length === 0) at += 1;
    // A call that has begun takes turns with the block behind it.
    const beside =
      all[at]?.kind === 'tool_call' && begun.has(at) && (order[n % Math.max(order.length, 1)] ?? 0) % 2 === 1 && (left[at + 1]?.length ?? 0) > 0 ? at + 1 : at;
    const block = all[beside];
    const delta = left[beside]?.shift() ?? '';
    if (block === undefined) break;
    if (block.kind === 'tool_call') {
      if (!begun.has(beside)) events.push({ type: 'tool_call_begin', index: beside, id: `call-${beside}`, name: 'read' });
      events.push({ type: 'tool_call_delta', index: beside, id: `call-${beside}`, delta });
    } else events.push({ type: `${block.kind}_delta`, index: beside, delta });
    begun.add(beside);
  }
  return events;
}

const WHO = ownSession('s');

function answerOf(all: readonly Block[]): SessionEvent {
  const content = all.map(({ kind, pieces }, index): AssistantContent => {
    const text = pieces.join('');
    if (kind === 'tool_call') return { type: 'tool_call', id: `call-${index}`, name: 'read', arguments: text };
    return kind === 'text' ? { type: 'text', text } : { type: 'thinking', thinking: text };
  });
  const message = {
    role: 'assistant',
    content,
    stopReason: 'end_turn',
    rawStopReason: 'end_turn',
    usage: NO_USAGE,
    timestamp: '2026-01-01T00:00:00Z',
  } as const;
  return { type: 'answer', index: 1, message, who: WHO };
}

function textIn(delta: ContentDelta): string {
  switch (delta.type) {
    case 'text_delta':
      return delta.text;
    case 'thinking_delta':
      return delta.thinking;
    case 'input_json_delta':
      return delta.partial_json;
  }
}

/** A reader that takes a few bytes at a time, and everything in the end. */
function slowReader(): { readonly stream: Writable; readonly lines: () => readonly AgentMessage[] } {
  let text = '';
  const stream = new Writable({
    highWaterMark: 64,
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString('utf8');
      setImmediate(done);
    },
  });
  return {
    stream,
    lines: () =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => messageParser.parse(JSON.parse(line) as JsonObject)),
  };
}

describe('K-05: pieces of an answer', () => {
  const wire = (partial: boolean): WireMessages => new WireMessages({ id: 's', folder: '/w', modelNamed: () => undefined, clean: (text) => text }, { partial });
  const events = (all: readonly Block[], order: readonly number[]): readonly SessionEvent[] => [
    { type: 'round_started', round: 1, model: 'p/m', who: WHO },
    ...eventsOf(all, order).map((event): SessionEvent => ({ type: 'stream', event, who: WHO })),
    answerOf(all),
  ];

  it('make up the answer, however it was cut, and however slow the reader is; blocks begin and end once', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, fc.array(fc.nat(7), { maxLength: 5 }), async (all, order) => {
        const { stream, lines } = slowReader();
        const output = new OutputLines(
          stream,
          () => '',
          () => undefined,
        );
        const messages = wire(true);
        for (const event of events(all, order)) for (const message of messages.of(event)) output.write(message);
        await output.drained();
        await new Promise((done) => stream.end(done));
        const found = new Map<number, { kind: string; text: string }>();
        const open = new Set<number>();
        for (const message of lines()) {
          if (message.type !== 'stream_event') continue;
          const { event } = message;
          if (event.type === 'content_block_start') {
            expect(found.has(event.index)).toBe(false);
            found.set(event.index, { kind: event.content_block.type, text: '' });
            open.add(event.index);
          }
          if (event.type === 'content_block_delta') {
            expect(open.has(event.index)).toBe(true);
            const block = found.get(event.index);
            if (block !== undefined) block.text += textIn(event.delta);
          }
          if (event.type === 'content_block_stop') expect(open.delete(event.index)).toBe(true);
        }
        expect(open.size).toBe(0);
        const whole = (kind: string): string =>
          [...found.values()]
            .filter((block) => block.kind === kind)
            .map(({ text }) => text)
            .join('');
        const said = (kind: Block['kind']): string =>
          all
            .filter((block) => block.kind === kind)
            .map(({ pieces }) => pieces.join(''))
            .join('');
        expect([whole('text'), whole('thinking'), whole('tool_use')]).toEqual([said('text'), said('thinking'), said('tool_call')]);
      }),
      { numRuns: runs(100) },
    );
  });

  it('are not told where nobody asked for them', () => {
    fc.assert(
      fc.property(blocks, (all) => {
        expect(
          events(all, [])
            .flatMap((event) => wire(false).of(event))
            .map(({ type }) => type),
        ).toEqual(['assistant']);
      }),
      { numRuns: runs(20) },
    );
  });
});
