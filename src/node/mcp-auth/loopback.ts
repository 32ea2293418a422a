import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AbortError } from '../../domain/errors.js';
import { t, textLanguage } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpRedirectReceiver } from '../../domain/mcp/sign-in.js';

/** How long the user may take to sign in, in milliseconds. */
const TIME_LIMIT_MS = 5 * 60_000;
/** How long a request may take to arrive, in milliseconds, and how many connections there may be. A browser needs little of both. */
const REQUEST_MS = 10_000;
const MAX_CONNECTIONS = 16;
const PATH = '/callback';

/** What can be replaced. */
export interface LoopbackOptions {
  /** The address of an earlier receiver, whose port is used again if it is free: some authorization servers insist on it. */
  readonly previous?: string | undefined;
  /** Where the browser reaches an address of this machine, such as through a forwarded port; left out: there itself. */
  readonly external?: (address: string) => Promise<string>;
  readonly timeLimitMs?: number;
}

/** The answer that a receiver waits for. */
interface Expected {
  readonly state: string;
  readonly answer: (parameters: URLSearchParams) => void;
}

/**
 * Receives the answer to a sign-in on this machine, as RFC 8252 describes it for programs: `http://127.0.0.1:port/callback`.
 * It takes one request, by its `state`; refuses all that a browser would not send when it follows a link, such as requests by scripts;
 * and stops listening after that answer, when it is closed, and with the end of {@link McpRedirectReceiver.wait}.
 */
export async function openLoopback({ previous, external, timeLimitMs = TIME_LIMIT_MS }: LoopbackOptions = {}): Promise<McpRedirectReceiver> {
  let expected: Expected | undefined;
  const hosts = new Set<string>();
  const server = createServer({ headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: REQUEST_MS }, (request, response) => {
    const { status, text, parameters } = judge(request, expected, hosts);
    const answered = parameters === undefined ? undefined : expected;
    if (answered !== undefined) expected = undefined;
    reply(response, status, text, () => {
      if (parameters !== undefined) answered?.answer(parameters);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  const local = `http://127.0.0.1:${await listen(server, portOf(previous))}${PATH}`;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  const redirectUri = await reachable(local, external, close);
  for (const address of [local, redirectUri]) hosts.add(new URL(address).host);
  return {
    redirectUri,
    close,
    wait: async (state, signal) => {
      signal.throwIfAborted();
      const limit = AbortSignal.timeout(timeLimitMs);
      const stop = AbortSignal.any([signal, limit]);
      try {
        return await new Promise<URLSearchParams>((done, fail) => {
          expected = { state, answer: done };
          stop.addEventListener(
            'abort',
            () => fail(signal.aborted ? new AbortError() : new McpError('timeout', t('Nobody signed in within {0} minutes.', timeLimitMs / 60_000))),
            { once: true },
          );
        });
      } finally {
        expected = undefined;
        close();
      }
    },
  };
}

/** What a request is answered; `parameters` for the one that is waited for. */
interface Verdict {
  readonly status: number;
  readonly text: string;
  readonly parameters?: URLSearchParams;
}

function judge({ method, url = '', headers }: IncomingMessage, expected: Expected | undefined, hosts: ReadonlySet<string>): Verdict {
  // A name that leads here (rebinding) and a page that requests instead of leading here are not the browser of the user.
  if (!hosts.has(headers.host ?? '') || headers.origin !== undefined) return refusal(403);
  if (!['navigate', undefined].includes(one(headers['sec-fetch-mode'])) || !['document', undefined].includes(one(headers['sec-fetch-dest'])))
    return refusal(403);
  const [path, query = ''] = url.split('?', 2);
  if (path !== PATH) return refusal(404);
  if (method !== 'GET') return refusal(405);
  const parameters = new URLSearchParams(query);
  if (expected === undefined || !isSame(parameters.getAll('state'), expected.state)) return refusal(400);
  return { status: 200, text: t('Gnomon has the answer. You can close this window.'), parameters };
}

function refusal(status: number): Verdict {
  return { status, text: t('Gnomon does not expect this request.') };
}

function one(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join();
}

function isSame(given: readonly string[], expected: string): boolean {
  const [first = ''] = given;
  const [a, b] = [Buffer.from(first), Buffer.from(expected)];
  return given.length === 1 && a.length === b.length && timingSafeEqual(a, b);
}

/** The page has no script, loads nothing, and does not leak the address that it was opened with. */
function reply(response: ServerResponse, status: number, text: string, sent: () => void): void {
  const page = `<!DOCTYPE html><html lang="${textLanguage()}"><meta charset="utf-8"><title>Gnomon</title><p>${text}</p></html>`;
  response.once('close', sent);
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  response.end(page);
}

/** The port to try first; 0 has the system choose. */
function portOf(previous: string | undefined): number {
  const [, port] = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/callback$/.exec(previous ?? '') ?? [];
  return port === undefined ? 0 : Number(port);
}

async function reachable(local: string, external: LoopbackOptions['external'], close: () => void): Promise<string> {
  try {
    return external === undefined ? local : await external(local);
  } catch (error) {
    close();
    throw error;
  }
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', fail);
        done();
      });
    });
  } catch (error) {
    if (port === 0) throw error;
    return listen(server, 0);
  }
  return (server.address() as AddressInfo).port;
}
