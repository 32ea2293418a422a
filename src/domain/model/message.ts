import type { AssistantContent, ContentBlock, ToolCallBlock, ToolResultContent, UserContent } from './content.js';
import type { CallOutcome } from '../tool/outcome.js';
import type { Usage } from './usage.js';

/** Role of a message. */
export type Role = 'user' | 'assistant' | 'tool_result';

/** Why a model stopped, mapped from the provider's own word, which is kept beside it. */
export const STOP_REASONS = ['end_turn', 'length', 'tool_use', 'error', 'aborted', 'unknown'] as const;
/** One of {@link STOP_REASONS}. */
export type StopReason = (typeof STOP_REASONS)[number];

/** An RFC 3339 time with zone. A string, because files contain precisions and offsets that a `Date` loses. */
export type Timestamp = string;

/** Message of the user. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly UserContent[];
  readonly timestamp: Timestamp;
}

/** Response of the model in one round. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantContent[];
  readonly stopReason: StopReason;
  readonly rawStopReason: string;
  readonly usage: Usage;
  readonly timestamp: Timestamp;
}

/** The answer to one tool call; a message of its own, never nested in a user message. */
export interface ToolResultMessage {
  readonly role: 'tool_result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly ToolResultContent[];
  readonly isError: boolean;
  /** Outcome of the call. It is never sent to a model, and stored beside the messages, as the v1 format has no place for it. */
  readonly outcome?: CallOutcome;
  readonly timestamp: Timestamp;
}

/** A message of a conversation; closed. */
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

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
