import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { assertNever } from '../../domain/assert-never.js';
import type { ToolResultContent } from '../../domain/model/content.js';
import type { ToolResult } from '../../domain/tool/tool.js';
import { cappedResult } from '../../engine/context/result-cap.js';

/** A result as the protocol has it: what the model of a session would get, within the same limit. */
export function wireResult({ content, isError }: Pick<ToolResult, 'content' | 'isError'>): CallToolResult {
  return { content: cappedResult(content).map(wireBlock), ...(isError ? { isError: true } : {}) };
}

/** A result that says in words what went wrong. */
export function wireFailure(words: string): CallToolResult {
  return wireResult({ content: [{ type: 'text', text: words }], isError: true });
}

function wireBlock(block: ToolResultContent): ContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', mimeType: block.mimeType, data: Buffer.from(block.data).toString('base64') };
    default:
      return assertNever(block);
  }
}
