import { randomUUID } from 'node:crypto';
import { assertNever } from '../../domain/assert-never.js';
import type { AssistantContent, ContentBlock, ImageBlock } from '../../domain/model/content.js';
import type { AssistantMessage, StopReason, ToolResultMessage } from '../../domain/model/message.js';
import type { Usage } from '../../domain/model/usage.js';
import { toForeign } from '../../hook/foreign-names.js';

/** A message of the protocol: an object with a `type`, never a bare value. */
export type WireMessage = Readonly<Record<string, unknown>> & { readonly type: string };

/** An answer as the Messages API has it. @param folder absolute path of the current folder, for relative paths in calls */
export function assistantOf({ content, stopReason, usage }: AssistantMessage, model: string, folder: string): object {
  return {
    id: messageId(),
    type: 'message',
    role: 'assistant',
    model,
    content: content.map((block) => contentOf(block, folder)),
    stop_reason: stopReasonOf(stopReason),
    stop_sequence: null,
    usage: usageOf(usage),
  };
}

/** Words of the Messages API for why an answer ended; `null` for one that broke off. */
export function stopReasonOf(reason: StopReason): string | null {
  switch (reason) {
    case 'end_turn':
    case 'tool_use':
      return reason;
    case 'length':
      return 'max_tokens';
    case 'error':
    case 'aborted':
    case 'unknown':
      return null;
    default:
      return assertNever(reason);
  }
}

/** Tokens in the words of the Messages API. */
export function usageOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, hourCacheWriteTokens: hour }: Usage): object {
  const byLifetime = hour === undefined ? {} : { cache_creation: { ephemeral_5m_input_tokens: cacheWriteTokens - hour, ephemeral_1h_input_tokens: hour } };
  const cache = { cache_read_input_tokens: cacheReadTokens, cache_creation_input_tokens: cacheWriteTokens, ...byLifetime };
  return { input_tokens: inputTokens, output_tokens: outputTokens, ...cache };
}

/** A block as the Messages API has it. */
export function contentOf(block: ContentBlock | AssistantContent, folder: string): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return block.redacted === true
        ? { type: 'redacted_thinking', data: base64(block.signature) }
        : { type: 'thinking', thinking: block.thinking, signature: base64(block.signature) };
    case 'tool_call':
      return { type: 'tool_use', id: block.id, ...callOnWire(block.name, inputOf(block.arguments), folder) };
    case 'image':
      return imageOf(block);
    default:
      return assertNever(block);
  }
}

/** What a tool gave back, as a block. */
export function resultOf({ toolCallId, content, isError }: ToolResultMessage, folder: string): object {
  return { type: 'tool_result', tool_use_id: toolCallId, content: content.map((block) => contentOf(block, folder)), ...(isError ? { is_error: true } : {}) };
}

function imageOf({ data, mimeType }: ImageBlock): object {
  return { type: 'image', source: { type: 'base64', media_type: mimeType, data: base64(data) } };
}

function base64(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** A call under the name, and with the arguments, that Claude Code has for it: what the users of its SDKs know. */
function callOnWire(name: string, input: object, folder: string): { readonly name: string; readonly input: unknown } {
  const { name: foreign, input: theirs } = toForeign({ name, input }, 'claude', folder);
  return { name: foreign, input: theirs };
}

/** A call that was denied. @param input its arguments, where they are known */
export function deniedOnWire(name: string, input: unknown, folder: string): object {
  const call = callOnWire(name, typeof input === 'object' && input !== null ? input : {}, folder);
  return { tool_name: call.name, tool_input: call.input };
}

/** The arguments of a call. Those that are no JSON object are given as the text that they are, in a field of its own. */
function inputOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below.
  }
  return { unparsed_arguments: text };
}

/** The name that Claude Code has for a tool. */
export function nameOnWire(tool: string): string {
  return toForeign({ name: tool, input: {} }, 'claude', '').name;
}

/** An id for a message that has none of its provider. */
export function messageId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`;
}
