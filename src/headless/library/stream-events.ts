import type { ContentBlock } from './content.js';

/** A piece of a block; `partial_json` of a call makes up the JSON of its arguments. */
export type ContentDelta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string };

/** An event of the Messages API. `index` is the place of a block in its message; blocks follow one another. */
export type StreamEventBody =
  | { readonly type: 'message_start'; readonly message: { readonly id: string; readonly model: string } }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: ContentBlock }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: ContentDelta }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | { readonly type: 'message_delta'; readonly delta: { readonly stop_reason: string | null } }
  | { readonly type: 'message_stop' };
