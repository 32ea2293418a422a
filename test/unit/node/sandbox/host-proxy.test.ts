import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostProxy, type ProxyOptions } from '../../../../src/node/sandbox/host-proxy.js';

/** A server of this machine, which no name may open, and what it was asked for. */
async function privateServer(): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ headers, url }, response) => {
    asked.push(`${headers.host ?? ''}${url ?? ''}`);
    response.end('private');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, asked };
}

async function proxy(options: ProxyOptions): Promise<number> {
  const started = await HostProxy.start(options, 'port');
  onTestFinished(() => started.close());
  return Number(started.at);
}

/** Finds this machine under every name, and notes the names. */
function noting(looked: string[]): NonNullable<ProxyOptions['resolve']> {
  return (name) => {
    looked.push(name);
    return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  };
}

/** What a proxy answers to a request line, byte for byte as given. */
async function answerTo(port: number, line: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.end(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
}

/** Spellings of one name, as DNS, URLs, and programs know them. */
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `${name}.`,
  (name) => `${name}..`,
  (name) => `.${name}`,
  (name) => name.toUpperCase(),
  (name) => `${name.toUpperCase()}.`,
  (name) => name.replace('.', '。'),
  (name) => name.replace('.', '%2e'),
  (name) => `${name}%2e`,
  (name) => name.replace('.', '．'),
  (name) => `user@${name}`,
  (name) => `user:word@${name}`,
  (name) => `@${name}`,
  (name) => `127.0.0.1@${name}`,
  (name) => `${name}@127.0.0.1`,
  (name) => `${name}%00`,
  (name) => `${name}%20`,
  (name) => `${name}\t`,
  (name) => `${name}#`,
  (name) => `${name}\\`,
  (name) => `[${name}]`,
  (name) => name.replace('e', 'ｅ'),
  (name) => name.replace('e', 'e\u00ad'),
];
/** This machine and private networks, as addresses. */
const ADDRESSES = [
  ...['127.0.0.1', '127.0.0.1.', '127.1', '0x7f.1', '0x7f000001', '2130706433', '017700000001', '0177.0.0.1', '127.0.0.01', '0', '0.0.0.0', '10.0.0.1'],
  ...['192.168.1.1', '169.254.169.254', '０.0.0.0', '127。0。0。1', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
  ...['[64:ff9b::7f00:1]', '[fe80::1]', '[fe80::1%25lo]', '[fe80::1%lo]', '[fc00::1]', '[2002:7f00:1::]', '[0:0:0:0:0:0:0:1]', 'localhost', 'localhost.'],
  ...['LOCALHOST', 'x.localhost', 'a.local', 'a.internal.', 'host'],
];

describe('the way out of the sandbox', () => {
  it('leads to no private network, however a name or an address is written', async () => {
    const { port, asked } = await privateServer();
    const hosts = ['ok.example', '*.sub.example', 'xn--bcher-kva.example', ...ADDRESSES.map((address) => address.replace(/^\[|\]$/g, '')), ...ADDRESSES];
    const looked: string[] = [];
    const through = await proxy({ hosts, resolve: noting(looked) });
    const written = ['ok.example', 'a.sub.example', 'xn--bcher-kva.example', 'b\u00fccher.example'];
    const names = written.flatMap((name) => SPELLINGS.map((spelling) => spelling(name)));
    for (const host of [...names, ...ADDRESSES]) {
      // As a client sends it: bytes in UTF-8.
      const bytes = Buffer.from(host).toString('latin1');
      const lines = [`CONNECT ${bytes}:${port}`, `GET http://${bytes}:${port}/`, `CONNECT ${bytes}:0${port}`, `GET HTTP://${bytes}:${port}/`];
      for (const line of lines) expect([400, 403, 502], line).toContain(await answerTo(through, line));
    }
    expect(asked).toEqual([]);
    expect([...new Set(looked)].sort()).toEqual(['a.sub.example', 'ok.example', 'xn--bcher-kva.example']);
  }, 20_000);

  it('leads to the name that was checked, and says so to its server', async () => {
    const { port, asked } = await privateServer();
    const looked: string[] = [];
    const through = await proxy({ hosts: ['OK.example.', '*.Sub.example'], allow: () => true, resolve: noting(looked) });
    for (const host of ['ok.example', 'OK.EXAMPLE.', 'a.sub.example.']) {
      const asking = request({ port: through, host: '127.0.0.1', path: `http://${host}:${port}/x`, headers: { host: 'other.example' } }).end();
      const [answer] = (await once(asking, 'response')) as [{ statusCode: number; resume(): void }];
      answer.resume();
      expect(answer.statusCode).toBe(200);
      expect(await answerTo(through, `CONNECT ${host}:${port}`)).toBe(200);
    }
    expect(new Set(looked)).toEqual(new Set(['ok.example', 'a.sub.example']));
    expect(new Set(asked.map((each) => each.replace(`:${port}`, '')))).toEqual(new Set(['ok.example/x', 'a.sub.example/x']));
    const others = [
      ...[`GET ftp://ok.example:${port}/`, `GET https://ok.example:${port}/`, `CONNECT http://ok.example:${port}`, 'CONNECT ok.example'],
      ...['GET /x', `CONNECT ok.example:${port}/`, `CONNECT sub.example:${port}`],
    ];
    for (const line of others) expect([line, await answerTo(through, line)]).toEqual([line, 403]);
  });
});
