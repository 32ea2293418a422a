import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type IdleTimeoutOptions, watchedFetch } from '../../../../src/provider/http/watched-fetch.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { type Gate, type ModelServer, type Reply, gate, hangReply, httpError, reply, startModelServer } from '../../../support/model-server/index.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import { never, request } from '../anthropic/rig.js';

const MINUTE = 60_000;

/** A clock that the test moves, with the ticks that a vigil asks for. */
class TestTime implements IdleTimeoutOptions {
  /** Ticks that run. */
  running = 0;
  private time = 1_000;
  private readonly ticks = new Set<() => void>();
  private tickMs = 0;

  readonly now = (): number => this.time;

  readonly every = (ms: number, tick: () => void): (() => void) => {
    this.tickMs = ms;
    this.ticks.add(tick);
    this.running += 1;
    return () => {
      if (this.ticks.delete(tick)) this.running -= 1;
    };
  };

  /** Time passes as it does while the machine is awake. */
  pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += this.tickMs) this.jump(Math.min(this.tickMs, ms - passed));
  }

  /** Time passes until something has happened. */
  async passUntil<T>(happens: Promise<T>): Promise<T> {
    let over = false;
    const done = happens.finally(() => (over = true));
    while (!over) {
      this.pass(MINUTE);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return done;
  }

  /** Time passes at once, as when the machine slept. */
  jump(ms: number): void {
    this.time += ms;
    for (const tick of [...this.ticks]) tick();
  }
}

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ lenient: true });
});
afterAll(() => server.close());

function post(time: TestTime, script: Reply, signal?: AbortSignal): Promise<Response> {
  server.setScript(() => script);
  const init = { method: 'POST', headers: { 'x-api-key': 'k', 'anthropic-version': '1' }, body: '{"stream":true}' };
  return watchedFetch(undefined, time)(`${server.url}/v1/messages`, { ...init, ...(signal === undefined ? {} : { signal }) });
}

