import { readFileSync } from 'node:fs';
import { type IncomingMessage, createServer as createHttpServer, request as httpRequest } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { knownFailure, noAddress, unreachable } from '../../../../src/provider/http/failures.js';
import { errorCode, networkProblem } from '../../../../src/provider/http/network-reason.js';
import { failure } from '../../../support/stream-conformance.js';
import { never, request } from '../anthropic/rig.js';
import { says } from '../../../support/wording.js';

const TLS = join(process.cwd(), 'test/fixtures/tls');
const names = { host: 'api.example.com', addressSetting: 'gnomon.example.baseUrl', keyVariable: 'EXAMPLE_API_KEY' };
const open: Server[] = [];

async function listen(server: Server): Promise<number> {
  open.push(server);
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function fails(baseUrl: string, fetcher?: typeof fetch): Promise<ProviderError> {
  const options = { apiKey: () => Promise.resolve('k'), baseUrl: () => baseUrl, ...(fetcher === undefined ? {} : { fetch: fetcher }) };
  const error = await failure(createAnthropicProvider(options).stream(request(), never()).next());
  if (!(error instanceof ProviderError)) throw error;
  return error;
}

/** Fails as the system does. */
function lost(code: string | undefined, message = code ?? ''): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), code === undefined ? {} : { code }) });
}

/** What a client does that speaks to a proxy: asks it for a tunnel, and fails when it gets none. */
function throughProxy(port: number): typeof fetch {
  return async (input) => {
    const { host } = new URL(input instanceof Request ? input.url : input);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = httpRequest({ port, method: 'CONNECT', path: host });
      asked.once('connect', (response: IncomingMessage, socket: Socket) => {
        socket.destroy();
        resolve(response);
      });
      asked.once('error', reject).end();
    });
    throw new TypeError('fetch failed', { cause: new Error(`Proxy response (${answer.statusCode}) !== 200 when HTTP Tunneling`) });
  };
}

