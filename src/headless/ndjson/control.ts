import { randomUUID } from 'node:crypto';
import { AbortError } from '../../domain/errors.js';
import { present } from '../../domain/present.js';
import type { WireMessage } from './wire-content.js';
import { MAX_LINE } from './output-lines.js';

/** Arguments of a control request, and its answer. */
export type ControlBody = Readonly<Record<string, unknown>>;

interface Pending {
  readonly resolve: (answer: ControlBody) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Requests to the program that started this one. Frames: `control_request`, `control_response`, and `control_cancel_request` of the Agent SDK
 * protocol. An answer to a request that is not open, or a second one, is passed over. A person may be asked by it, so that there is no limit of
 * time here: hooks and servers have limits of their own.
 */
export class ControlChannel {
  private readonly pending = new Map<string, Pending>();
  private closed = false;

  constructor(private readonly write: (message: WireMessage) => void) {}

  /**
   * Asks, and takes it back when the signal stops it.
   * @throws Error with what the other program says where it refuses, and for what does not fit a line: who decides about a part decides about something
   * else; AbortError when it is stopped, or can answer no more
   */
  async request(body: ControlBody, signal: AbortSignal): Promise<ControlBody> {
    if (this.closed || signal.aborted) throw new AbortError();
    const id = randomUUID();
    const frame = { type: 'control_request', request_id: id, request: body };
    const { length } = JSON.stringify(frame);
    if (length > MAX_LINE)
      throw new Error(`The program that started Gnomon cannot be asked, as this is too long: ${length} characters, and a line has ${MAX_LINE} at most.`);
    let stop = (): void => undefined;
    try {
      return await new Promise((resolve, reject) => {
        stop = () => {
          this.write({ type: 'control_cancel_request', request_id: id });
          reject(new AbortError());
        };
        this.pending.set(id, { resolve, reject });
        signal.addEventListener('abort', stop, { once: true });
        this.write(frame);
      });
    } finally {
      signal.removeEventListener('abort', stop);
      this.pending.delete(id);
    }
  }

  /** Takes a frame `control_response`. */
  answered(frame: ControlBody): void {
    const response = objectIn(frame['response']);
    const pending = this.pending.get(String(response['request_id']));
    if (pending === undefined) return;
    const answer = response['response'] ?? {};
    // Taken for an empty one, it would let happen what a hook guards.
    if (response['subtype'] === 'success' && (typeof answer !== 'object' || Array.isArray(answer)))
      pending.reject(new Error('The program that started Gnomon gave an answer that is no object.'));
    else if (response['subtype'] === 'success') pending.resolve(objectIn(answer));
    else pending.reject(new Error(typeof response['error'] === 'string' ? response['error'] : 'It was refused without a reason.'));
  }

  /** The other program can answer no more: whatever waits ends. */
  close(): void {
    this.closed = true;
    for (const { reject } of this.pending.values()) reject(new AbortError('The program that started Gnomon has ended its input.'));
  }

  /** Answers a request of the other program. */
  respond(id: string, answer: { readonly response: ControlBody } | { readonly error: string; readonly code?: string }): void {
    const response =
      'error' in answer
        ? { subtype: 'error', request_id: id, error: answer.error, ...present({ error_code: answer.code }) }
        : { subtype: 'success', request_id: id, response: answer.response };
    this.write({ type: 'control_response', response });
  }
}

/** A value as an object; an empty one where it is none. */
export function objectIn(value: unknown): ControlBody {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ControlBody) : {};
}
