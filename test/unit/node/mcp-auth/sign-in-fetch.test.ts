import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { McpFetch } from '../../../../src/domain/mcp/sign-in.js';
import { addressKind, createSignInFetch, hostKinds } from '../../../../src/node/mcp-auth/sign-in-fetch.js';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** Starts a server and returns its origin. */
async function serve(answer: RequestListener): Promise<string> {
  const started = createServer(answer).listen(0, '127.0.0.1');
  server = started;
  await new Promise((done) => started.once('listening', done));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

/** Names, and the addresses that they lead to. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'tracker.example': ['93.184.215.14'],
  'tracker.corp': ['10.1.2.3'],
  'sso.corp': ['10.9.9.9', 'fd12::1'],
  'rebound.example': ['93.184.215.14', '127.0.0.1'],
  'inside.example': ['10.1.2.3'],
  'this-machine.example': ['127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
};

function fetchFor(address: string, timeLimitMs?: number): McpFetch {
  const resolve = (host: string) => {
    const addresses = NAMES[host];
    return addresses === undefined
      ? Promise.reject(new Error('ENOTFOUND'))
      : Promise.resolve(addresses.map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 })));
  };
  return createSignInFetch({ resolve, ...(timeLimitMs !== undefined && { timeLimitMs }) })(new URL(address));
}

describe('addresses', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.9.9.9', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd00::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['169.254.169.254', 'reserved'],
    ['100.100.100.200', 'reserved'],
    ['fd00:ec2::254', 'reserved'],
    ['fe80::1', 'reserved'],
    ['0.0.0.0', 'reserved'],
    ['::', 'reserved'],
    ['64:ff9b::7f00:1', 'reserved'],
    ['nothing', 'reserved'],
    ['93.184.215.14', 'public'],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'public'],
  ])('%s is %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });

  it('of names that cannot be looked up are judged by the name', async () => {
    const fails = () => Promise.reject(new Error('ENOTFOUND'));
    await expect(hostKinds('wiki', fails)).resolves.toEqual(new Set(['private']));
    await expect(hostKinds('wiki.internal', fails)).resolves.toEqual(new Set(['private']));
    await expect(hostKinds('wiki.example.', fails)).resolves.toEqual(new Set(['public']));
    await expect(hostKinds('[::1]', fails)).resolves.toEqual(new Set(['loopback']));
  });
});

describe('conf-14: what a server elsewhere names as its authorization server', () => {
  it.each([
    'http://login.example/token',
    'https://user:password@login.example/',
    'https://127.0.0.1/',
    'http://127.0.0.1:1/',
    'https://localhost/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://wiki/',
    'https://wiki.internal/',
    'https://this-machine.example/',
    'https://rebound.example/',
    'https://inside.example/',
    'https://metadata.example/',
    'file:///etc/passwd',
  ])('is not asked at %s', async (url) => {
    await expect(fetchFor('https://tracker.example/mcp')(url)).rejects.toMatchObject({ name: 'McpError', kind: 'refused' });
  });

  it.each(['https://127.0.0.1/', 'https://169.254.169.254/', 'https://metadata.example/', 'https://this-machine.example/', 'http://10.1.2.3/'])(
    'is not asked at %s by a server in a private network either',
    async (url) => {
      await expect(fetchFor('https://tracker.corp/mcp')(url)).rejects.toMatchObject({ kind: 'refused' });
    },
  );

  it('is not asked in a private network by a server on this machine', async () => {
    await expect(fetchFor('http://127.0.0.1:1/mcp')('https://10.1.2.3/')).rejects.toMatchObject({ kind: 'refused' });
  });

  it('is not asked on this machine by a server whose name leads there', async () => {
    await expect(fetchFor('https://this-machine.example/mcp')('http://127.0.0.1:1/')).rejects.toMatchObject({ kind: 'refused' });
  });

  it('is looked for in a private network by a server there', async () => {
    // Refused by nobody: the connection is tried, and ends with the time limit or the network.
    const error = await fetchFor('https://tracker.corp/mcp', 300)('https://sso.corp/').then(String, (reason: unknown) => reason);
    expect(['timeout', 'unreachable']).toContain((error as { kind: string }).kind);
  });
});

describe('what an authorization server answers', () => {
  it('is passed on with its status and headers, and forms are sent as such', async () => {
    const origin = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () =>
        response
          .writeHead(201, { 'Content-Type': 'application/json', 'X-Method': String(request.method) })
          .end(JSON.stringify({ body, type: request.headers['content-type'] })),
      );
    });
    const answer = await fetchFor(`${origin}/mcp`)(`${origin}/token`, {
      method: 'POST',
      headers: new Headers({ 'Content-Type': 'application/x-www-form-urlencoded' }),
      body: new URLSearchParams({ a: 'b c' }),
    });
    expect([answer.status, answer.headers.get('x-method'), await answer.json()]).toEqual([
      201,
      'POST',
      { body: 'a=b+c', type: 'application/x-www-form-urlencoded' },
    ]);
  });

  it('is not followed elsewhere', async () => {
    const origin = await serve((_, response) => response.writeHead(302, { Location: 'https://evil.example/' }).end());
    await expect(fetchFor(origin)(origin)).resolves.toMatchObject({ status: 302 });
  });

  it('is cut off when it is too large, too slow, or packed', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/large') response.end('x'.repeat(600_000));
      else if (request.url === '/packed') response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('x');
      else if (request.url === '/slow') response.write('x');
    });
    const get = fetchFor(origin);
    await expect(get(`${origin}/large`)).rejects.toMatchObject({ kind: 'protocol' });
    await expect(get(`${origin}/packed`)).rejects.toMatchObject({ kind: 'protocol' });
    await expect(fetchFor(origin, 100)(`${origin}/slow`)).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('is not waited for when the sign-in is stopped', async () => {
    const control = new AbortController();
    const origin = await serve(() => control.abort());
    await expect(fetchFor(origin)(origin, { signal: control.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('fails without a word of what was sent when nobody answers', async () => {
    const error = (await fetchFor('http://127.0.0.1:1')('http://127.0.0.1:1/?code=canary').catch((reason: unknown) => reason)) as Error;
    expect(error).toMatchObject({ kind: 'unreachable', message: '127.0.0.1:1 cannot be reached.' });
    expect(error.cause).toBeUndefined();
  });
});
