import { McpError } from '../../../domain/mcp/connection.js';
import type { McpFetch } from '../../../domain/mcp/sign-in.js';
import { t } from '../../../domain/l10n.js';
import { showName, showSize } from '../../../text/show.js';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Of these, a client may repeat a request with a body. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);
const MAX_REDIRECTS = 5;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** URL, headers, and size limit of a server, which apply to requests to it. */
export interface GuardedServer {
  readonly url: URL;
  /** Sent to the origin of the server and nowhere else. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of a response, or of one event of a stream. */
  readonly messageBytes: number;
}

/**
 * Puts the headers of a configuration on requests to its server, and on no others (an authorization server elsewhere never sees
 * them); follows redirects within an origin only; and ends responses that are too large. What the official client sets itself, such as
 * an access token, is left as it is.
 */
export function guardedFetch(server: GuardedServer, fetch: McpFetch): McpFetch {
  return async (target, init) => {
    const method = (init?.method ?? 'GET').toUpperCase();
    let url = new URL(target);
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(url, { ...init, headers: headersFor(url, server, init), redirect: 'manual' });
      if (!REDIRECTS.has(response.status)) return cappedResponse(response, server.messageBytes);
      // Before anything is thrown: the connection is otherwise held.
      await response.body?.cancel();
      const next = redirectTarget(response, url);
      if (next.origin !== url.origin)
        throw new McpError(
          'refused',
          t('The server redirects to another address, {0}. If that is right, put it into the configuration.', showName(next.origin)),
          { code: response.status },
        );
      if (redirects === MAX_REDIRECTS || (method !== 'GET' && !KEEPS_METHOD.has(response.status))) {
        throw new McpError('refused', t('The server redirects in a way that cannot be followed (HTTP {0}).', response.status), { code: response.status });
      }
      url = next;
    }
  };
}

function headersFor(url: URL, { url: own, headers }: GuardedServer, init: RequestInit | undefined): Headers {
  const all = new Headers(init?.headers);
  if (url.origin !== own.origin) return all;
  for (const [name, value] of Object.entries(headers)) if (!all.has(name)) all.set(name, value);
  return all;
}

function redirectTarget(response: Response, from: URL): URL {
  const location = response.headers.get('location');
  if (location === null || !URL.canParse(location, from.href)) {
    throw new McpError('protocol', t('The server redirects to nowhere (HTTP {0}).', response.status), { code: response.status });
  }
  return new URL(location, from);
}

/** Counts what arrives: the whole of a response, or of a stream of events each, which end with an empty line. */
function cappedResponse(response: Response, limit: number): Response {
  if (response.body === null) return response;
  const stream = response.headers.get('content-type')?.includes('text/event-stream') === true;
  const counter = new EventCounter();
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      const longest = counter.add(bytes, stream);
      if (longest > limit)
        controller.error(new McpError('protocol', t('The server sent a message of more than {0}, which Gnomon does not read.', showSize(limit))));
      else controller.enqueue(bytes);
    },
  });
  const capped = new Response(response.body.pipeThrough(cap), { status: response.status, statusText: response.statusText, headers: response.headers });
  // A response that is made has no address, and the client wants to know where it came from.
  Object.defineProperty(capped, 'url', { value: response.url });
  return capped;
}

class EventCounter {
  private bytes = 0;
  private atLineStart = false;

  /** @returns how long the event is that is arriving, or the longest that arrived just now. */
  add(chunk: Uint8Array, events: boolean): number {
    let longest = 0;
    let from = 0;
    for (let end = events ? chunk.indexOf(NEWLINE) : -1; end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const line = end - from - (end > from && chunk[end - 1] === RETURN ? 1 : 0);
      this.bytes += end + 1 - from;
      longest = Math.max(longest, this.bytes);
      if (line === 0 && (this.atLineStart || from > 0)) this.bytes = 0;
      this.atLineStart = true;
      from = end + 1;
    }
    const rest = chunk.length - from;
    this.bytes += rest;
    if (rest > 0) this.atLineStart = rest === 1 && this.atLineStart && chunk[from] === RETURN;
    return Math.max(longest, this.bytes);
  }
}
