import type { StopReason } from './message.js';
import type { Usage } from './usage.js';

/**
 * What a provider feeds to the {@link Accumulator}: one fact of its wire format.
 *
 * `index` names a content block in the provider's numbering; parts of different blocks may interleave.
 */
export type StreamPart =
  | { readonly type: 'text'; readonly index: number; readonly delta: string }
  | { readonly type: 'thinking'; readonly index: number; readonly delta: string }
  | { readonly type: 'signature'; readonly index: number; readonly signature: Uint8Array }
  | { readonly type: 'redacted_thinking'; readonly index: number; readonly data: Uint8Array }
  | { readonly type: 'tool_call_begin'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'tool_call_delta'; readonly index: number; readonly delta: string }
  | { readonly type: 'block_end'; readonly index: number }
  | { readonly type: 'usage'; readonly usage: Partial<Usage> }
  | { readonly type: 'stop'; readonly stopReason: StopReason; readonly rawStopReason: string };