describe('stream-10: certificates', () => {
  it('one that nobody signed is not trusted: the words name what helps, and nothing is sent', async () => {
    const requests: string[] = [];
    const server = createTlsServer({ key: readFileSync(join(TLS, 'key.pem')), cert: readFileSync(join(TLS, 'cert.pem')) }, (asked) =>
      requests.push(asked.url ?? ''),
    );
    const port = await listen(server);
    const error = await fails(`https://localhost:${port}`);
    expect(error).toMatchObject({ kind: 'network', retryAfterMs: Infinity });
    expect(error.message).toContain(`localhost:${port}: its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`);
    for (const way of ['http.systemCertificates', 'NODE_EXTRA_CA_CERTS', 'http.proxy', 'http.proxyStrictSSL']) expect(error.message).toContain(way);
    expect(requests).toEqual([]);
    expect(process.env['NODE_TLS_REJECT_UNAUTHORIZED']).toBeUndefined();
  });

  it('a server that does not speak TLS is told apart', async () => {
    const port = await listen(createHttpServer());
    const error = await fails(`https://127.0.0.1:${port}`);
    expect(error.message).toContain('does not use HTTPS');
    expect(error.message).toContain('http://');
    expect(error.retryAfterMs).toBe(Infinity);
  });

  it.each([
    ['SELF_SIGNED_CERT_IN_CHAIN', 'not trusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'not trusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'not trusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'for another name'],
    ['CERT_HAS_EXPIRED', 'expired or is not yet valid'],
    ['CERT_NOT_YET_VALID', 'expired or is not yet valid'],
    ['ERR_TLS_HANDSHAKE_TIMEOUT', 'does not use HTTPS'],
    ['EPROTO', 'does not use HTTPS'],
  ])('%s is “%s” and needs the person', (code, words) => {
    const problem = networkProblem(lost(code));
    expect(problem.reason).toContain(words);
    expect(problem.reason).toContain(code);
    expect(problem.advice).toMatch(/^[A-Z].*\.$/);
    expect(problem.passes).toBe(false);
  });
});

describe('stream-10: proxies', () => {
  it.each([
    [407, /requires a user name and password \(status 407\).*http\.proxy/, Infinity],
    [403, /refused the connection \(status 403\).*http\.proxy/, Infinity],
    [502, /refused the connection \(status 502\)/, undefined],
  ])('one that answers CONNECT with %i', async (status, words, retryAfterMs) => {
    const proxy = createHttpServer().on('connect', (_request, socket: Socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    const error = await fails('https://api.example.com', throughProxy(await listen(proxy)));
    expect(error).toMatchObject({ kind: 'network', retryAfterMs });
    expect(error.message).toMatch(words);
    expect(error.message).toContain('api.example.com');
  });

  it('one that answers in place of the server', async () => {
    const port = await listen(createHttpServer((_request, response) => response.writeHead(407).end()));
    expect(await fails(`http://127.0.0.1:${port}`)).toMatchObject({ kind: 'network', message: expect.stringContaining('the proxy') as string });
  });
});

describe('stream-10: networks', () => {
  it.each([
    ['ECONNREFUSED', 'the connection was refused'],
    ['ECONNRESET', 'the connection was closed'],
    ['ENOTFOUND', 'the host was not found'],
    ['EAI_AGAIN', 'the host name could not be resolved'],
    ['ENETUNREACH', 'there is no network connection'],
    ['UND_ERR_CONNECT_TIMEOUT', 'it did not respond in time'],
  ])('%s passes: “%s”', (code, words) => {
    const error = unreachable(lost(code), names);
    expect(error.message).toBe(
      says(
        'hostUnreachable',
        'api.example.com',
        `${words} (${code})`,
        'Check your network connection, the proxy, and the setting gnomon.example.baseUrl, then try again.',
      ),
    );
    expect(error.retryAfterMs).toBeUndefined();
  });

  it('broken IPv6 does not hide why IPv4 failed', () => {
    const each = (code: string): Error => Object.assign(new Error(code), { code });
    const both = Object.assign(new AggregateError([each('ENETUNREACH'), each('ECONNREFUSED')]), { code: 'ENETUNREACH' });
    expect(errorCode(new TypeError('fetch failed', { cause: both }))).toBe('ECONNREFUSED');
    expect(errorCode(new AggregateError([each('ENETUNREACH'), each('EHOSTUNREACH')]))).toBe('ENETUNREACH');
    expect(errorCode(new AggregateError([]))).toBeUndefined();
  });

  it('a host whose every address refuses is told so', async () => {
    const port = await listen(createServer());
    await new Promise((resolve) => open.pop()?.close(resolve));
    expect((await fails(`http://localhost:${port}`)).message).toContain('the connection was refused (ECONNREFUSED)');
  });

  it('what nobody knows is not tried again by itself', () => {
    expect(networkProblem(lost(undefined))).toEqual({ reason: 'the connection failed', passes: false });
    expect(networkProblem(lost('ESOMETHING'))).toEqual({ reason: 'the connection failed (ESOMETHING)', passes: false });
    expect(networkProblem('text').passes).toBe(false);
    expect(noAddress('No address.')).toMatchObject({ retryAfterMs: Infinity, wrongSetting: true });
  });

  it('errors that lead to themselves end', () => {
    const round = new Error('round');
    round.cause = round;
    expect(errorCode(round)).toBeUndefined();
    expect(knownFailure(round)).toBeUndefined();
  });
});

describe('what a library wrapped', () => {
  it('keeps its words, and a stop stays a stop', () => {
    const stalled = new ProviderError('stalled', 'Nothing came.');
    expect(knownFailure(new Error('Connection error.', { cause: stalled }))).toBe(stalled);
    const stop = Object.assign(new Error('aborted'), { name: 'AbortError' });
    expect(knownFailure(new Error('Connection error.', { cause: stop }))).toMatchObject({ name: 'AbortError' });
    expect(knownFailure('text')).toBeUndefined();
  });
});
