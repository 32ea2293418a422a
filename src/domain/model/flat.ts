import { present } from '../present.js';
import { assertNever } from '../assert-never.js';
import type { AssistantContent, ContentBlock } from './content.js';
import type { Message, ToolResultMessage } from './message.js';
import type { Usage } from './usage.js';

/** Role of a message in the flat view. `system` is for notices of a view; no stored message has it. */
export type FlatRole = 'user' | 'assistant' | 'system' | 'tool';
/** Text or Markdown. */
export type FlatText = Readonly<{ type: 'text'; text: string }>;
/** Reasoning of the model. */
export type FlatThinking = Readonly<{ type: 'thinking'; reasoning: string }>;
/** A request to run a tool; `input` is the parsed arguments, or the raw text where they are not JSON. */
export type FlatToolCall = Readonly<{ type: 'tool-call'; name: string; id: string; input: unknown }>;
/** The answer of a tool. */
export type FlatToolResult = Readonly<{ type: 'tool-result'; name: string; id: string; result: string; isError: boolean }>;
/** Images, as base64. */
export type FlatImages = Readonly<{ type: 'image'; images: readonly FlatImage[] }>;
/** One image. */
export type FlatImage = Readonly<{ data: string; name: string; mediaType: string }>;
/** A fenced block cut out of text for rendering; never stored. */
export type FlatCode = Readonly<{ type: 'code'; code: string; language?: string }>;
/** Exactly one content. */
export type FlatContent = FlatText | FlatThinking | FlatToolCall | FlatToolResult | FlatImages | FlatCode;

/** A message with exactly one content, for rendering and export. */
export interface FlatMessage {
  /** Stable within a conversation: positions of message and block. */
  readonly id: string;
  readonly role: FlatRole;
  readonly content: FlatContent;
  readonly timestamp: Date;
  /** For a tool result, the id of the flat message with its call. */
  readonly parentId?: string;
  /** On the last content of an assistant message. */
  readonly usage?: FlatUsage;
}

/** Usage in the names of the one-block view. */
export type FlatUsage = Readonly<{ input: number; output: number; cacheRead?: number; cacheWrite?: number }>;

/** The conversation as messages of one content each. Pure; the order is kept. */
export function toFlatMessages(messages: readonly Message[]): readonly FlatMessage[] {
  const callIds = new Map<string, string>();
  return messages.flatMap((message, position) => {
    const id = (index: number): string => `${position}.${index}`;
    if (message.role === 'tool_result') return [flatResult(message, id(0), callIds.get(message.toolCallId))];
    const timestamp = new Date(message.timestamp);
    return message.content.map((block, index): FlatMessage => {
      if (block.type === 'tool_call') callIds.set(block.id, id(index));
      const last = message.role === 'assistant' && index === message.content.length - 1;
      const usage = last ? { usage: toFlatUsage(message.usage) } : {};
      return { id: id(index), role: message.role, content: toFlatContent(block), timestamp, ...usage };
    });
  });
}

/** Pipe's usage in agent-types' names; cache fields only where there are any. */
export function toFlatUsage(usage: Usage): FlatUsage {
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    ...(usage.cacheReadTokens > 0 ? { cacheRead: usage.cacheReadTokens } : {}),
    ...(usage.cacheWriteTokens > 0 ? { cacheWrite: usage.cacheWriteTokens } : {}),
  };
}

function flatResult(message: ToolResultMessage, id: string, parentId: string | undefined): FlatMessage {
  const result = message.content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
  return {
    id,
    role: 'tool',
    content: { type: 'tool-result', name: message.toolName, id: message.toolCallId, result, isError: message.isError },
    timestamp: new Date(message.timestamp),
    ...present({ parentId }),
  };
}

function toFlatContent(block: ContentBlock | AssistantContent): FlatContent {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', reasoning: block.thinking };
    case 'tool_call':
      return { type: 'tool-call', name: block.name, id: block.id, input: parsedOrRaw(block.arguments) };
    case 'image':
      return { type: 'image', images: [{ data: base64(block.data), name: '', mediaType: block.mimeType }] };
    default:
      return assertNever(block);
  }
}

function parsedOrRaw(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    // Arguments that were cut off are shown as they arrived.
    return json;
  }
}

function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}
