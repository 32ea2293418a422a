import { readdirSync, readFileSync } from 'node:fs';
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../src/domain/model/message.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { wasCut } from '../../../../src/engine/context/cut-watch.js';
import { runs } from '../../../support/runs.js';

const timestamp = '2026-01-01T00:00:00Z';
const root = new URL('../../../../', import.meta.url);
const sources = readdirSync(new URL('src/engine/context', root)).map((name) => readFileSync(new URL(`src/engine/context/${name}`, root), 'utf8'));
const prose = readFileSync(new URL('docs/architecture.md', root), 'utf8');

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }], timestamp });
const answer = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  stopReason: 'end_turn',
  rawStopReason: 'stop',
  usage: NO_USAGE,
  timestamp,
});
const requestOf = (messages: readonly Message[], systemPrompt = ''): Request => ({ model: 'm', systemPrompt, messages, tools: [] });
const textsOf = (messages: readonly Message[]): string =>
  messages.flatMap(({ content }) => content.map((block) => (block.type === 'text' ? block.text : ''))).join('\n');
const cut = (request: Request, inputTokens: number): boolean => wasCut(request, { ...NO_USAGE, inputTokens });

/** What tokenizers make much or little of. */
const piece = fc.oneof(
  fc.constantFrom(...sources, prose, JSON.stringify(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')))),
  fc.constantFrom(
    '='.repeat(5_000),
    ' '.repeat(20_000),
    'a b c d e f '.repeat(500),
    '1,2,3,4,'.repeat(900),
    "don't can't ".repeat(500),
    '|---'.repeat(2_000),
    'deadbeef01'.repeat(700),
    '\u200B'.repeat(500),
  ),
  fc
    .constantFrom(
      '在软件开发中，我们经常需要处理大量的文本数据。',
      'В разработке программного обеспечения очень важны тесты. ',
      'हिन्दी में लिखा हुआ पाठ ',
      'ภาษาไทยไม่มีช่องว่าง ',
      '👩‍👩‍👧‍👦 ',
    )
    .map((text) => text.repeat(200)),
  fc.string({ maxLength: 3_000, unit: 'grapheme' }),
);

describe('a server that reads everything', () => {
  test('is never suspected, whatever the text and the tokenizer', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.constantFrom(o200k, cl100k), (pieces, encode) => {
        const messages = pieces.map((text, at) => (at % 2 === 0 ? user(text) : answer(text)));
        return !cut(requestOf(messages), encode(textsOf(messages)).length);
      }),
      { numRuns: runs(60) },
    );
  });

  test('is not suspected when it leaves out of its numbers what it read from a cache', () => {
    const messages = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? user(sources[at % sources.length] ?? '') : answer('Read.')));
    for (let length = 1; length <= messages.length; length += 2) {
      const sent = messages.slice(0, length);
      const last = sent.findLastIndex(({ role }) => role === 'assistant');
      // All but the system prompt; what is new; what is new and the answer before it.
      for (const counted of [sent, sent.slice(last + 1), sent.slice(Math.max(0, last))]) {
        if (counted === sent && last >= 0) continue;
        expect(cut(requestOf(sent, prose), o200k(textsOf(counted)).length)).toBe(false);
      }
    }
  });

  test('is not suspected for thinking, images and arguments that it does not count, or for numbers that are none', () => {
    const thought: Message = {
      ...answer(''),
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: prose },
        { type: 'tool_call', id: '1', name: 'write', arguments: JSON.stringify({ content: prose }) },
      ],
    } as Message;
    const image: Message = { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: new Uint8Array(4_000_000) }], timestamp };
    expect(cut(requestOf([user('Go.'), thought, image]), 1_200)).toBe(false);
    for (const reported of [0, 1, 10, 999]) expect(cut(requestOf([user(prose.repeat(5))]), reported)).toBe(false);
  });
});

describe('a server that reads no more than fits', () => {
  test.each([
    ['prose', prose.repeat(3)],
    ['code', sources.join('\n').repeat(3)],
  ])('is noticed with %s of several times its window, at once and in a long chat', (_kind, long) => {
    expect(o200k(long).length).toBeGreaterThan(4 * 4_096);
    for (const window of [2_050, 4_096]) {
      expect(cut(requestOf([user(long)]), window)).toBe(true);
      expect(cut(requestOf([user(long), answer('Yes.'), user('And now?')]), window)).toBe(true);
    }
  });
});
