import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { LineTransport } from '../../../../src/headless/mcp-serve/line-transport.js';

const MEGABYTE = 1024 * 1024;

/** A transport with what it passes on, and what it writes. */
async function connected(): Promise<{
  readonly transport: LineTransport;
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly passed: JSONRPCMessage[];
}> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport({ input, output });
  const passed: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void passed.push(message);
  await transport.start();
  return { transport, input, output, passed };
}

const written = (output: PassThrough): readonly { readonly id?: unknown; readonly error?: { readonly code: number; readonly message: string } }[] =>
  String(output.read() ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as object);

/** Lets everything that was written be read. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const ping = (id: number | string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"ping"}\n`;

describe('lines from a client', () => {
  it.each([
    ['no JSON', 'garbage\n', -32_700],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x0a]), -32_700],
    ['a list', `[${ping(1).trim()}]\n`, -32_600],
    ['no object', '7\n', -32_600],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","method":"ping"}\n', -32_600],
    ['an id that is none', '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}\n', -32_600],
  ])('that are %s are answered with an error, and the next one is read', async (_, line, code) => {
    const { input, output, passed } = await connected();
    input.write(line);
    input.write(`\r\n  \n${ping('next')}`);
    await settled();
    expect(written(output)).toEqual([{ jsonrpc: '2.0', error: { code, message: expect.any(String) as string } }]);
    expect(passed).toMatchObject([{ id: 'next' }]);
  });

  it('name the request in the error where its id can be read', async () => {
    const { input, output } = await connected();
    input.write('{"jsonrpc":"2.0","id":"seven"}\n');
    await settled();
    expect(written(output)).toMatchObject([{ id: 'seven', error: { code: -32_600 } }]);
  });

  it('that were to be answers and are none are errors for who asked', async () => {
    const { input, output, passed } = await connected();
    input.write('{"jsonrpc":"2.0","id":0,"result":"accept"}\n{"jsonrpc":"2.0","id":"a","error":true}\n');
    await settled();
    expect([written(output), passed]).toMatchObject([[], [0, 'a'].map((id) => ({ id, error: { code: -32_600, message: expect.any(String) as string } }))]);
  });

  it('that are longer than 8 MB are not kept, and are answered when they end', async () => {
    const { input, output, passed } = await connected();
    const before = process.memoryUsage().rss;
    for (let sent = 0; sent < 100; sent += 1) if (!input.write(Buffer.alloc(MEGABYTE, 'a'))) await settled();
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * MEGABYTE);
    expect(written(output)).toEqual([]);
    input.write(`\n${ping(1)}`);
    await settled();
    expect(written(output)).toMatchObject([{ error: { code: -32_600, message: expect.stringContaining('too long') as string } }]);
    expect(passed).toMatchObject([{ id: 1 }]);
  });

  it('with an id that is open, or more requests than can be, are refused; an answer and a cancellation make room', async () => {
    const { transport, input, output, passed } = await connected();
    input.write(Array.from({ length: 130 }, (_, id) => ping(id)).join(''));
    input.write(ping(0));
    await settled();
    expect(written(output)).toMatchObject([{ id: 128, error: { code: -32_000 } }, { id: 129, error: { code: -32_000 } }, { error: { code: -32_600 } }]);
    await transport.send({ jsonrpc: '2.0', id: 0, result: {} });
    input.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n');
    input.write(ping(0) + ping(1));
    await settled();
    expect(passed.slice(128)).toMatchObject([{ method: 'notifications/cancelled' }, { id: 0 }, { id: 1 }]);
  });

  it('are not read from a client that reads nothing, until it does', async () => {
    const { transport, input, output, passed } = await connected();
    const sent = transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1, message: 'x'.repeat(MEGABYTE) } });
    input.write(ping(1));
    await settled();
    expect(passed).toEqual([]);
    output.resume();
    await sent;
    await settled();
    expect(passed).toMatchObject([{ id: 1 }]);
  });

  it('end with the input: nothing is sent any more, and who waited for room does so no longer', async () => {
    const { transport, input } = await connected();
    const sent = transport.send({ jsonrpc: '2.0', method: 'x', params: { x: 'x'.repeat(MEGABYTE) } });
    input.resume();
    input.end();
    await transport.closed;
    await sent;
    await expect(transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toThrow('over');
  });
});
