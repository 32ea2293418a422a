import type { Message, Timestamp } from '../model/message.js';
import type { Usage } from '../model/usage.js';
import { addUsage, NO_USAGE } from '../model/usage.js';

/** A conversation: data only. */
export interface Session {
  readonly id: string;
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** Numbers computed from messages on demand, never stored. */
export interface SessionStats {
  readonly messages: number;
  readonly toolCalls: number;
  readonly usage: Usage;
}

/** Counts a conversation. */
export function computeSessionStats(messages: readonly Message[]): SessionStats {
  let calls = 0;
  let usage = NO_USAGE;
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    usage = addUsage(usage, message.usage);
    calls += message.content.filter((block) => block.type === 'tool_call').length;
  }
  return { messages: messages.length, toolCalls: calls, usage };
}
