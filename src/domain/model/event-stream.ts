import type { AssistantMessage, StopReason } from './message.js';
import type { StreamEvent } from './stream-event.js';
import type { Usage } from './usage.js';

/** Where a stream is in its life. */
export type StreamState = 'new' | 'streaming' | 'complete' | 'error' | 'closed';

/**
 * The answer of a model while it arrives: pull-based, one event a pull.
 *
 * `for await` closes the stream on early exit. Cancellation is the signal given to {@link Provider.stream}.
 */
export interface EventStream extends AsyncIterable<StreamEvent> {
  readonly state: StreamState;
  /** Whether nothing of the request can have left this machine, so that nobody can ask money for it. */
  readonly unsent: boolean;
  /**
   * The next event, or `undefined` at the end.
   * @throws ProviderError on transport and protocol errors, AbortError when cancelled or closed meanwhile.
   */
  next(): Promise<StreamEvent | undefined>;
  /**
   * The assembled message: complete after the end; partial after an error, with stop reason `error` or `aborted`.
   * @throws Error before the first {@link next}.
   */
  message(): AssistantMessage;
  /** Ends the stream and unblocks a pending {@link next}. May be called at any time and more than once. */
  close(): Promise<void>;
}

/**
 * Input of the {@link Accumulator}: one event of a provider's wire format, normalized.
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
