import type { AssistantMessage } from './message.js';
import type { StreamEvent } from './stream-event.js';

/** Where a stream is in its life. */
export type StreamState = 'new' | 'streaming' | 'complete' | 'error' | 'closed';

/**
 * The answer of a model while it arrives: pull-based, one event a pull.
 *
 * `for await` closes the stream on early exit. Cancellation is the signal given to {@link Provider.stream}.
 */
export interface EventStream extends AsyncIterable<StreamEvent> {
  readonly state: StreamState;
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