/** Reads until a text has arrived. */
async function readTo(reader: ReadableStreamDefaultReader<Uint8Array>, end: string): Promise<void> {
  const decoder = new TextDecoder();
  for (let text = ''; !text.includes(end);) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The end came before ${end}.`);
    text += decoder.decode(value, { stream: true });
  }
}

function readerOf(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (response.body === null) throw new Error('There is no body.');
  return response.body.getReader();
}

function pinged(gates: readonly Gate[]): Reply {
  return gates.reduce((answer, next, index) => answer.raw(`: ping ${index}\n\n`).hold(next), reply().text('Hello'));
}

describe('stream-11: silence', () => {
  it('before the headers ends the request after 5 minutes, in words', async () => {
    const time = new TestTime();
    const before = server.requests.length;
    const response = post(time, hangReply);
    const { closedByClient } = await server.request(before);
    time.pass(5 * MINUTE - 1);
    expect(time.running).toBe(1);
    time.pass(5_000);
    const error = await failure(response);
    expect(error).toMatchObject({ name: 'ProviderError', kind: 'stalled' });
    expect(error.message).toContain('no data for 5 minutes');
    expect(error.message).toContain(new URL(server.url).host);
    expect(await closedByClient).toBe(true);
    expect(time.running).toBe(0);
  });

  it('in the middle of the body ends it, and closes the connection', async () => {
    const time = new TestTime();
    const reader = readerOf(await post(time, reply().text('Hello').hold(gate())));
    await readTo(reader, 'Hello');
    expect(await time.passUntil(failure(readToEnd(reader)))).toMatchObject({ kind: 'stalled' });
    expect(await server.requests.at(-1)?.closedByClient).toBe(true);
    expect(time.running).toBe(0);
  });

  it('is broken by pings and comments: an hour of them is borne', async () => {
    const time = new TestTime();
    const gates = Array.from({ length: 15 }, () => gate());
    const reader = readerOf(await post(time, pinged(gates)));
    await readTo(reader, 'ping 0');
    for (const [index, next] of gates.entries()) {
      const more = readTo(reader, index + 1 < gates.length ? `ping ${index + 1}` : 'message_stop');
      time.pass(4 * MINUTE);
      next.open();
      await more;
    }
    await readToEnd(reader);
    expect(time.running).toBe(0);
  });

  it('does not count while the machine sleeps', async () => {
    const time = new TestTime();
    const held = gate();
    const reader = readerOf(await post(time, reply().text('Hello').hold(held)));
    await readTo(reader, 'content_block_stop');
    const rest = readToEnd(reader);
    time.pass(4 * MINUTE);
    time.jump(8 * 60 * MINUTE);
    time.pass(4 * MINUTE);
    held.open();
    await rest;
    expect(time.running).toBe(0);
  });

  it('counts again from the start after a sleep', async () => {
    const time = new TestTime();
    const reader = readerOf(await post(time, reply().text('Hello').hold(gate())));
    await readTo(reader, 'content_block_stop');
    const rest = failure(readToEnd(reader));
    time.jump(8 * 60 * MINUTE);
    expect(await time.passUntil(rest)).toMatchObject({ kind: 'stalled' });
  });

  it('does not count while nobody waits for bytes', async () => {
    const time = new TestTime();
    const held = gate();
    const reader = readerOf(await post(time, reply().text('Hello').hold(held)));
    await readTo(reader, 'content_block_stop');
    time.pass(20 * MINUTE);
    expect(time.running).toBe(0);
    held.open();
    await readToEnd(reader);
    expect(time.running).toBe(0);
  });
});

describe('the clock stops', () => {
  it('at the end, at an answer that is an error, and at a failure', async () => {
    const time = new TestTime();
    await (await post(time, reply().text('Hello'))).text();
    expect(time.running).toBe(0);
    await (await post(time, httpError(500, 'api_error', 'Oops'))).text();
    expect(time.running).toBe(0);
    await failure((await post(time, reply().text('Hello').cut())).text());
    expect(time.running).toBe(0);
    await failure(watchedFetch(undefined, time)('http://127.0.0.1:9'));
    expect(time.running).toBe(0);
  });

  it('when it is stopped on request, before the headers and behind them', async () => {
    const time = new TestTime();
    const early = new AbortController();
    const before = server.requests.length;
    const response = post(time, hangReply, early.signal);
    await server.request(before);
    early.abort();
    expect(await failure(response)).toMatchObject({ name: 'AbortError' });
    expect(time.running).toBe(0);

    const late = new AbortController();
    const reader = readerOf(await post(time, reply().text('Hello').hold(gate()), late.signal));
    await readTo(reader, 'content_block_stop');
    const rest = readToEnd(reader);
    late.abort();
    expect(await failure(rest)).toMatchObject({ name: 'AbortError' });
    expect(time.running).toBe(0);
  });

  it('when the reader goes away, and the connection is closed', async () => {
    const time = new TestTime();
    const response = await post(time, reply().text('Hello').hold(gate()));
    await response.body?.cancel();
    expect(time.running).toBe(0);
    expect(await server.requests.at(-1)?.closedByClient).toBe(true);
  });
});

describe('what else passes through', () => {
  it('is as it was: status, headers, bytes, and bodies that are none', async () => {
    const bytes = new Uint8Array([0, 255, 10]);
    const inner = vi.fn<typeof fetch>(() => Promise.resolve(new Response(bytes, { status: 418, statusText: 'Teapot', headers: { 'x-a': 'b' } })));
    const response = await watchedFetch(inner)('http://host/', { method: 'PUT' });
    expect([response.status, response.statusText, response.headers.get('x-a')]).toEqual([418, 'Teapot', 'b']);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect(inner.mock.calls[0]?.[1]?.method).toBe('PUT');
    const empty = new Response(null, { status: 204 });
    expect(await watchedFetch(() => Promise.resolve(empty))('http://host/')).toBe(empty);
  });

  it.each(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])('but the platform’s own word for silence, %s, is silence', async (code) => {
    const time = new TestTime();
    const lost = new TypeError('terminated', { cause: Object.assign(new Error('Timeout'), { code }) });
    const inner = async (): Promise<Response> => {
      await Promise.resolve();
      time.jump(5 * MINUTE);
      throw lost;
    };
    const error = await failure(watchedFetch(inner, { now: time.now, every: time.every, idleMs: 20 * MINUTE })('http://host/'));
    expect(error).toMatchObject({ kind: 'stalled', message: expect.stringContaining('no data for 5 minutes') as string, cause: lost });
  });
});

describe('stream-11: with the real clock, through the Anthropic provider', () => {
  const options = (idleMs = 300): Parameters<typeof createAnthropicProvider>[0] => ({
    apiKey: () => Promise.resolve('k'),
    baseUrl: () => server.url,
    fetch: watchedFetch(undefined, { idleMs }),
  });

  it('pings keep an answer alive for longer than the limit', async () => {
    // On a busy machine a ping may be late.
    const slow = Array.from({ length: 20 }).reduce(
      (answer: ReturnType<typeof reply>) => answer.delay(100).raw('event: ping\ndata: {"type": "ping"}\n\n'),
      reply().text('So far.'),
    );
    server.setScript(() => slow.text(' And more.'));
    const started = performance.now();
    const stream = createAnthropicProvider(options(1_500)).stream(request(), never());
    await drain(stream);
    expect(performance.now() - started).toBeGreaterThan(1_600);
    expect(stream.message()).toMatchObject({ stopReason: 'end_turn' });
  });

  it.each<[string, Reply]>([
    ['before the answer', hangReply],
    ['in the middle of it', reply().text('So far.').hold(gate())],
  ])('silence %s is told as such, and what arrived is kept', async (_name, script) => {
    server.setScript(() => script);
    const stream = createAnthropicProvider(options()).stream(request(), never());
    expect(await failure(drain(stream))).toMatchObject({ kind: 'stalled' });
    const text = script.kind === 'hang' ? [] : [{ type: 'text', text: 'So far.' }];
    expect(stream.message()).toMatchObject({ stopReason: 'error', content: text });
    expect(await server.requests.at(-1)?.closedByClient).toBe(true);
  });
});

async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
