import type { AssistantContent, ContentBlock, ThinkingBlock } from '../../domain/model/content.js';
import type { Message } from '../../domain/model/message.js';

/** The positions of the blocks of a message whose thinking is redacted. */
export function redactedBlocks(message: Message): readonly number[] {
  return message.content.flatMap((block, position) => (block.type === 'thinking' && block.redacted === true ? [position] : []));
}

/** The message with the thinking at some positions marked as redacted, as it was before v1 dropped the mark. */
export function redactBlocks(message: Message, positions: readonly number[]): Message {
  if (message.role !== 'assistant' || positions.length === 0) return message;
  const mark = (block: AssistantContent, position: number): AssistantContent =>
    isOpaque(block) && positions.includes(position) ? { ...block, redacted: true } : block;
  return { ...message, content: message.content.map(mark) };
}

/** Whether a message may contain redacted thinking: in v1 that is thinking without text but with a signature. */
export function mayHoldRedacted(message: Message): boolean {
  return message.content.some(isOpaque);
}

function isOpaque<B extends ContentBlock>(block: B): block is B & ThinkingBlock {
  return block.type === 'thinking' && block.thinking === '' && block.signature !== undefined;
}

/**
 * The message as it may be used when it is not known which thinking is redacted: a signature without text becomes a redacted
 * block without payload, which no provider can send. The file keeps its bytes.
 */
export function withholdRedacted(message: Message): Message {
  if (message.role !== 'assistant' || !mayHoldRedacted(message)) return message;
  const withhold = (block: AssistantContent): AssistantContent => (isOpaque(block) ? { type: 'thinking', thinking: '', redacted: true } : block);
  return { ...message, content: message.content.map(withhold) };
}
