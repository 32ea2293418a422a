import type { Message, Timestamp } from '../model/message.js';
import { type Usage, addUsage, NO_USAGE } from '../model/usage.js';

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

/** A workspace folder that was renamed or moved, or that is reached by another path now. Both are absolute. */
export interface MovedFolder {
  readonly from: string;
  readonly to: string;
}

/** Where a file of a workspace folder lies now. A file of another folder lies where it did. */
export function movedPath(path: string, folders: readonly MovedFolder[]): string {
  const folder = folders.find(({ from }) => path === from || (path.startsWith(from) && /[\\/]/.test(path.charAt(from.length))));
  return folder === undefined ? path : `${folder.to}${path.slice(folder.from.length)}`;
}
