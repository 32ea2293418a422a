/** The four image formats that model APIs accept. Source: Anthropic Messages API, "Vision". */
export const IMAGE_MIME_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
/** One of {@link IMAGE_MIME_TYPES}. */
export type ImageMimeType = (typeof IMAGE_MIME_TYPES)[number];

/** The largest image that may enter a message, in decoded bytes (5 MB, the limit of the Anthropic API). */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** Plain or Markdown text. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/**
 * Reasoning of the model.
 *
 * `signature` are the bytes of the provider's opaque proof; they go back unchanged.
 * With `redacted` the reasoning is encrypted: `thinking` is empty and the payload is in `signature`.
 */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature?: Uint8Array;
  readonly redacted?: true;
}

/** One image, always bytes; a URL is fetched or refused before it becomes a block. */
export interface ImageBlock {
  readonly type: 'image';
  readonly data: Uint8Array;
  readonly mimeType: ImageMimeType;
}

/**
 * The model's request to run a tool.
 *
 * `arguments` is the raw JSON text as it was streamed; nothing is parsed or repaired before validation,
 * so large integers and cut-off text survive.
 */
export interface ToolCallBlock {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly signature?: Uint8Array;
}

/** Content of a user message. */
export type UserContent = TextBlock | ImageBlock;
/** Content of a model response. */
export type AssistantContent = TextBlock | ThinkingBlock | ToolCallBlock;
/** Content of a tool result. */
export type ToolResultContent = TextBlock | ImageBlock;
/** Every block there is; closed. */
export type ContentBlock = TextBlock | ThinkingBlock | ImageBlock | ToolCallBlock;

/** Makes a text block. */
export function text(value: string): TextBlock {
  return { type: 'text', text: value };
}
