import { createHash } from 'node:crypto';
import type { Message } from '../../src/domain/model/message.js';
import type { Request } from '../../src/domain/model/provider.js';

/** What a conversation says, without what differs from run to run: times, ids, the folder, how long commands took. */
export function normalised(request: Request, folder: string): readonly string[] {
  return request.messages.map((message) => line(message).replaceAll(folder, '<workspace>').replace(/\d+(\.\d+)? m?s\b/g, '<time>'));
}

/**
 * Names a request by what the conversation says. System prompt and tool specs do not count: an answer stays a good
 * answer when their words are polished.
 */
export function requestHash(request: Request, folder: string): string {
  return createHash('sha256').update(JSON.stringify(normalised(request, folder))).digest('hex').slice(0, 16);
}

function line(message: Message): string {
  const blocks = message.content.map((block) => {
    switch (block.type) {
      case 'text':
        return block.text;
      case 'tool_call':
        return `${block.name}(${block.arguments})`;
      case 'image':
        return `image of ${block.data.length} bytes`;
      case 'thinking':
        return '';
    }
  });
  const error = message.role === 'tool_result' && message.isError ? ' failed' : '';
  return `${message.role}${error}: ${blocks.join('\n')}`;
}
