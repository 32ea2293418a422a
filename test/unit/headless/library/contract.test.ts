import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage } from '../../../../src/domain/model/message.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { ownSession, type SessionIdentity } from '../../../../src/domain/session/identity.js';
import type { EmittedEvent } from '../../../../src/engine/events.js';
import { type AgentMessage, JsonDecodeError, messageParser, type ResultMessage } from '../../../../src/headless/library/index.js';
import { JsonLines } from '../../../../src/headless/library/json-lines.js';
import { failedResult, type ResultSubtype, WireMessages } from '../../../../src/headless/ndjson/messages.js';
import type { WireMessage } from '../../../../src/headless/ndjson/wire-content.js';
import { OutputLines } from '../../../../src/headless/ndjson/output-lines.js';
import { anyCharacter } from '../../../support/any-character.js';
import { runs } from '../../../support/runs.js';

/** As it is after the wire. */
const sent = (message: WireMessage): AgentMessage => messageParser.parse(JSON.parse(JSON.stringify(message)) as WireMessage);
const wire = new WireMessages({ id: 's', folder: '/w', modelNamed: () => undefined, clean: (text) => text }, { partial: true });

const ANSWER: AssistantMessage = {
  role: 'assistant',
  content: [{ type: 'text', text: 'a' }],
  stopReason: 'end_turn',
  rawStopReason: 'end_turn',
  usage: NO_USAGE,
  timestamp: '2026-01-01T00:00:00Z',
};

describe('K-03: what the program writes', () => {
  it('has the ends that the library knows, and no others', () => {
    const ends = (subtype: ResultSubtype): ResultMessage['subtype'] => subtype;
    const known = (subtype: ResultMessage['subtype']): ResultSubtype => subtype;
    expect(ends(known('success'))).toBe('success');
  });

  it.each<[string, EmittedEvent]>([
    [
      'compact_boundary',
      {
        type: 'compacted',
        compaction: { upTo: 1, at: 2, summary: 's', trigger: 'auto', createdAt: '2026-01-01T00:00:00Z', tokensBefore: 900, tokensAfter: 100 },
      },
    ],
    ['api_retry', { type: 'retry_scheduled', attempt: 1, maxAttempts: 5, delayMs: 200, error: new Error('It broke off.') }],
  ])('can be read as %s', (subtype, event) => {
    expect(wire.of({ ...event, who: ownSession('s') }).map(sent)).toMatchObject([{ type: 'system', subtype }]);
  });

  it('names the call that an agent works for, in whose answers it is, and nothing for the session of the user', () => {
    const answer = (who: SessionIdentity): readonly unknown[] => {
      const begun = wire.of({ type: 'round_started', round: 1, model: 'p/m', who });
      const text = wire.of({ type: 'stream', event: { type: 'text_delta', index: 0, delta: 'a' }, who });
      return [...begun, ...text, ...wire.of({ type: 'answer', message: ANSWER, index: 1, who })].map(sent);
    };
    const from = (id: string | null): object => ({ parent_tool_use_id: id, session_id: 's' });
    const messages = answer({ session: 'child', worksFor: { session: 's', callId: 'call_1', agent: 'explore', task: 'Look' }, depth: 1 });
    expect(messages).toMatchObject(Array.from(messages, () => from('call_1')));
    expect(messages.at(-1)).toMatchObject({ type: 'assistant' });
    expect(answer(ownSession('s'))).toMatchObject(Array.from(messages, () => from(null)));
  });

  it('can be read where nothing could be begun, and where something was too long for a line', () => {
    expect(sent(wire.framed(failedResult('No.')))).toMatchObject({ type: 'result', is_error: true, errors: ['No.'] });
    const output = new PassThrough();
    const lines = new OutputLines(
      output,
      () => 'the session s',
      () => undefined,
    );
    lines.write(wire.framed({ type: 'user', message: { role: 'user', content: Array.from({ length: 300_000 }, () => ({ type: 'text', text: 'x' })) } }));
    const line = JSON.parse(String(output.read()).split('\n')[0] ?? '') as WireMessage;
    expect(sent(line)).toMatchObject({ type: 'system', subtype: 'informational', content: expect.stringContaining('too long') as string });
  });
});

describe('lines', () => {
  const objects = fc.array(
    fc.dictionary(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: anyCharacter }).map((text) => text.toWellFormed()),
    ),
    { maxLength: 6 },
  );

  it('are the same however they are cut', () => {
    fc.assert(
      fc.property(objects, fc.array(fc.nat(40)), fc.constantFrom('\n', '\r\n', '\n\n'), fc.boolean(), (all, sizes, end, hasMark) => {
        const bytes = Buffer.from((hasMark ? '\uFEFF' : '') + all.map((each) => JSON.stringify(each)).join(end));
        const lines = new JsonLines(1_000_000);
        const found: object[] = [];
        let at = 0;
        for (const size of sizes) {
          found.push(...lines.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect([...found, ...lines.push(bytes.subarray(at)), ...lines.end()]).toEqual(all);
      }),
      { numRuns: runs(500) },
    );
  });

  it('that are cut off anywhere are an error, whatever they were', () => {
    fc.assert(
      fc.property(objects, fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (all, share) => {
        const bytes = Buffer.from(JSON.stringify({ all }));
        const cut = Math.max(1, Math.floor(bytes.length * share));
        const lines = new JsonLines(1_000_000);
        expect(() => [...lines.push(bytes.subarray(0, cut)), ...lines.end()]).toThrow(JsonDecodeError);
      }),
      { numRuns: runs(500) },
    );
  });
});
