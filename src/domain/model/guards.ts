import type { ContentBlock, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock } from './content.js';
import type { FlatCode, FlatContent, FlatImages, FlatText, FlatThinking, FlatToolCall, FlatToolResult } from './flat.js';

/** Whether content is text, in either view. */
export function isTextContent<C extends ContentBlock | FlatContent>(content: C): content is C & (TextBlock | FlatText) {
  return content.type === 'text';
}

/** Whether content is reasoning, in either view. */
export function isThinkingContent<C extends ContentBlock | FlatContent>(content: C): content is C & (ThinkingBlock | FlatThinking) {
  return content.type === 'thinking';
}

/** Whether content is an image, in either view. */
export function isImageContent<C extends ContentBlock | FlatContent>(content: C): content is C & (ImageBlock | FlatImages) {
  return content.type === 'image';
}

/** Whether content asks for a tool, in either view. */
export function isToolCallContent<C extends ContentBlock | FlatContent>(content: C): content is C & (ToolCallBlock | FlatToolCall) {
  return content.type === 'tool_call' || content.type === 'tool-call';
}

/** Whether flat content answers a call. */
export function isToolResultContent(content: FlatContent): content is FlatToolResult {
  return content.type === 'tool-result';
}

/** Whether flat content is a fenced block. */
export function isCodeContent(content: FlatContent): content is FlatCode {
  return content.type === 'code';
}
