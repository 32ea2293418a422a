import { randomUUID } from 'node:crypto';
import { AbortError, errorMessage } from '../../domain/errors.js';
import { ControlRefusedError, ControlTimeoutError, MessageParseError, NotConnectedError } from './errors.js';
import { isObject } from './json-lines.js';
import type { JsonObject } from './parse-message.js';

/** Milliseconds that the program may take to answer. What a person decides has no limit: it is asked in the other direction. */
export const ANSWER_MS = 60_000;
/** Characters of an answer at most: the program passes over lines that are longer than 67,108,864, and would wait. */
const MAX_ANSWER = 32 * 1024 * 1024;

/** Answers a request of the program. The signal aborts when no answer is needed any more. What it throws is an answer, too. */
export type RequestHandler = (body: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

interface Pending {
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly subtype: string;
}

/**
 * The requests in both directions: frames `control_request`, `control_response`, and `control_cancel_request`. Answers to requests that are
 * not open, second answers, and second requests of the same id are passed over.
 */
export class ControlProtocol {
  private readonly pending = new Map<string, Pending>();
  private readonly answering = new Map<string, AbortController>();
  private closedBy: Error | undefined;

  /**
   * @param write writes a frame
   * @param handlers by the subtype of the request; any other gets an error for an answer
   */
  constructor(
    private readonly write: (frame: JsonObject) => Promise<void>,
    private readonly handlers: Readonly<Record<string, RequestHandler>>,
  ) {}

  /** Whether the program owes an answer. */
  get awaitsAnswer(): boolean {
    return this.pending.size > 0;
  }

  /**
   * Asks the program.
   * @throws ControlTimeoutError after 60 s, ControlRefusedError with the reason of the program, NotConnectedError when it has ended
   */
  async request(body: JsonObject & { readonly subtype: string }): Promise<JsonObject> {
    if (this.closedBy !== undefined) throw this.closedBy;
    const id = randomUUID();
    let late: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        late = setTimeout(() => reject(new ControlTimeoutError(body.subtype, ANSWER_MS)), ANSWER_MS);
        this.pending.set(id, { resolve, reject, subtype: body.subtype });
        this.write({ type: 'control_request', request_id: id, request: body }).catch(reject);
      });
    } finally {
      clearTimeout(late);
      this.pending.delete(id);
    }
  }

  /**
   * Takes a frame, if it is one of these.
   * @returns whether it was: it is no message then
   * @throws MessageParseError for a request that cannot be answered, as it has no id
   */
  take(frame: JsonObject): boolean {
    switch (frame['type']) {
      case 'control_response':
        this.answered(frame['response']);
        return true;
      case 'control_request':
        void this.asked(idOf(frame), isObject(frame['request']) ? frame['request'] : {});
        return true;
      case 'control_cancel_request':
        this.answering.get(String(frame['request_id']))?.abort(new AbortError('No answer is needed any more.'));
        return true;
      case 'keep_alive':
        return true;
      default:
        return false;
    }
  }

  /** The program has ended: what is open ends with it. */
  close(): void {
    this.closedBy = new NotConnectedError('Gnomon’s program has ended.');
    for (const { reject } of this.pending.values()) reject(this.closedBy);
    for (const stop of this.answering.values()) stop.abort(new AbortError('Gnomon’s program has ended.'));
  }

  private answered(response: unknown): void {
    if (!isObject(response)) return;
    const pending = this.pending.get(String(response['request_id']));
    if (pending === undefined) return;
    if (response['subtype'] === 'success') pending.resolve(isObject(response['response']) ? response['response'] : {});
    else
      pending.reject(new ControlRefusedError(pending.subtype, typeof response['error'] === 'string' ? response['error'] : 'It was refused without a reason.'));
  }

  private async asked(id: string, body: JsonObject): Promise<void> {
    if (this.answering.has(id)) return;
    const stop = new AbortController();
    this.answering.set(id, stop);
    const response = await this.answerTo(body, stop.signal);
    this.answering.delete(id);
    // The program has canceled its request.
    if (stop.signal.aborted) return;
    // What cannot be written, the reader of messages learns, too.
    await this.write({ type: 'control_response', response: { ...sendable(response), request_id: id } }).catch(() => undefined);
  }

  private async answerTo(body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const subtype = String(body['subtype']);
    const handler = Object.hasOwn(this.handlers, subtype) ? this.handlers[subtype] : undefined;
    if (handler === undefined) return { subtype: 'error', error: `This program has no control request “${subtype}”.`, error_code: 'unsupported_request' };
    try {
      return { subtype: 'success', response: await handler(body, signal) };
    } catch (error) {
      return { subtype: 'error', error: errorMessage(error) };
    }
  }
}

function idOf(frame: JsonObject): string {
  const { request_id: id } = frame;
  if (typeof id === 'string' && id !== '') return id;
  throw new MessageParseError('Gnomon’s program asks for something in a way that cannot be answered.', frame, 'request_id');
}

/** An answer, or why it is none: one that is no JSON, such as one with a cycle, or is too long must not leave the program waiting. */
function sendable(answer: JsonObject): JsonObject {
  try {
    const { length } = JSON.stringify(answer);
    return length <= MAX_ANSWER ? answer : { subtype: 'error', error: `The answer has ${length} characters, and at most ${MAX_ANSWER} can be sent.` };
  } catch (error) {
    return { subtype: 'error', error: errorMessage(error) };
  }
}
