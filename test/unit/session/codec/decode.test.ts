import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../../../src/domain/errors.js';
import type { Message } from '../../../../src/domain/model/message.js';
import { encodeSession } from '../../../../src/session/codec/encode.js';
import { LARGE_SESSION_MESSAGES, largeSession } from '../../../support/worst-inputs.js';
import { sampled } from '../../../support/runs.js';
import { decodeSession } from '../../../support/decode-session.js';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/sessions');

function load(name: string): ReturnType<typeof decodeSession> {
  return decodeSession(readFileSync(join(FIXTURES, name)));
}

function messages(name: string): readonly Message[] {
  return load(`accept/${name}.json`).messages.map(({ message }) => message);
}

function parse(text: string): ReturnType<typeof decodeSession> {
  return decodeSession(Buffer.from(text));
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const ZERO = '0001-01-01T00:00:00Z';

describe('what is accepted', () => {
  it.each(readdirSync(join(FIXTURES, 'accept')))('%s, and written again it reads the same', (name) => {
    const session = load(`accept/${name}`);
    const bytes = encodeSession(session, session.messages);
    const again = decodeSession(bytes);
    expect(again).toEqual(session);
    expect(Buffer.from(encodeSession(again, again.messages)).equals(bytes)).toBe(true);
  });

  it.each(['written-by-pipe.json', 'written-by-pipe-empty.json'])('%s, and written again it is the same byte for byte', (name) => {
    const session = load(name);
    expect(Buffer.from(encodeSession(session, session.messages)).toString()).toBe(readFileSync(join(FIXTURES, name), 'utf8'));
  });

  it('missing and null fields as Go has them', () => {
    expect(load('accept/missing-everything.json')).toEqual({ id: '', systemPrompt: '', createdAt: ZERO, updatedAt: ZERO, messages: [] });
    expect(load('accept/null-messages.json').messages).toEqual([]);
    const bare = { content: [], timestamp: ZERO };
    const answer = { ...bare, role: 'assistant', stopReason: 'unknown', rawStopReason: '', usage: NO_USAGE };
    const blocks = [
      { type: 'text', text: '' },
      { type: 'thinking', thinking: '' },
      { type: 'tool_call', id: '', name: '', arguments: '{}' },
    ];
    const result = { ...bare, role: 'tool_result', toolCallId: '', toolName: '', isError: false };
    expect(messages('null-fields')).toEqual([answer, result, { ...answer, content: blocks }]);
    expect(messages('missing-fields')).toEqual([
      { ...bare, role: 'user' },
      answer,
      result,
      { ...answer, content: blocks },
      { ...bare, role: 'user', content: [{ type: 'image', data: new Uint8Array(), mimeType: '' }] },
    ]);
  });

  it('unknown keys, and names of the prototype do no harm', () => {
    expect(messages('unknown-keys').map(({ content }) => content)).toEqual([[{ type: 'text', text: 'hi' }], [{ type: 'text', text: 'hi' }]]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('the last of equal keys', () => {
    expect(load('accept/duplicate-keys.json')).toMatchObject({ id: 'last', messages: [{ message: { content: [{ text: 'last' }] } }] });
  });

  it('any stop reason, which stays in the file', () => {
    expect(messages('any-stop-reason')).toMatchObject([{ stopReason: 'unknown' }, { stopReason: 'unknown' }]);
    const session = load('accept/any-stop-reason.json');
    const written = Buffer.from(encodeSession(session, session.messages)).toString();
    expect(written).toContain('"stop_reason": "pause_turn"');
    expect(written).toContain('"stop_reason": ""');
  });

  it('arguments that are missing, null or a string', () => {
    const read = (name: string): readonly unknown[] => messages(name).flatMap(({ content }) => content.map((block) => 'arguments' in block && block.arguments));
    expect(read('arguments-missing')).toEqual(['{}']);
    expect(read('arguments-null')).toEqual(['{}']);
    expect(read('arguments-string')).toEqual(['{"path": "a', '"{\\"path\\": \\"a\\"}"', '""']);
    expect(read('arguments-numbers')).toEqual([
      '{"big":12345678901234567890,"one":1.0,"exp":1E400,"neg":-0,"dup":1,"dup":2,"esc":"\\u00e9\\/","__proto__":{"x":1}}',
    ]);
  });

  it('times as they are', () => {
    expect(load('accept/times.json')).toMatchObject({ createdAt: '2026-02-18T12:00:00.123456789+02:00', updatedAt: '2024-02-29T23:59:59.120-11:30' });
  });

  it('half surrogate pairs as the replacement character', () => {
    expect(messages('lone-surrogate')[0]?.content).toEqual([{ type: 'text', text: 'a\uFFFDb' }]);
  });

  it('blocks that such a message cannot hold, which stay in the file but out of the conversation', () => {
    expect(messages('block-in-wrong-message')[0]?.content).toEqual([]);
    const session = load('accept/block-in-wrong-message.json');
    expect(Buffer.from(encodeSession(session, session.messages)).toString()).toContain('"type": "tool_call"');
  });
});

const REFUSED: Readonly<Record<string, readonly [place: string, problem: string]>> = {
  empty: ['', 'empty'],
  'white-space': ['', 'must be an object'],
  truncated: ['messages[0]', 'not valid JSON'],
  'nul-bytes': ['', 'must be an object'],
  'nul-in-string': ['', 'control character in a string (line 1, column 21)'],
  'byte-order-mark': ['', 'byte-order mark'],
  'trailing-data': ['', 'more after the end'],
  'two-values': ['', 'more after the end'],
  'trailing-comma': ['', 'unexpected "}"'],
  comment: ['', 'unexpected "/"'],
  'single-quotes': ['', 'unexpected'],
  'bad-escape': ['', 'unknown escape'],
  'bad-escape-in-unknown': ['', 'unknown escape'],
  'leading-zero': ['', 'unexpected "1"'],
  'too-deep': ['', 'nested deeper than 10000'],
  list: ['', 'must be an object'],
  null: ['', 'must be an object'],
  'version-missing': ['version', 'is missing'],
  'version-2': ['version', 'must be the integer 1, found 2'],
  'version-0': ['version', 'found 0'],
  'version-fraction': ['version', 'found 1.0'],
  'version-exponent': ['version', 'found 1e0'],
  'version-string': ['version', 'found "1"'],
  'version-null': ['version', 'found null'],
  'version-true': ['version', 'found true'],
  'version-object': ['version', 'found {}'],
  'id-number': ['id', 'must be a string'],
  'messages-object': ['messages', 'must be a list'],
  'message-null': ['messages[1]', 'must be an object'],
  'message-string': ['messages[0]', 'must be an object'],
  'message-type-unknown': ['messages[1].type', 'unknown message type "system"'],
  'message-type-missing': ['messages[0].type', 'unknown message type null'],
  'block-type-unknown': ['messages[0].content[1].type', 'unknown block type "file"'],
  'block-type-missing': ['messages[0].content[0].type', 'unknown block type null'],
  'block-null': ['messages[0].content[0]', 'must be an object'],
  'content-string': ['messages[0].content', 'must be a list'],
  'text-number': ['messages[0].content[0].text', 'must be a string'],
  'time-without-zone': ['messages[0].timestamp', 'RFC 3339 time with a zone, found "2026-02-18T12:00:00"'],
  'time-number': ['messages[0].timestamp', 'must be a string'],
  'time-empty': ['messages[0].timestamp', 'RFC 3339'],
  'time-impossible': ['messages[0].timestamp', 'RFC 3339'],
  'time-lower-case': ['messages[0].timestamp', 'RFC 3339'],
  'created-without-zone': ['created_at', 'RFC 3339'],
  'tokens-fraction': ['messages[0].usage.input_tokens', 'whole number, found 1.5'],
  'tokens-whole-fraction': ['messages[0].usage.input_tokens', 'whole number, found 1.0'],
  'tokens-exponent': ['messages[0].usage.output_tokens', 'whole number, found 1e3'],
  'tokens-string': ['messages[0].usage.cache_read_tokens', 'whole number'],
  'tokens-huge': ['messages[0].usage.input_tokens', 'out of range'],
  'usage-list': ['messages[0].usage', 'must be an object'],
  'is-error-string': ['messages[0].is_error', 'true or false'],
  'base64-image': ['messages[0].content[0].data', 'base64'],
  'base64-unpadded': ['messages[0].content[0].data', 'base64'],
  'base64-url': ['messages[0].content[0].data', 'base64'],
  'base64-signature': ['messages[0].content[0].signature', 'base64'],
};

describe('what is refused, with the place', () => {
  it('covers every file', () => {
    expect(
      Object.keys(REFUSED)
        .map((name) => `${name}.json`)
        .sort(),
    ).toEqual(readdirSync(join(FIXTURES, 'refuse')).sort());
  });

  it.each(Object.entries(REFUSED))('%s', (name, [place, problem]) => {
    let error: unknown;
    try {
      load(`refuse/${name}.json`);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InvalidDataError);
    expect(error).toMatchObject({ path: place, message: expect.stringContaining(problem) as string });
  });
});

describe('strange input', () => {
  it('sess-05 never crashes: every prefix and many damaged files end in a session or an InvalidDataError', () => {
    const whole = readFileSync(join(FIXTURES, 'written-by-pipe.json'));
    const attempt = (bytes: Uint8Array): boolean => {
      try {
        decodeSession(bytes);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidDataError);
        return false;
      }
    };
    const places = sampled(Array.from(whole.keys()));
    for (const end of places) expect(attempt(whole.subarray(0, end))).toBe(false);
    for (const at of places) {
      for (const value of [0, 0x22, 0x7d, 0xff]) {
        const damaged = Buffer.from(whole);
        damaged[at] = value;
        attempt(damaged);
      }
    }
  });

  it('takes 10,000 levels of nesting without using the stack', () => {
    const deep = (levels: number): string =>
      `{"version":1,"messages":[{"type":"assistant","content":[{"type":"tool_call","arguments":${'['.repeat(levels)}${']'.repeat(levels)}}]}]}`;
    const session = parse(deep(9_994));
    const bytes = encodeSession(session, session.messages);
    expect(bytes.length).toBeLessThan(100_000);
    expect(decodeSession(bytes).messages).toHaveLength(1);
    expect(() => parse(deep(10_000))).toThrow('nested deeper');
  });

  it('reads a session of 21 MB', () => {
    const bytes = largeSession();
    expect(bytes.length).toBeGreaterThan(20_000_000);
    expect(decodeSession(bytes).messages).toHaveLength(LARGE_SESSION_MESSAGES);
  });
});
