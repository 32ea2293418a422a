import { assertNever } from '../domain/assert-never.js';
import type { AssistantContent, ContentBlock, ToolResultContent, UserContent } from '../domain/model/content.js';
import type { Message, Timestamp } from '../domain/model/message.js';
import type { Usage } from '../domain/model/usage.js';
import { isTimestamp, trimFraction } from './codec/time.js';

/**
 * A message as it can be stored, whatever is in it: nothing may ever make a conversation unsaveable. Content slots that
 * were never filled are left out, an invalid time becomes the present one, invalid counts become 0. Times get
 * Pipe's form. A message without such faults comes out equal but for its time.
 */
export function cleanMessage(message: Message, now: Timestamp): Message {
  const timestamp = cleanTime(message.timestamp, now);
  switch (message.role) {
    case 'user':
      return { ...message, content: filled<UserContent>(message.content), timestamp };
    case 'assistant':
      return { ...message, content: filled<AssistantContent>(message.content), usage: cleanUsage(message.usage), timestamp };
    case 'tool_result':
      return { ...message, content: filled<ToolResultContent>(message.content), timestamp };
    default:
      return assertNever(message);
  }
}

/** A time in Pipe's form; `now` for text that is no time. */
export function cleanTime(value: Timestamp, now: Timestamp): Timestamp {
  return isTimestamp(value) ? trimFraction(value) : trimFraction(now);
}

function filled<B extends ContentBlock>(content: readonly (B | undefined)[]): readonly B[] {
  return [...content].filter((block) => block !== undefined && isFilled(block)) as B[];
}

function isFilled(block: ContentBlock | null): boolean {
  if (block === null) return false;
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string';
    case 'thinking':
      return typeof block.thinking === 'string';
    case 'image':
      return block.data instanceof Uint8Array;
    case 'tool_call':
      return [block.id, block.name, block.arguments].every((field) => typeof field === 'string');
    default:
      return false;
  }
}

function cleanUsage(usage: Usage): Usage {
  const count = (value: number): number => (Number.isFinite(value) ? Math.min(Math.max(0, Math.round(value)), Number.MAX_SAFE_INTEGER) : 0);
  return {
    inputTokens: count(usage.inputTokens),
    outputTokens: count(usage.outputTokens),
    cacheReadTokens: count(usage.cacheReadTokens),
    cacheWriteTokens: count(usage.cacheWriteTokens),
  };
}
