import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantContent, ToolResultContent } from '../../../../src/domain/model/content.js';
import { type AssistantMessage, type Message, type ToolResultMessage, type UserMessage, STOP_REASONS } from '../../../../src/domain/model/message.js';
import { readArguments, writeArguments } from '../../../../src/session/codec/arguments.js';
import { encodeSession } from '../../../../src/session/codec/encode.js';
import { quote } from '../../../../src/session/codec/strings.js';
import { compareTimes, isTimestamp, trimFraction } from '../../../../src/session/codec/time.js';
import { runs } from '../../../support/runs.js';
import { decodeSession } from '../../../support/decode-session.js';

const text = fc.string({ unit: fc.constantFrom(...Array.from('aé😀<>&"\\/\b\f\n\r\t\0\x1f\x7f\u2028\u2029\uFFFD {}[],:')) });
const count = fc.nat();
const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
const timestamp = fc.constantFrom('2026-02-18T12:00:00Z', '2026-02-18T12:00:00.123456789+02:00', '0001-01-01T00:00:00Z', '2026-02-18T12:00:00.120Z');
const rawArguments = fc.oneof(
  fc.json().filter((json) => !/^\s*(?:"|null)/.test(json)),
  fc.json().map((json) => `{"a":${json}}`.slice(0, -1)),
  fc.constantFrom('{"n":1.0,"big":123456789012345678901234567890,"e":1E400}', '{"a":', '{', '<b>', '\u2028'),
);
const textBlock = fc.record({ type: fc.constant('text' as const), text });
const imageBlock = fc.record({ type: fc.constant('image' as const), data: fc.uint8Array({ maxLength: 40 }), mimeType: fc.constant('image/png' as const) });
const thinking = fc.record({ type: fc.constant('thinking' as const), thinking: text, signature: bytes }, { requiredKeys: ['type', 'thinking'] });
const toolCall = fc.record(
  { type: fc.constant('tool_call' as const), id: text, name: text, arguments: rawArguments, signature: bytes },
  { requiredKeys: ['type', 'id', 'name', 'arguments'] },
);
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant('user'), content: fc.array(fc.oneof(textBlock, imageBlock)), timestamp }) as fc.Arbitrary<UserMessage>,
  fc.record({
    role: fc.constant('assistant'),
    content: fc.array(fc.oneof(textBlock, thinking, toolCall) as fc.Arbitrary<AssistantContent>),
    stopReason: fc.constantFrom(...STOP_REASONS),
    rawStopReason: text,
    usage: fc.record({ inputTokens: count, outputTokens: count, cacheReadTokens: count, cacheWriteTokens: count }),
    timestamp,
  }) as fc.Arbitrary<AssistantMessage>,
  fc.record({
    role: fc.constant('tool_result'),
    toolCallId: text,
    toolName: text,
    content: fc.array(fc.oneof(textBlock, imageBlock) as fc.Arbitrary<ToolResultContent>),
    isError: fc.boolean(),
    timestamp,
  }) as fc.Arbitrary<ToolResultMessage>,
);
const session = fc.record({ id: text, systemPrompt: text, createdAt: timestamp, updatedAt: timestamp, messages: fc.array(message) });

/** White space of arguments does not count, nor how a character is spelled. */
function comparable(messages: readonly Message[]): unknown {
  return JSON.parse(JSON.stringify(messages), (key: string, value: unknown) => {
    if (key !== 'arguments' || typeof value !== 'string') return value;
    if (value.trim() === '') return '{}';
    try {
      return JSON.stringify(JSON.parse(value));
    } catch {
      return value;
    }
  });
}

