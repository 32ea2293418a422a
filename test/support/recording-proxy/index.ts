import { type Socket, connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A request byte for byte, as it came over the connection. */
export interface RawRequest {
  /** The request line, such as `POST /v1/messages HTTP/1.1`. */
  readonly line: string;
  /** In the order in which they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** A running proxy on loopback. */
export interface RecordingProxy {
  /** Its address, in place of that of the server behind it. */
  readonly url: string;
  /** The requests that have come whole, in the order of their connections. */
  requests(): readonly RawRequest[];
  close(): Promise<void>;
}

/** Passes on every byte between clients and a server on loopback, and keeps what clients sent. It knows nothing of either. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const received: Buffer[][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const chunks: Buffer[] = [];
    received.push(chunks);
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // The other end is closed with it below; what broke is for the client and the server to say.
      socket.on('error', () => undefined);
    }
    client.on('data', (chunk: Buffer) => chunks.push(chunk));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => received.flatMap((chunks) => requestsIn(Buffer.concat(chunks))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The requests that a client sent over one connection, one after the other. */
function requestsIn(bytes: Buffer): readonly RawRequest[] {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return [];
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = lines.map((each) => [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 1).trim()] as const);
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  const rest = bytes.subarray(end + 4);
  const [body, after] =
    length === undefined && headers.some(([name]) => name.toLowerCase() === 'transfer-encoding')
      ? unchunked(rest)
      : [rest.subarray(0, Number(length ?? 0)), Number(length ?? 0)];
  return after > rest.length ? [] : [{ line, headers, body }, ...requestsIn(rest.subarray(after))];
}

/** A body in chunks, and where it ends. Format: RFC 9112, 7.1. */
function unchunked(bytes: Buffer): readonly [body: Buffer, end: number] {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return [Buffer.concat(parts), Infinity];
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (size === 0) return [Buffer.concat(parts), at];
    parts.push(bytes.subarray(lineEnd + 2, at - 2));
  }
}
