import type Anthropic from '@anthropic-ai/sdk';
import type { RawEvent } from './stream.js';

/**
 * The events of an answer that came in one piece, as some gateways send it though a stream was asked for. Format:
 * platform.claude.com, "Messages".
 * @returns `undefined` for what is no such answer
 */
export function eventsOf(body: unknown): readonly RawEvent[] | undefined {
  if (!isMessage(body)) return undefined;
  const { content, stop_reason, stop_sequence, usage } = body;
  const blocks = content.flatMap((block, index): readonly RawEvent[] => [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_stop', index },
  ]);
  const end = { stop_reason, stop_sequence, container: null, stop_details: null };
  return [
    { type: 'message_start', message: { ...body, content: [] } },
    ...blocks,
    { type: 'message_delta', delta: end, usage: { ...usage, output_tokens_details: null } },
    { type: 'message_stop' },
  ];
}

/** Whether it looks like a message; what its blocks hold is looked at where they are read. */
function isMessage(body: unknown): body is Anthropic.Message {
  if (typeof body !== 'object' || body === null || !('type' in body) || body.type !== 'message' || !('content' in body) || !('usage' in body)) return false;
  return Array.isArray(body.content) && typeof body.usage === 'object' && body.usage !== null;
}
