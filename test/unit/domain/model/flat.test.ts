import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ContentBlock, text } from '../../../../src/domain/model/content.js';
import { type FlatContent, toFlatMessages, toFlatUsage } from '../../../../src/domain/model/flat.js';
import {
  isCodeContent,
  isImageContent,
  isTextContent,
  isThinkingContent,
  isToolCallContent,
  isToolResultContent,
} from '../../../../src/domain/model/guards.js';
import type { Message } from '../../../../src/domain/model/message.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { conversations, usages } from '../../../support/arbitraries.js';

const AT = '2026-01-02T03:04:05.678Z';
const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 0 };
const IMAGE = { type: 'image', data: new Uint8Array([1, 2, 255]), mimeType: 'image/gif' } as const;

const CONVERSATION: readonly Message[] = [
  { role: 'user', content: [text('look'), IMAGE], timestamp: AT },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: new Uint8Array([9]) },
      text('reading'),
      { type: 'tool_call', id: 'c1', name: 'read', arguments: '{"file_path":"a"}' },
      { type: 'tool_call', id: 'c2', name: 'read', arguments: '{"cut' },
    ],
    stopReason: 'tool_use',
    rawStopReason: 'tool_use',
    usage: USAGE,
    timestamp: AT,
  },
  { role: 'tool_result', toolCallId: 'c2', toolName: 'read', content: [text('no such'), text('file')], isError: true, timestamp: AT },
  { role: 'tool_result', toolCallId: 'c1', toolName: 'read', content: [text('seen'), IMAGE], isError: false, timestamp: AT },
  { role: 'tool_result', toolCallId: 'unknown', toolName: 'read', content: [text('?')], isError: false, timestamp: AT },
];

describe('toFlatMessages', () => {
  const flat = toFlatMessages(CONVERSATION);

  it('gives one message for each content, in order (A1, A3)', () => {
    expect(flat.map(({ role, content }) => [role, content])).toEqual([
      ['user', { type: 'text', text: 'look' }],
      ['user', { type: 'image', images: [{ data: 'AQL/', name: '', mediaType: 'image/gif' }] }],
      ['assistant', { type: 'thinking', reasoning: 'hm' }],
      ['assistant', { type: 'text', text: 'reading' }],
      ['assistant', { type: 'tool-call', name: 'read', id: 'c1', input: { file_path: 'a' } }],
      ['assistant', { type: 'tool-call', name: 'read', id: 'c2', input: '{"cut' }],
      ['tool', { type: 'tool-result', name: 'read', id: 'c2', result: 'no such\nfile', isError: true }],
      ['tool', { type: 'tool-result', name: 'read', id: 'c1', result: 'seen\n[image]', isError: false }],
      ['tool', { type: 'tool-result', name: 'read', id: 'unknown', result: '?', isError: false }],
    ]);
  });

  it('links a result to the message of its call (A12)', () => {
    const idOf = (callId: string) => flat.find(({ content }) => content.type === 'tool-call' && content.id === callId)?.id;
    expect(flat.slice(6).map(({ parentId }) => parentId)).toEqual([idOf('c2'), idOf('c1'), undefined]);
    expect(flat.at(-1)).not.toHaveProperty('parentId');
  });

  it('has times as Date and the usage on the last content of an answer (A1, A5)', () => {
    expect(flat.every(({ timestamp }) => timestamp.toISOString() === AT)).toBe(true);
    expect(flat.flatMap(({ usage, content }) => (usage === undefined ? [] : [[content.type, usage]]))).toEqual([
      ['tool-call', { input: 10, output: 5, cacheRead: 3 }],
    ]);
  });

  it('encodes only the part of a buffer that an image is', () => {
    const whole = new Uint8Array([0, 1, 2, 3]);
    const [first] = toFlatMessages([{ role: 'user', content: [{ ...IMAGE, data: whole.subarray(1, 3) }], timestamp: AT }]);
    expect(first?.content).toMatchObject({ images: [{ data: 'AQI=' }] });
  });

  it('is pure, gives every message an id of its own and loses nothing (A9)', () => {
    fc.assert(
      fc.property(conversations(), (conversation) => {
        const before = structuredClone(conversation);
        const view = toFlatMessages(conversation);
        expect(conversation).toEqual(before);
        expect(toFlatMessages(conversation)).toEqual(view);
        expect(new Set(view.map(({ id }) => id)).size).toBe(view.length);
        expect(view).toHaveLength(conversation.reduce((sum, message) => sum + (message.role === 'tool_result' ? 1 : message.content.length), 0));
      }),
    );
  });
});

describe('toFlatUsage (A5)', () => {
  it('leaves out cache counts of zero and keeps the others', () => {
    expect(toFlatUsage(NO_USAGE)).toEqual({ input: 0, output: 0 });
    fc.assert(
      fc.property(usages, (usage) => {
        const { input, output, cacheRead = 0, cacheWrite = 0 } = toFlatUsage(usage);
        expect({ inputTokens: input, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite }).toEqual(usage);
      }),
    );
  });
});

describe('guards (A7)', () => {
  const blocks: readonly ContentBlock[] = [text('a'), { type: 'thinking', thinking: 'b' }, IMAGE, { type: 'tool_call', id: 'c', name: 'd', arguments: '{}' }];
  const contents: readonly FlatContent[] = [
    { type: 'text', text: 'a' },
    { type: 'thinking', reasoning: 'b' },
    { type: 'image', images: [] },
    { type: 'tool-call', name: 'd', id: 'c', input: {} },
    { type: 'tool-result', name: 'd', id: 'c', result: '', isError: false },
    { type: 'code', code: '1', language: 'js' },
  ];
  const guards = [isTextContent, isThinkingContent, isImageContent, isToolCallContent] as const;

  it('each of the six takes exactly its own kind of flat content', () => {
    const all = [...guards, isToolResultContent, isCodeContent] as const;
    expect(contents.map((content) => all.map((guard) => guard(content)))).toEqual(contents.map((_, row) => all.map((__, column) => row === column)));
  });

  it('the four that both views have take the blocks as well', () => {
    expect(blocks.map((block) => guards.map((guard) => guard(block)))).toEqual(blocks.map((_, row) => guards.map((__, column) => row === column)));
  });

  it('narrow the type', () => {
    const [first] = blocks;
    expect(first !== undefined && isTextContent(first) ? first.text : undefined).toBe('a');
    const call = contents[3];
    expect(call !== undefined && isToolCallContent(call) ? call.id : undefined).toBe('c');
  });
});
