import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../../src/domain/errors.js';
import type { WebPages } from '../../../../src/domain/workspace/web-pages.js';
import { createWebPages } from '../../../../src/node/web/web-pages.js';

const { signal } = new AbortController();
type Handler = (request: IncomingMessage, response: ServerResponse) => void;
let handle: Handler = () => undefined;
let hits: string[] = [];
const server = createServer((request, response) => {
  hits.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
  handle(request, response);
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  hits = [];
});

/** Every name leads to the test's server, and its address counts as public. */
const local = (overrides: Partial<Parameters<typeof createWebPages>[0]> = {}): WebPages =>
  createWebPages({ allow: (address) => address === '127.0.0.1', resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]), ...overrides });
const at = (path: string, host = 'site.example'): string => `http://${host}:${port}${path}`;
const answer = (body: string | Buffer, headers: Record<string, string> = {}, status = 200): void => {
  handle = (_, response) => void response.writeHead(status, headers).end(body);
};

describe('what is got', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('a page compressed as %s', async (coding, compress) => {
    answer(compress(Buffer.from('<p>grün</p>')), { 'content-type': 'Text/HTML; charset=utf-8', 'content-encoding': coding });
    expect(await local().get(at('/a?b#c'), signal)).toEqual({ url: at('/a?b'), status: 200, contentType: 'text/html', text: '<p>grün</p>', truncated: false });
    expect(hits).toEqual([`site.example:${port}/a?b`]);
  });

  it.each<[string, Buffer, string | undefined, string]>([
    ['the header', Buffer.from('gr\xfcn', 'latin1'), 'text/plain; charset=ISO-8859-1', 'grün'],
    ['a mark, whatever the header says', Buffer.from('\uFEFFgrün', 'utf16le'), 'text/plain; charset=utf-8', 'grün'],
    ['the page', Buffer.from('<meta charset="windows-1251"><p>\xcf</p>', 'latin1'), 'text/html', '<meta charset="windows-1251"><p>П</p>'],
    ['nothing, as UTF-8', Buffer.from('grün'), 'text/plain', 'grün'],
    ['nothing, as the old Western one', Buffer.from('gr\xfcn \x80', 'latin1'), 'text/plain', 'grün €'],
    ['a header that names none that exists', Buffer.from('grün'), 'text/plain; charset=klingon', 'grün'],
  ])('the encoding by %s', async (_, bytes, type, text) => {
    answer(bytes, type === undefined ? {} : { 'content-type': type });
    expect((await local().get(at('/'), signal)).text).toBe(text);
  });

  it('a page without a type by its beginning; errors with their text', async () => {
    answer('<!DOCTYPE html><p>x');
    expect((await local().get(at('/'), signal)).contentType).toBe('text/html');
    answer('gone', { 'content-type': 'text/plain' }, 404);
    expect(await local().get(at('/'), signal)).toMatchObject({ status: 404, text: 'gone' });
  });

  it('a PDF document as its bytes, when it comes as a whole', async () => {
    answer(Buffer.from('%PDF-1.7 x'), { 'content-type': 'application/pdf' });
    const page = await local().get(at('/a.pdf'), signal);
    expect(page).toMatchObject({ contentType: 'application/pdf', text: '', truncated: false });
    expect(Buffer.from(page.pdf ?? []).toString()).toBe('%PDF-1.7 x');
    answer(Buffer.from('%PDF-1.7 y'), { 'content-type': 'application/octet-stream' });
    expect(await local().get(at('/A.PDF?raw'), signal)).toMatchObject({ contentType: 'application/pdf' });
    answer(Buffer.alloc(21 * 1024 * 1024), { 'content-type': 'application/pdf' });
    await expect(local().get(at('/a.pdf'), signal)).rejects.toThrow(/larger than 20 MB/);
  });

  it.each(['image/png', 'application/octet-stream', 'application/zip', 'video/mp4'])('not %s', async (type) => {
    answer('x', { 'content-type': type });
    await expect(local().get(at('/'), signal)).rejects.toThrow(/not text/);
    answer(Buffer.from([0, 1, 2]));
    await expect(local().get(at('/'), signal)).rejects.toThrow(/not text/);
  });
});