describe('the writer', () => {
  it('is read back equal, and writes what was read byte for byte', () => {
    fc.assert(
      fc.property(session, ({ messages, ...head }) => {
        const stored = messages.map((one) => ({ message: one }));
        const first = encodeSession(head, stored);
        const read = decodeSession(first);
        expect({ ...read, messages: [] }).toEqual({ ...head, messages: [] });
        expect(comparable(read.messages.map((one) => one.message))).toEqual(comparable(messages));
        expect(Buffer.from(encodeSession(read, read.messages)).toString()).toBe(Buffer.from(first).toString());
      }),
      { numRuns: runs(500) },
    );
  });

  it('writes valid JSON without a line break at its end, each message on the same lines whatever surrounds it', () => {
    fc.assert(
      fc.property(session, ({ messages, ...head }) => {
        const stored = messages.map((one) => ({ message: one }));
        const file = Buffer.from(encodeSession(head, stored)).toString();
        expect(file.endsWith('}')).toBe(true);
        expect(Object.keys(JSON.parse(file) as object)).toEqual(['version', 'id', 'system_prompt', 'created_at', 'updated_at', 'messages']);
      }),
      { numRuns: runs(100) },
    );
  });

  it('stores the bytes of a signature in base64, of an API string those of the string', () => {
    const stored = {
      message: {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'x', signature: Buffer.from('EqQBCkYIBRgCKkA=') }],
        stopReason: 'end_turn',
        rawStopReason: '',
        usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
        timestamp: '2026-02-18T12:00:00Z',
      },
    } as const;
    const head = { id: '', systemPrompt: '', createdAt: '2026-02-18T12:00:00Z', updatedAt: '2026-02-18T12:00:00Z' };
    expect(Buffer.from(encodeSession(head, [stored])).toString()).toContain('"signature": "RXFRQkNrWUlCUmdDS2tBPQ=="');
  });
});

describe('strings', () => {
  it('are escaped as in Go 1.22', () => {
    expect(quote('<>&\u2028\u2029"\\/\b\f\n\r\t\0\x1f\x7f\uD800é😀')).toBe(
      String.raw`"\u003c\u003e\u0026\u2028\u2029\"\\/\b\f\n\r\t\u0000\u001f${'\x7f\uFFFDé😀'}"`,
    );
  });
});

describe('arguments', () => {
  it.each([
    ['{"a":1.0,"b":12345678901234567890}', '{"a":1.0,"b":12345678901234567890}'],
    [' { "a" : [ ] , "b" : { } } ', '{"a":[],"b":{}}'],
    ['{"h":"<\\u003C\\/"}', String.raw`{"h":"\u003c\u003C\/"}`],
    ['', '{}'],
    [' \n', '{}'],
    ['null', '{}'],
    ['{"cut', '"{\\"cut"'],
    ['{"a":1}x', '"{\\"a\\":1}x"'],
    ['NaN', '"NaN"'],
    ['\uD800', '"\uFFFD"'],
  ])('%j are stored as %s and stay so', (given, stored) => {
    expect(writeArguments(given, undefined)).toBe(stored);
    expect(writeArguments(readArguments(stored), undefined)).toBe(stored);
  });

  it('that were cut off come back as they were, at any place', () => {
    const whole = '{"path":"src/é😀.ts","content":"a\\n\\"b\\" \\u00e9 <x>","n":[1.0,-2e5,true,null]}';
    for (let end = 1; end < whole.length; end += 1) {
      const cut = whole.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
      expect(readArguments(writeArguments(cut, 5))).toBe(cut);
    }
  });
});

describe('times', () => {
  it.each([
    ['2026-02-18T12:00:00.120Z', '2026-02-18T12:00:00.12Z'],
    ['2026-02-18T12:00:00.000Z', '2026-02-18T12:00:00Z'],
    ['2026-02-18T12:00:00.100+02:00', '2026-02-18T12:00:00.1+02:00'],
    ['2026-02-18T12:00:10Z', '2026-02-18T12:00:10Z'],
    ['2026-02-18T12:00:00.123456789Z', '2026-02-18T12:00:00.123456789Z'],
  ])('%s is written %s', (given, written) => {
    expect(trimFraction(given)).toBe(written);
  });

  it.each([
    '2026-02-18T24:00:00Z',
    '2026-13-01T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-02-18 12:00:00Z',
    '2026-02-18T12:00Z',
    '2026-02-18T12:00:60Z',
    '2026-02-18T12:00:00.Z',
    '2026-02-18T12:00:00+24:00',
    '2026-02-18T12:00:00Z\n',
    '+12026-02-18T12:00:00Z',
  ])('%j is no time', (value) => {
    expect(isTimestamp(value)).toBe(false);
  });

  it('are compared across zones and below the millisecond', () => {
    const order = [
      '0001-01-01T00:00:00Z',
      '2026-02-18T11:59:59.9Z',
      '2026-02-18T14:00:00+02:00',
      '2026-02-18T12:00:00.0000001Z',
      '2026-02-18T12:00:00.1Z',
      '2026-02-18T12:00:00.11Z',
    ];
    expect([...order].reverse().sort(compareTimes)).toEqual(order);
    expect(compareTimes('2026-02-18T12:00:00.10Z', '2026-02-18T13:00:00.1+01:00')).toBe(0);
  });
});
