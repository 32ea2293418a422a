import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../src/domain/model/message.js';
import { requestLimit } from '../../../../src/engine/context/context-meter.js';
import { messagesParts, messagesTokens, messageTokens, prefixParts } from '../../../../src/engine/context/message-tokens.js';
import { systemPrompt } from '../../../../src/engine/system-prompt.js';
import { answers, calls, says, ScriptedProvider, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { messageTexts } from '../../../support/worst-inputs.js';
import { ok, rig, testTool, user } from '../rig.js';
import { pastTalk, SMALL_MODEL } from './long-talk.js';

const go = [{ type: 'text' as const, text: 'go' }];

describe('what a request may take', () => {
  test('the window less what an answer takes: what the model or the person allows, a fifth, 32,000', () => {
    expect(requestLimit({ ...TEST_MODEL, contextWindow: 200_000, maxOutputTokens: 8_000 })).toBe(192_000);
    expect(requestLimit({ ...TEST_MODEL, contextWindow: 200_000, maxOutputTokens: 8_000, maxTokens: 4_000 })).toBe(196_000);
    expect(requestLimit({ ...TEST_MODEL, contextWindow: 100_000, maxOutputTokens: 64_000 })).toBe(80_000);
    expect(requestLimit({ ...TEST_MODEL, contextWindow: 1_000_000, maxOutputTokens: 128_000 })).toBe(968_000);
  });

  test('a window whose size is not known has none, and nothing is told of it', async () => {
    for (const contextWindow of [0, -1, NaN]) expect(requestLimit({ ...TEST_MODEL, contextWindow })).toBeUndefined();
    const { session, events } = rig({ model: { ...TEST_MODEL, contextWindow: 0 }, autoCompactPercent: 50, scripts: [answers('Hi.')] });
    await session.send(go).turn;
    expect(session.context).toBeUndefined();
    expect(events.some(({ type }) => type === 'context')).toBe(false);
  });
});

describe('how full the window is', () => {
  test('what the model reported counts up to its last answer; what came after is estimated', async () => {
    const { session, events } = rig({
      tools: [testTool('read', { execute: () => ok('word '.repeat(1_000)) })],
      scripts: [
        [
          ...calls(0, '1', { name: 'read', args: {} }),
          ...stops('tool_use', { inputTokens: 3_000, cacheReadTokens: 2_000, cacheWriteTokens: 1_000, outputTokens: 50 }),
        ],
        [...says(0, 'Done.'), ...stops('end_turn', { inputTokens: 7_100, outputTokens: 10 })],
      ],
    });
    await session.send(go).turn;
    const told = events.flatMap((event) => (event.type === 'context' ? [event.context] : []));
    // After the answer, after its results, after the last answer.
    expect(told.map(({ used }) => used)).toEqual([6_050, expect.closeTo(7_060, -2), 7_110]);
    expect(told[0]?.limit).toBe(192_000);
    expect(session.context).toEqual(told[2]);
    // What it is filled with adds up, and what tools gave back is told from what was said.
    for (const { used, parts } of told) expect(Object.values(parts ?? {}).reduce((total: number, tokens: number) => total + tokens, 0)).toBe(used);
    expect(told[0]?.parts?.toolResults).toBe(0);
    expect(told[1]?.parts?.toolResults).toBeGreaterThan(500);
    // Only what the model itself counted is no estimate.
    expect(told.map(({ exact }) => exact)).toEqual([true, undefined, true]);
  });

  test('a conversation that is opened is estimated; so is one whose numbers are of another model or nonsense', () => {
    const past = pastTalk(4);
    const { session } = rig({ messages: past });
    const estimated = messagesTokens(past) + prefixParts('Be good.', []).systemPrompt;
    expect(session.context?.used).toBe(estimated);
    expect(estimated).toBeGreaterThan(4_000);
    const measured = (inputTokens: number): readonly Message[] => {
      return past.map((message) => (message.role === 'assistant' ? { ...message, usage: { ...message.usage, inputTokens } } : message));
    };
    const models = { '15': 'scripted/model-1' };
    expect(rig({ messages: measured(5_000), meta: { models } }).session.context?.used).toBe(5_000);
    for (const nonsense of [3, 1e9]) expect(rig({ messages: measured(nonsense), meta: { models } }).session.context?.used).toBe(estimated);
    expect(rig({ messages: measured(5_000), meta: { models: { '15': 'other/model' } } }).session.context?.used).toBe(estimated);
  });

  test('a conversation far too long for any window is opened, and known to be so', () => {
    const { session } = rig({ messages: messageTexts().map((text) => user(text)) });
    expect(session.context?.used).toBeGreaterThan(4_000_000);
  });

  test('another model has another limit, told at once', () => {
    const { session, events } = rig({ messages: pastTalk(1) });
    session.setModel(new ScriptedProvider([]), { ...SMALL_MODEL, id: 'model-2' });
    expect(events).toEqual([expect.objectContaining({ type: 'settings_changed' }), { type: 'context', context: session.context, who: session.identity }]);
    expect(session.context?.limit).toBe(8_000);
  });

  test('after a summary the estimate keeps to what the model counted before', async () => {
    const twice = (tokens: number): Message[] =>
      pastTalk(6).map((message) => (message.role === 'assistant' ? { ...message, usage: { ...message.usage, inputTokens: tokens } } : message));
    const estimated = messagesTokens(pastTalk(6));
    const models = { '23': 'scripted/model-1' };
    const plain = rig({ messages: twice(estimated), meta: { models }, scripts: [answers('Summary.')] });
    const dear = rig({ messages: twice(2 * estimated), meta: { models }, scripts: [answers('Summary.')] });
    await plain.session.compact();
    await dear.session.compact();
    expect((dear.session.context?.used ?? 0) / (plain.session.context?.used ?? 1)).toBeCloseTo(2, 0);
  });
});

test('images count by size, encrypted thinking by its payload, of a broken answer only the text', () => {
  const image = (bytes: number): Message => ({ role: 'user', content: [{ type: 'image', data: new Uint8Array(bytes), mimeType: 'image/png' }], timestamp: '' });
  expect(messageTokens(image(5_000))).toBeLessThan(200);
  expect(messageTokens(image(5_000_000))).toBeLessThan(1_700);
  expect(messageTokens(image(5_000_000))).toBeGreaterThan(1_500);
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const content = [
    { type: 'thinking' as const, thinking: '', redacted: true as const, signature: new Uint8Array(4_000) },
    { type: 'text' as const, text: 'Half' },
  ];
  const answer = { role: 'assistant' as const, content, rawStopReason: '', usage, timestamp: '' };
  expect(messageTokens({ ...answer, stopReason: 'end_turn' })).toBe(1_005);
  expect(messageTokens({ ...answer, stopReason: 'aborted' })).toBe(5);
  const result: Message = {
    role: 'tool_result',
    toolCallId: '1',
    toolName: 'read',
    content: [{ type: 'text', text: 'word '.repeat(1_000_000) }],
    isError: false,
    timestamp: '',
  };
  expect(messageTokens(result)).toBeLessThan(25_000);
  expect(messageTokens(user('hello'))).toBe(5);
});

describe('what a context is made of', () => {
  test('the instructions of the project are told from the system prompt that they are in', () => {
    const file = { path: '/ws/AGENTS.md', display: 'AGENTS.md', text: 'Use tabs. '.repeat(200), truncated: false };
    const plain = prefixParts(systemPrompt('Platform: linux'), []);
    const more = prefixParts(systemPrompt('Platform: linux', [file]), [testTool('read').spec]);
    expect(plain).toMatchObject({ tools: 0, instructions: 0 });
    expect(Math.abs(more.systemPrompt - plain.systemPrompt)).toBeLessThan(5);
    expect(more.instructions).toBeGreaterThan(400);
    expect(more.tools).toBeGreaterThan(10);
  });

  test('images, results and the instructions that come with results are parts of their own', () => {
    const image = { type: 'image' as const, data: new Uint8Array(50_000), mimeType: 'image/png' as const };
    const said: Message = { role: 'user', content: [image, { type: 'text', text: 'Look at this.' }], timestamp: '' };
    const content = [
      { type: 'text' as const, text: 'word '.repeat(300) },
      image,
      { type: 'text' as const, text: `[Instructions of src/AGENTS.md:\n${'Use tabs. '.repeat(50)}\n]` },
    ];
    const result: Message = { role: 'tool_result', toolCallId: '1', toolName: 'read', content, isError: false, timestamp: '' };
    const parts = messagesParts([said, result]);
    expect(parts.images).toBe(1_200);
    expect(parts.messages).toBeLessThan(15);
    expect(parts.toolResults).toBeGreaterThan(250);
    expect(parts.instructions).toBeGreaterThan(100);
    expect(parts.messages + parts.images + parts.toolResults + parts.instructions).toBe(messagesTokens([said, result]));
  });
});
