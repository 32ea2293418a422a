import { createServer, request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openLoopback, type LoopbackOptions } from '../../../../src/node/mcp-auth/loopback.js';
import type { McpRedirectReceiver } from '../../../../src/domain/mcp/sign-in.js';

const opened: McpRedirectReceiver[] = [];

afterEach(() => {
  for (const receiver of opened.splice(0)) receiver.close();
});

async function open(options: LoopbackOptions = {}): Promise<McpRedirectReceiver> {
  const receiver = await openLoopback(options);
  opened.push(receiver);
  return receiver;
}

interface Page {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function visit(url: string, options: RequestOptions = {}): Promise<Page> {
  return new Promise((done, fail) => {
    httpRequest(url, { agent: false, ...options }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += String(chunk)));
      answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    })
      .on('error', fail)
      .end();
  });
}

const never = new AbortController().signal;

describe('conf-15: the address on this machine to which the browser comes back', () => {
  it('takes one answer, shows a page that does nothing, and stops listening', async () => {
    const receiver = await open();
    expect(receiver.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const answer = receiver.wait('right', never);
    const page = await visit(`${receiver.redirectUri}?code=c&state=right&iss=https%3A%2F%2Fas`);
    expect(page).toMatchObject({
      status: 200,
      headers: { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store', 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" },
    });
    expect(page.text).toContain('You can close this window.');
    expect(page.text).not.toContain('right');
    expect(Object.fromEntries(await answer)).toEqual({ code: 'c', state: 'right', iss: 'https://as' });
    await expect(visit(`${receiver.redirectUri}?code=d&state=right`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each<[string, string, RequestOptions, number]>([
    ['another host', '?state=right', { headers: { Host: 'evil.example' } }, 403],
    ['another name of this machine', '?state=right', { headers: { Host: 'localhost' } }, 403],
    ['the right host with another port', '?state=right', { headers: { Host: '127.0.0.1:1' } }, 403],
    ['an origin', '?state=right', { headers: { Origin: 'https://evil.example' } }, 403],
    ['a script of a page', '?state=right', { headers: { 'Sec-Fetch-Mode': 'no-cors' } }, 403],
    ['an image of a page', '?state=right', { headers: { 'Sec-Fetch-Dest': 'image' } }, 403],
    ['a frame of a page', '?state=right', { headers: { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' } }, 403],
    ['another method', '?state=right', { method: 'POST' }, 405],
    ['another path', '/more?state=right', {}, 404],
    ['another state', '?state=wrong', {}, 400],
    ['a state of the same length', '?state=righT', {}, 400],
    ['no state', '?code=c', {}, 400],
    ['two states', '?state=right&state=wrong', {}, 400],
  ])('refuses %s, and goes on waiting', async (_, rest, options, status) => {
    const receiver = await open();
    const answer = receiver.wait('right', never);
    await expect(visit(`${receiver.redirectUri}${rest}`, options)).resolves.toMatchObject({ status });
    await visit(`${receiver.redirectUri}?code=c&state=right`, { headers: { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' } });
    expect((await answer).get('code')).toBe('c');
  });

  it('refuses answers that come before it waits', async () => {
    const receiver = await open();
    await expect(visit(`${receiver.redirectUri}?state=`)).resolves.toMatchObject({ status: 400 });
  });

  it('stops listening when it is stopped, when its time is over, and when it is closed', async () => {
    const [stopped, late, closed] = [await open(), await open({ timeLimitMs: 20 }), await open()];
    const control = new AbortController();
    const waiting = stopped.wait('right', control.signal);
    control.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(late.wait('right', never)).rejects.toMatchObject({ name: 'McpError', kind: 'timeout' });
    closed.close();
    closed.close();
    for (const { redirectUri } of [stopped, late, closed]) await expect(visit(redirectUri)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('uses the port of the last time if it is free, and another one if not', async () => {
    const first = await open();
    first.close();
    expect((await open({ previous: first.redirectUri })).redirectUri).toBe(first.redirectUri);
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => other.once('listening', done));
    const taken = `http://127.0.0.1:${(other.address() as AddressInfo).port}/callback`;
    expect((await open({ previous: taken })).redirectUri).not.toBe(taken);
    expect((await open({ previous: 'https://evil.example/callback' })).redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:/);
    other.close();
  });

  it('is reached through a forwarded port', async () => {
    let local = '';
    const receiver = await open({
      external: (address) => {
        local = address;
        return Promise.resolve('http://localhost:12345/callback');
      },
    });
    expect(receiver.redirectUri).toBe('http://localhost:12345/callback');
    const answer = receiver.wait('right', never);
    await expect(visit(`${local}?state=right`, { headers: { Host: 'localhost:12345' } })).resolves.toMatchObject({ status: 200 });
    await answer;
  });

  it('does not listen when the port cannot be forwarded', async () => {
    let local = '';
    const failing = openLoopback({
      external: (address) => {
        local = address;
        return Promise.reject(new Error('no tunnel'));
      },
    });
    await expect(failing).rejects.toThrow('no tunnel');
    await expect(visit(local)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
