import { describe, expect, it } from 'vitest';
import type { SentRequest } from '../../../../src/provider/http/request-log.js';
import { bodyText, requestText } from '../../../../src/chat/requests/request-text.js';

const BODY = JSON.stringify({ model: 'm', system: 'You are.', messages: [{ role: 'user\n// fake\u202E', content: 'Hi \u200B' }] });

const WAITING: SentRequest = {
  id: 3,
  sender: { provider: 'anthropic', model: 'claude', session: 'session-1' },
  method: 'POST',
  url: ['https://api.example.com/v1/messages?key=', { characters: 5 }],
  headers: [
    { name: 'host', value: ['api.example.com'] },
    { name: 'x-api-key', value: [{ characters: 51 }] },
    { name: 'x-odd', value: ['a\u202Eb'] },
  ],
  allHeaders: true,
  body: new Blob([BODY]),
  size: Buffer.byteLength(BODY),
  sentAt: 0,
};
const REQUEST: SentRequest = {
  ...WAITING,
  answer: { status: 200, afterMs: 812 },
  end: { outcome: 'complete', afterMs: 5_100, usage: { inputTokens: 10, cacheReadTokens: 20, cacheWriteTokens: 5, outputTokens: 7 } },
};

describe('a request as a document', () => {
  it('ends with the body exactly as it was sent, behind comments of one line each', async () => {
    const text = await requestText(REQUEST, 'sent');
    expect(text.endsWith(`\n${BODY}`)).toBe(true);
    const head = text.slice(0, -BODY.length).trimEnd().split('\n');
    expect(head.every((line) => line.startsWith('//'))).toBe(true);
    expect(head.slice(0, 4)).toEqual([
      '// POST https://api.example.com/v1/messages?key=‹redacted: 5 characters›',
      '// host: api.example.com',
      '// x-api-key: ‹redacted: 51 characters›',
      String.raw`// x-odd: a\u{202e}b`,
    ]);
    for (const line of [
      '// Model: anthropic/claude',
      '// Chat: session-1',
      '// Response: status 200 after 0.8 s, complete after 5.1 s',
      '// Tokens as the server reports them: 35 in (20 read from the cache, 5 written to it), 7 out',
    ])
      expect(head).toContain(line);
    expect(head.some((line) => /^\/\/ +\d+ {2}System prompt$/.test(line))).toBe(true);
    expect(head.some((line) => line.endsWith(String.raw`Message 1: user\u{a}// fake\u{202e}`))).toBe(true);
  });

  it('has the body formatted, or the formatted body alone', async () => {
    const formatted = JSON.stringify(JSON.parse(BODY), null, 2);
    expect((await requestText(REQUEST, 'formatted')).endsWith(`\n${formatted}`)).toBe(true);
    expect(await requestText(REQUEST, 'body')).toBe(formatted);
  });

  it('says what is not known', async () => {
    const text = await requestText({ ...WAITING, sender: { provider: 'mine', model: '' }, allHeaders: false, body: 'not json \uFEFF' }, 'sent');
    for (const line of ['// Model: mine', '// Response: in progress', '// The headers that the connection adds are not known.'])
      expect(text.split('\n')).toContain(line);
    expect(text).not.toContain('Chat:');
    expect(text.endsWith('\nnot json \uFEFF')).toBe(true);
  });

  it('is put together from the pieces of a stream, whose ends may be within a character', async () => {
    const bytes = Buffer.from('\uFEFF{"a":"😀"}');
    expect(await bodyText({ ...REQUEST, body: [bytes.subarray(0, 10), bytes.subarray(10)] })).toBe('\uFEFF{"a":"😀"}');
  });
});
