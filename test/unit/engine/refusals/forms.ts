/** How a server words a refusal. */
export interface Refusal {
  readonly status: number;
  readonly words: string;
  /** The machine-readable name of it, where the server has one. */
  readonly code?: string;
}

/** The forms in which servers, gateways, and proxies send the same words. */
export const FORMS = ['own', 'text', 'list', 'detail', 'nested', 'html', 'stream'] as const;
/** One of {@link FORMS}. */
export type Form = (typeof FORMS)[number];

/** A refusal as an answer over HTTP. */
export interface HttpRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The refusal in a form. @param event how the API of a wire sends an error within a stream */
export function refusalIn(form: Form, { status, words, code = 'invalid_request_error' }: Refusal, event: (error: object) => string): HttpRefusal {
  const error = { type: 'invalid_request_error', message: words, code };
  switch (form) {
    case 'own':
      return { status, headers: JSON_TYPE, body: JSON.stringify({ type: 'error', error }) };
    case 'text':
      return { status, headers: { 'content-type': 'text/plain' }, body: words };
    case 'list':
      return { status, headers: JSON_TYPE, body: JSON.stringify([{ error }]) };
    case 'detail':
      return { status, headers: JSON_TYPE, body: JSON.stringify({ detail: [{ type: 'value_error', loc: ['body'], msg: words }] }) };
    case 'nested':
      return {
        status,
        headers: JSON_TYPE,
        body: JSON.stringify({ error: { message: 'Provider returned error', code: status, metadata: { raw: JSON.stringify({ error }), provider_name: 'P' } } }),
      };
    case 'html':
      return {
        status,
        headers: { 'content-type': 'text/html' },
        body: `<html><head><title>${status}</title></head><body><h1>Bad request</h1><p>${words}</p></body></html>`,
      };
    case 'stream':
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: event(error) };
  }
}
