import { type Block, type Piece, type ToolCallOptions, isGate, redactedBlock, stopOf, textBlock, thinkingBlock, toolBlock } from './blocks.js';
import { encodeBulk } from './bulk.js';
import type { Gate } from './gate.js';
import type { SseStyle } from './sse.js';
import type { WireBlock, WireEvent } from './wire.js';

/** What a streamed answer does, in order. */
export type Step =
  | { readonly kind: 'event'; readonly event: WireEvent }
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'bytes'; readonly pieces: readonly Buffer[] }
  | { readonly kind: 'gate'; readonly gate: Gate }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'cut' };

/** Token counts as the API names them. */
export interface WireUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens: number };
}

/** An answer that is not a message: an error, a page, a JSON document, or nothing at all. */
export interface PlainReply {
  readonly kind: 'plain';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
/** The connection is destroyed (`reset`), or nothing is ever answered (`hang`). */
export interface SilentReply {
  readonly kind: 'reset' | 'hang';
}
/** What a script answers. */
export type Reply = StreamReply | PlainReply | SilentReply;

interface Parts {
  readonly steps: readonly Step[];
  readonly blocks: readonly WireBlock[];
  readonly nextIndex: number;
  readonly stopReason: string | undefined;
  readonly stopDetails: Readonly<Record<string, unknown>>;
  readonly startUsage: WireUsage;
  readonly endUsage: WireUsage;
  readonly finished: boolean;
  readonly style: SseStyle;
  /** Sizes of the HTTP chunks in bytes; the last size repeats. Empty: one chunk an event. */
  readonly chunkSizes: readonly number[];
  readonly headers: Readonly<Record<string, string>>;
}

const EMPTY: Parts = {
  steps: [],
  blocks: [],
  nextIndex: 0,
  stopReason: undefined,
  stopDetails: {},
  startUsage: {},
  endUsage: {},
  finished: true,
  style: {},
  chunkSizes: [],
  headers: {},
};

/**
 * A streamed message, built step by step; every method gives a new reply. `message_start`, `message_delta` and
 * `message_stop` are added around the steps. Asked without `stream: true` it is sent as one JSON document.
 */
export class StreamReply {
  readonly kind = 'stream';

  constructor(readonly parts: Parts = EMPTY) {}

  /** A text block, one delta for each string; a gate between them holds the answer. */
  text(...pieces: readonly Piece[]): StreamReply {
    return this.block(textBlock(...pieces));
  }

  /** A thinking block. The server knows the signature from then on. Without one it stays unsigned. */
  thinking(pieces: Piece | readonly Piece[], signature?: string): StreamReply {
    return this.block(thinkingBlock(pieces, signature));
  }

  /** A block of encrypted thinking. */
  redacted(data: string): StreamReply {
    return this.block(redactedBlock(data));
  }

  /** A tool call; `args` is the input object or the raw text of it. The stop reason becomes `tool_use`. */
  toolCall(name: string, args: object | string, options?: ToolCallOptions): StreamReply {
    return this.block(toolBlock(name, args, options));
  }

  /** One block, from start to end. */
  block(block: Block): StreamReply {
    return this.interleaved(block);
  }

  /** Several blocks open at the same time, their deltas taking turns. */
  interleaved(...blocks: readonly Block[]): StreamReply {
    const first = this.parts.nextIndex;
    const queues = blocks.map((block, offset) => [...block.deltas(first + offset)]);
    const middle: (WireEvent | Gate)[] = [];
    while (queues.some((queue) => queue.length > 0)) {
      for (const queue of queues) middle.push(...queue.splice(0, 1));
    }
    const steps = [...blocks.map((block, offset) => block.start(first + offset)), ...middle, ...blocks.map((_, offset) => stopOf(first + offset))].map(
      (step): Step => (isGate(step) ? { kind: 'gate', gate: step } : { kind: 'event', event: step }),
    );
    return this.with({
      steps: [...this.parts.steps, ...steps],
      blocks: [...this.parts.blocks, ...blocks.map((block) => block.whole)],
      nextIndex: first + blocks.length,
    });
  }

