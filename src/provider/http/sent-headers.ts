import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Names and values of headers, in the order in which they were sent. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** A request of which the connection will tell which headers it sends. */
export interface Awaited {
  readonly method: string;
  readonly url: URL;
  /** Length of the body in bytes; `undefined` when it is not known beforehand. */
  readonly size: number | undefined;
  readonly take: (headers: HeaderLines) => void;
}

/** A request inside the platform's `fetch`, as far as it is looked at. */
interface PlatformRequest {
  readonly method?: unknown;
  readonly origin?: unknown;
  readonly path?: unknown;
  readonly contentLength?: unknown;
}

/** Awaited requests, and the platform's own requests that they turned out to be. */
const waiting = new Map<Awaited, PlatformRequest | undefined>();

/**
 * Has the headers of a request told as they go out, until the returned function is called. The platform's `fetch` adds
 * some of its own, which only its diagnostics tell; another `fetch` may tell nothing.
 * Source: github.com/nodejs/undici, docs/docs/api/DiagnosticsChannel.md.
 */
export function awaitHeaders(awaited: Awaited): () => void {
  if (waiting.size === 0) {
    subscribe('undici:request:create', created);
    subscribe('undici:client:sendHeaders', sent);
  }
  waiting.set(awaited, undefined);
  return () => {
    if (!waiting.delete(awaited) || waiting.size > 0) return;
    unsubscribe('undici:request:create', created);
    unsubscribe('undici:client:sendHeaders', sent);
  };
}

/** Other extensions make requests in this process, too: one is ours when method, address, and length of the body say so. */
function created(message: unknown): void {
  const request = requestIn(message);
  if (request === undefined) return;
  const alike = [...waiting].filter(([awaited]) => isFor(request, awaited));
  const [awaited] = alike.find(([, known]) => known === undefined) ?? alike[0] ?? [];
  if (awaited !== undefined) waiting.set(awaited, request);
}

function isFor({ method, origin, path, contentLength }: PlatformRequest, { url, size, ...awaited }: Awaited): boolean {
  return method === awaited.method && String(origin) === url.origin && path === url.pathname + url.search && (contentLength ?? undefined) === size;
}

function sent(message: unknown): void {
  const request = requestIn(message);
  const [awaited] = [...waiting].find(([, known]) => known !== undefined && known === request) ?? [];
  const text: unknown = Reflect.get(Object(message), 'headers');
  if (awaited === undefined || typeof text !== 'string') return;
  // The length of the body is written with the body, after all that is told here.
  const length = awaited.size === undefined ? (['transfer-encoding', 'chunked'] as const) : (['content-length', String(awaited.size)] as const);
  awaited.take([...linesOf(text), length]);
}

function requestIn(message: unknown): PlatformRequest | undefined {
  const request: unknown = Reflect.get(Object(message), 'request');
  return typeof request === 'object' && request !== null ? request : undefined;
}

/** The headers in the text that goes out, whose first line is the request line. */
function linesOf(text: string): HeaderLines {
  return text
    .split('\r\n')
    .slice(1)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
    });
}
