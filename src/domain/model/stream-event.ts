import type { ToolCallBlock } from './content.js';

/** More text. `index` is the position of its block in the message. */
export interface TextDelta {
  readonly type: 'text_delta';
  readonly index: number;
  readonly delta: string;
}

/** More reasoning. */
export interface ThinkingDelta {
  readonly type: 'thinking_delta';
  readonly index: number;
  readonly delta: string;
}

/** A tool call begins; its arguments follow as deltas. */
export interface ToolCallBegin {
  readonly type: 'tool_call_begin';
  readonly index: number;
  readonly id: string;
  readonly name: string;
}

/** More raw JSON text of the arguments of a call. */
export interface ToolCallDelta {
  readonly type: 'tool_call_delta';
  readonly index: number;
  readonly id: string;
  readonly delta: string;
}

/** A tool call is whole. */
export interface ToolCallEnd {
  readonly type: 'tool_call_end';
  readonly index: number;
  readonly call: ToolCallBlock;
}

/** Event of a response stream: content only, never transport or protocol errors. */
export type StreamEvent = TextDelta | ThinkingDelta | ToolCallBegin | ToolCallDelta | ToolCallEnd;
