import fc from 'fast-check';
import {
  type AssistantContent,
  type ImageBlock,
  type TextBlock,
  type ThinkingBlock,
  type ToolCallBlock,
  type UserContent,
  IMAGE_MIME_TYPES,
} from '../../src/domain/model/content.js';
import { type AssistantMessage, type Message, type Timestamp, type ToolResultMessage, type UserMessage, STOP_REASONS } from '../../src/domain/model/message.js';
import type { Session } from '../../src/domain/session/session.js';
import type { Usage } from '../../src/domain/model/usage.js';
import { anyCharacter } from './any-character.js';

/** Text with everything that makes trouble: control characters, emoji, lone surrogates, nothing at all. */
const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: anyCharacter }), fc.constantFrom('', '\n', '\u0000', '𝄞', '```js\n1\n```'));

/** Bytes, never none. */
const someBytes = fc.uint8Array({ minLength: 1, maxLength: 64 });

/** RFC 3339 times with several precisions and zones (P45). */
const timestamps: fc.Arbitrary<Timestamp> = fc
  .tuple(
    fc.date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true }),
    fc.constantFrom('Z', '+00:00', '+02:00', '-05:30'),
    fc.constantFrom('', '.1', '.123', '.123456789'),
  )
  .map(([date, zone, fraction]) => `${date.toISOString().slice(0, 19)}${fraction}${zone}`);

/** Usage with all its fields. */
export const usages: fc.Arbitrary<Usage> = fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat(), cacheReadTokens: fc.nat(), cacheWriteTokens: fc.nat() });

/** Text blocks; `content` decides what they hold. */
function textBlocks(content: fc.Arbitrary<string> = anyText): fc.Arbitrary<TextBlock> {
  return content.map((value) => ({ type: 'text', text: value }));
}

/** Small images, of which only type and bytes are right. */
const imageBlocks: fc.Arbitrary<ImageBlock> = fc
  .tuple(someBytes, fc.constantFrom(...IMAGE_MIME_TYPES))
  .map(([data, mimeType]) => ({ type: 'image', data, mimeType }));

/** Reasoning: plain, signed or redacted (G22). */
function thinkingBlocks(content: fc.Arbitrary<string> = anyText): fc.Arbitrary<ThinkingBlock> {
  return fc.oneof(
    content.map((thinking): ThinkingBlock => ({ type: 'thinking', thinking })),
    fc.tuple(content, someBytes).map(([thinking, signature]): ThinkingBlock => ({ type: 'thinking', thinking, signature })),
    someBytes.map((signature): ThinkingBlock => ({ type: 'thinking', thinking: '', signature, redacted: true })),
  );
}

/** Tool calls; arguments are JSON with numbers too large for doubles, or cut off. Ids are unique with all likelihood. */
function toolCallBlocks(): fc.Arbitrary<ToolCallBlock> {
  const json = fc.oneof(
    fc.object().map((value) => JSON.stringify(value)),
    fc.constantFrom('{}', '{"a":12345678901234567890}', '{ "spaces" :  1 }', '{"cut', ''),
  );
  const name = fc.constantFrom('read', 'write', 'edit', 'bash', 'grep', 'glob', 'no_such_tool');
  return fc.tuple(fc.uuid(), name, json).map(([id, tool, args]) => ({ type: 'tool_call', id: `call_${id}`, name: tool, arguments: args }));
}

/** What the person says. */
function userMessages(content: fc.Arbitrary<string> = anyText): fc.Arbitrary<UserMessage> {
  const blocks: fc.Arbitrary<UserContent> = fc.oneof({ weight: 3, arbitrary: textBlocks(content) }, imageBlocks);
  return fc.tuple(fc.array(blocks, { minLength: 1, maxLength: 3 }), timestamps).map(([parts, timestamp]) => ({ role: 'user', content: parts, timestamp }));
}

/** What a model says; the stop reason fits the content only by chance. */
function assistantMessages(content: fc.Arbitrary<string> = anyText): fc.Arbitrary<AssistantMessage> {
  const blocks: fc.Arbitrary<AssistantContent> = fc.oneof(textBlocks(content), thinkingBlocks(content), toolCallBlocks());
  return fc.record({
    role: fc.constant('assistant' as const),
    content: fc.array(blocks, { minLength: 1, maxLength: 4 }),
    stopReason: fc.constantFrom(...STOP_REASONS),
    rawStopReason: fc.constantFrom('', 'end_turn', 'max_tokens', 'interrupted', 'something_new'),
    usage: usages,
    timestamp: timestamps,
  });
}

/** The answer to a call, or to none that is known. */
function toolResultMessages(call?: ToolCallBlock, content: fc.Arbitrary<string> = anyText): fc.Arbitrary<ToolResultMessage> {
  return fc.record({
    role: fc.constant('tool_result' as const),
    toolCallId: call === undefined ? fc.uuid() : fc.constant(call.id),
    toolName: call === undefined ? fc.constantFrom('read', 'bash') : fc.constant(call.name),
    content: fc.array(fc.oneof({ weight: 3, arbitrary: textBlocks(content) }, imageBlocks), { minLength: 1, maxLength: 2 }),
    isError: fc.boolean(),
    timestamp: timestamps,
  });
}

/** Any single valid message. */
export function messages(content: fc.Arbitrary<string> = anyText): fc.Arbitrary<Message> {
  return fc.oneof(userMessages(content), assistantMessages(content), toolResultMessages(undefined, content));
}

/** Conversations as the engine makes them: turns of a user message, then answers whose calls each have a result, in order. */
export function conversations(content: fc.Arbitrary<string> = anyText): fc.Arbitrary<readonly Message[]> {
  const round = assistantMessages(content).chain((answer) => {
    const calls = answer.content.filter((block) => block.type === 'tool_call');
    return fc.tuple(fc.constant(answer), ...calls.map((call) => toolResultMessages(call, content))).map((parts): readonly Message[] => parts);
  });
  const turn = fc.tuple(userMessages(content), fc.array(round, { minLength: 1, maxLength: 3 })).map(([said, rounds]) => [said, ...rounds.flat()]);
  return fc.array(turn, { maxLength: 3 }).map((turns) => turns.flat());
}

/** Whole sessions. */
export function sessions(content: fc.Arbitrary<string> = anyText): fc.Arbitrary<Session> {
  return fc.record({ id: fc.uuid(), systemPrompt: content, messages: conversations(content), createdAt: timestamps, updatedAt: timestamps });
}
