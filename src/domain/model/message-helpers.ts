import type { ContentBlock, ToolCallBlock } from './content.js';
import type { AssistantMessage, Message } from './message.js';

type HasContent = Readonly<{ content: readonly ContentBlock[] }>;

/** The tool calls of a message in order. */
export function toolCalls(message: HasContent): readonly ToolCallBlock[] {
  return message.content.filter((block) => block.type === 'tool_call');
}

/** Whether a message asks for a tool. */
export function hasToolCalls(message: HasContent): boolean {
  return message.content.some((block) => block.type === 'tool_call');
}

/** The text of a message: its text blocks joined, thinking and calls left out. */
export function textContent(message: HasContent): string {
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** Tool calls at the end of a conversation that no result answers yet, in order. */
export function unansweredToolCalls(messages: readonly Message[]): readonly ToolCallBlock[] {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  if (last < 0) return [];
  const answered = new Set(messages.slice(last + 1).flatMap((message) => (message.role === 'tool_result' ? [message.toolCallId] : [])));
  return toolCalls(messages[last] as AssistantMessage).filter((call) => !answered.has(call.id));
}