describe('tool-18: limits', () => {
  it('a bomb is cut at 5 MB without being unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024, 'x'));
    answer(bomb, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
    const before = process.memoryUsage().rss;
    const page = await local().get(at('/'), signal);
    expect([page.truncated, page.text.length]).toEqual([true, 5 * 1024 * 1024]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('an endless page is cut and its connection ended', async () => {
    const closed = new Promise<void>((resolve) => {
      handle = (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more).on('close', resolve);
        more();
      };
    });
    expect((await local().get(at('/'), signal)).truncated).toBe(true);
    await closed;
  });

  it('broken and unknown compression are said', async () => {
    answer('no gzip', { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
    await expect(local().get(at('/'), signal)).rejects.toThrow(ToolInputError);
    answer('x', { 'content-type': 'text/plain', 'content-encoding': 'gzip, gzip' });
    await expect(local().get(at('/'), signal)).rejects.toThrow(/compressed in a way/);
  });

  it('a server that is silent, or drips, is given up', async () => {
    handle = () => undefined;
    await expect(local({ timeLimitMs: 100 }).get(at('/'), signal)).rejects.toThrow(/did not come within 0\.1 seconds/);
    handle = (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('x');
    await expect(local({ timeLimitMs: 100 }).get(at('/'), signal)).rejects.toThrow(/did not come within/);
  });

  it('can be stopped', async () => {
    const controller = new AbortController();
    handle = () => controller.abort();
    await expect(local().get(at('/'), controller.signal)).rejects.toThrow(/abort/i);
    await expect(local().get(at('/'), AbortSignal.abort())).rejects.toThrow(/abort/i);
  });

  it('a connection that fails is said in words', async () => {
    handle = (request) => request.socket.destroy();
    await expect(local().get(at('/'), signal)).rejects.toThrow(/broke the connection off/);
    const missing = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    await expect(local({ resolve: () => Promise.reject(missing) }).get(at('/'), signal)).rejects.toThrow('There is no such host.');
  });
});

describe('tool-18: redirects', () => {
  const redirect = (to: (path: string) => string, status = 302): void => {
    handle = (request, response) => {
      const path = request.url ?? '';
      if (path === '/end') response.writeHead(200, { 'content-type': 'text/plain' }).end('end');
      else response.writeHead(status, { location: to(path) }).end();
    };
  };

  it.each([301, 302, 303, 307, 308])('%i is followed on the same host, with or without www', async (status) => {
    redirect((path) => (path === '/' ? '/second' : at('/end', 'www.site.example')), status);
    expect(await local().get(at('/'), signal)).toMatchObject({ url: at('/end', 'www.site.example'), text: 'end' });
  });

  it('another host is named instead of followed', async () => {
    redirect(() => at('/end', 'other.example'));
    await expect(local().get(at('/'), signal)).rejects.toThrow(`redirects to another host. To go on, fetch ${at('/end', 'other.example')}`);
    redirect(() => at('/end', 'site.example.evil.example'));
    await expect(local().get(at('/'), signal)).rejects.toThrow(/another host/);
    expect(hits).toHaveLength(2);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost/',
    'http://[::1]/',
    'http://2852039166/',
    'http://user@site.example/',
    'file:///etc/passwd',
    'http://site.example:22/',
    'http://[',
  ])('%s is refused', async (target) => {
    redirect(() => target);
    await expect(local().get(at('/'), signal)).rejects.toThrow(ToolInputError);
    expect(hits).toHaveLength(1);
  });

  it('a circle ends after five', async () => {
    redirect((path) => `${path}x`);
    await expect(local().get(at('/'), signal)).rejects.toThrow(/more than 5 times/);
    expect(hits).toHaveLength(6);
  });
});

describe('tool-18: where names lead', () => {
  it('is private: no connection is made, as long as one of the addresses is', async () => {
    const strict = createWebPages({
      resolve: () =>
        Promise.resolve([
          { address: '93.184.215.14', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ]),
    });
    await expect(strict.get(at('/'), signal)).rejects.toThrow(/private network/);
    await expect(createWebPages().get(`http://127.0.0.1:${port}/`, signal)).rejects.toThrow(/private network/);
    await expect(createWebPages().get(`http://localhost:${port}/`, signal)).rejects.toThrow(/private network/);
    expect(hits).toEqual([]);
  });

  it('changes (rebinding): each connection goes to an address that was checked for it', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    const asked: string[] = [];
    const pages = local({
      resolve: (host) => {
        asked.push(host);
        return Promise.resolve([{ address: answers.shift() ?? '10.0.0.1', family: 4 }]);
      },
    });
    answer('first', { 'content-type': 'text/plain' });
    expect((await pages.get(at('/'), signal)).text).toBe('first');
    expect(asked).toEqual(['site.example']);
    await expect(pages.get(at('/'), signal)).rejects.toThrow(/private network/);
    expect(hits).toHaveLength(1);
  });

  it('is checked again after a redirect', async () => {
    const answers = ['127.0.0.1', '169.254.169.254'];
    handle = (_, response) => void response.writeHead(302, { location: '/again' }).end();
    const pages = local({ resolve: () => Promise.resolve([{ address: answers.shift() ?? '', family: 4 }]) });
    await expect(pages.get(at('/'), signal)).rejects.toThrow(/private network/);
    expect(hits).toHaveLength(1);
  });
});