  /** `count` text deltas in one block, encoded beforehand and written as fast as the socket takes them. */
  bulk(count: number, textOf: (n: number) => string): StreamReply {
    const pieces = encodeBulk(this.parts.nextIndex, count, textOf);
    const whole = { type: 'text', text: Array.from({ length: count }, (_, n) => textOf(n)).join('') };
    return this.step({ kind: 'bytes', pieces }).with({ blocks: [...this.parts.blocks, whole], nextIndex: this.parts.nextIndex + 1 });
  }

  /** Events exactly as given. */
  events(...events: readonly WireEvent[]): StreamReply {
    return this.with({ steps: [...this.parts.steps, ...events.map((event): Step => ({ kind: 'event', event }))] });
  }

  /** Text of the event stream exactly as given. */
  raw(text: string): StreamReply {
    return this.step({ kind: 'raw', text });
  }

  /** An `error` event in the stream, as when the API is overloaded in the middle; the stream ends there. */
  errorEvent(type: string, message: string): StreamReply {
    return this.events({ type: 'error', error: { type, message } }).unfinished();
  }

  /** Holds the answer here until the gate is opened. */
  hold(gate: Gate): StreamReply {
    return this.step({ kind: 'gate', gate });
  }

  /** Waits. For demonstrations and benchmarks; tests use gates. */
  delay(ms: number): StreamReply {
    return this.step({ kind: 'delay', ms });
  }

  /** Destroys the connection here. */
  cut(): StreamReply {
    return this.step({ kind: 'cut' }).unfinished();
  }

  /** The stream ends without `message_delta` and `message_stop`. */
  unfinished(): StreamReply {
    return this.with({ finished: false });
  }

  /** The stop reason. Default: `tool_use` when there is a tool call, else `end_turn`. */
  stop(reason: string, details: Readonly<Record<string, unknown>> = {}): StreamReply {
    return this.with({ stopReason: reason, stopDetails: details });
  }

  /** Token counts: those of `message_start`, and those of `message_delta`, which are totals and not additions. */
  usage(start: WireUsage, end: WireUsage = {}): StreamReply {
    return this.with({ startUsage: start, endUsage: end });
  }

  /** How the event stream is written. */
  style(style: SseStyle): StreamReply {
    return this.with({ style: { ...this.parts.style, ...style } });
  }

  /** Sizes in bytes of the HTTP chunks of the whole stream; the last size repeats. For streams without gates. */
  chunked(...sizes: readonly number[]): StreamReply {
    return this.with({ chunkSizes: sizes });
  }

  /** More response headers, or others in place of the usual. */
  headers(headers: Readonly<Record<string, string>>): StreamReply {
    return this.with({ headers: { ...this.parts.headers, ...headers } });
  }

  private step(step: Step): StreamReply {
    return this.with({ steps: [...this.parts.steps, step] });
  }

  private with(change: Partial<Parts>): StreamReply {
    return new StreamReply({ ...this.parts, ...change });
  }
}

/** The start of every reply: `reply().text('Hello')`. */
export function reply(): StreamReply {
  return new StreamReply();
}

/** An error in the form of the API, such as `httpError(429, 'rate_limit_error', 'slow down', { 'retry-after': '3' })`. */
export function httpError(status: number, type: string, message: string, headers: Readonly<Record<string, string>> = {}): PlainReply {
  const body = { type: 'error', error: { type, message }, request_id: 'req_test' };
  return { ...jsonReply(body, status), headers: { 'content-type': 'application/json', 'request-id': 'req_test', ...headers } };
}

/** A page, such as the login page of a proxy. */
export function htmlReply(body: string, status = 200): PlainReply {
  return { kind: 'plain', status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** A JSON document. */
export function jsonReply(value: unknown, status = 200): PlainReply {
  return { kind: 'plain', status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** The connection is destroyed without an answer. */
export const resetReply: SilentReply = { kind: 'reset' };
/** Nothing is ever answered. */
export const hangReply: SilentReply = { kind: 'hang' };
