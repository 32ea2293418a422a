import type { Gate } from '../model-server/index.js';

/** What a streamed answer does, in order: sends a chunk, sends text as it is, holds, or breaks the connection. */
export type Step = { readonly data: unknown } | { readonly raw: string } | Gate | 'cut' | 'stay open';

/** A streamed answer. */
export interface SseReply {
  readonly kind: 'sse';
  readonly steps: readonly Step[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer in one piece. */
interface PlainReply {
  readonly kind: 'plain';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a script answers. With `hang` nothing is ever answered. */
export type Reply = SseReply | PlainReply | { readonly kind: 'hang' };

/** The end of every stream. */
export const DONE: Step = { raw: 'data: [DONE]\n\n' };

/** A stream of these steps. */
export function sse(...steps: readonly Step[]): SseReply {
  return { kind: 'sse', steps };
}

/** A JSON document. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return { kind: 'plain', status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** A web page. */
export function html(body: string, status = 200): Reply {
  return { kind: 'plain', status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** A chunk with one choice. */
export function chunk(delta: object, finish: string | null = null, more: object = {}): Step {
  return {
    data: { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more },
  };
}

/** One event as it goes over the wire. */
export function frame(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
