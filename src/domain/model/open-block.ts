import { assertNever } from '../assert-never.js';
import type { AssistantContent, ToolCallBlock } from './content.js';

/** A text block while it grows. */
interface OpenText {
  readonly type: 'text';
  text: string;
  ended: boolean;
}

/** A thinking block while it grows. With `redacted` it was whole from the start. */
export interface OpenThinking {
  readonly type: 'thinking';
  text: string;
  signature: Uint8Array | undefined;
  readonly redacted: boolean;
  ended: boolean;
}

/** A tool call while its arguments grow. */
export interface OpenCall {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  text: string;
  ended: boolean;
}

/** A block of a message that is being assembled. */
export type OpenBlock = OpenText | OpenThinking | OpenCall;

/** Names a block in an error about the order of a stream. */
export function describeBlock(block: OpenBlock | undefined): string {
  if (block === undefined) return 'unknown';
  return block.ended ? `an ended ${block.type}` : `a ${block.type}`;
}

/** The call as it is so far. A model that sends no arguments at all means an empty object. */
export function callBlock(block: OpenCall): ToolCallBlock {
  return { type: 'tool_call', id: block.id, name: block.name, arguments: block.text === '' ? '{}' : block.text };
}

/** The block as content of a message; none when nothing arrived that could be stored. */
export function contentOf(block: OpenBlock): readonly AssistantContent[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ type: 'text', text: block.text }];
    case 'tool_call':
      return [callBlock(block)];
    case 'thinking':
      return thinkingContent(block);
    default:
      return assertNever(block);
  }
}

function thinkingContent(block: OpenThinking): readonly AssistantContent[] {
  if (block.text === '' && block.signature === undefined) return [];
  return [
    {
      type: 'thinking',
      thinking: block.text,
      ...(block.signature === undefined ? {} : { signature: block.signature }),
      ...(block.redacted ? { redacted: true as const } : {}),
    },
  ];
}
