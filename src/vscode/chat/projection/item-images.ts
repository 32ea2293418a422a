import type { ImageBlock } from '../../../domain/model/content.js';
import type { Message } from '../../../domain/model/message.js';
import type { TranscriptRequest } from '../../../protocol/panel/transcript-requests.js';
import { messageIndexOf } from './item-ids.js';

/** The picture that a page asks for: of a user's message by its item, else of what a call gave back. */
export function imageOf(messages: readonly Message[], { item, call, index }: Extract<TranscriptRequest, { type: 'load_image' }>): ImageBlock | undefined {
  const message = call === undefined ? messageAt(messages, item) : messages.findLast((each) => each.role === 'tool_result' && each.toolCallId === call);
  const blocks: Message['content'] = message?.content ?? [];
  return blocks.filter((block) => block.type === 'image')[index];
}

function messageAt(messages: readonly Message[], item: string): Message | undefined {
  const message = messages[messageIndexOf(item) ?? -1];
  return message?.role === 'user' ? message : undefined;
}
