import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { McpToolInfo } from '../../../../src/domain/mcp/feature.js';
import type { McpElicitationAnswer } from '../../../../src/domain/mcp/request.js';
import { eventually } from '../../../support/eventually.js';
import { connectTo, never, scripted } from './connected.js';

const RUN: McpToolInfo = { name: 'run', inputSchema: { type: 'object' }, annotations: {} };
const options = { signal: never() };

/** A server with a tool that does this; `progress(n)` reports progress of the call. */
function running(source: string): ReturnType<typeof scripted> {
  return scripted(
    `on['tools/call'] = (message) => { const { id, params } = message; const progress = (n) => send({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: n } }); ${source} };`,
  );
}

describe('M-08: structured output', () => {
  const promising = (outputSchema: McpToolInfo['outputSchema']): McpToolInfo => ({ ...RUN, ...(outputSchema === undefined ? {} : { outputSchema }) });
  const echo = running(
    `reply(id, { content: [{ type: 'text', text: 'x' }], structuredContent: params.arguments.value, isError: params.arguments.error === true });`,
  );

  it('is passed on with what is wrong with it', async () => {
    const { connection } = await connectTo(echo);
    const tool = promising({ type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] });
    expect(await connection.callTool(tool, { value: { sum: 3 } }, options)).toEqual({
      content: [{ type: 'text', text: 'x' }],
      structured: { sum: 3 },
      isError: false,
    });
    expect(await connection.callTool(tool, { value: { sum: 'three' } }, options)).toMatchObject({
      structured: { sum: 'three' },
      mismatch: "It does not match the tool's output schema: data/sum must be number",
    });
    expect(await connection.callTool(tool, {}, options)).toMatchObject({ mismatch: 'The tool promises structured output, but sent none.' });
    expect(await connection.callTool(tool, { error: true }, options)).toEqual({ content: [{ type: 'text', text: 'x' }], isError: true });
  });

  it('is checked without anything from the network', async () => {
    let connections = 0;
    const socket = createServer((each) => {
      connections++;
      each.destroy();
    });
    await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
    const { connection } = await connectTo(echo);
    const $ref = `http://127.0.0.1:${(socket.address() as AddressInfo).port}/schema.json`;
    expect((await connection.callTool(promising({ type: 'object', properties: { a: { $ref } } }), { value: { a: 1 } }, options)).mismatch).toMatch(
      /^It could not be checked against the tool's output schema: can't resolve reference/,
    );
    await new Promise((resolve) => socket.close(resolve));
    expect(connections).toBe(0);
  });

  it.each([
    ['patterns that never end', { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(40)}!` }],
    [
      'choices within choices',
      {
        $ref: '#/$defs/d30',
        $defs: Object.fromEntries(
          Array.from({ length: 31 }, (_, depth) => [
            `d${depth}`,
            depth === 0 ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/d${depth - 1}` }, { $ref: `#/$defs/d${depth - 1}` }] },
          ]),
        ),
      },
      { a: 1 },
    ],
  ])('does not keep the extension host busy with %s', async (_, schema, value) => {
    const { connection } = await connectTo(echo);
    const start = performance.now();
    expect((await connection.callTool(promising(schema), { value }, options)).mismatch).toBe(
      "It could not be checked against the tool's output schema: that takes too long.",
    );
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it('of one tool is not checked against the schema of another with the same name for it', async () => {
    const { connection } = await connectTo(echo);
    expect((await connection.callTool(promising({ $id: 'https://schemas.example/x', type: 'object' }), { value: {} }, options)).mismatch).toBeUndefined();
    expect(
      (await connection.callTool(promising({ $id: 'https://schemas.example/x', type: 'object', required: ['b'] }), { value: {} }, options)).mismatch,
    ).toMatch(/must have required property 'b'/);
  });
});

describe('what a call gives back', () => {
  it('M-26: is passed on piece by piece, whatever is wrong with one', async () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', data: '!!! not Base64', mimeType: 'image/png' },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///x', name: 'x', size: 3 },
      { type: 'resource', resource: { uri: 'file:///y', blob: 'AA==' } },
      { type: 'hologram' },
      null,
    ];
    for (const discover of [
      'fail(id, -32601)',
      `reply(id, { resultType: 'complete', ttlMs: 0, cacheScope: 'private', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })`,
    ]) {
      const { connection } = await connectTo(
        scripted(`on['server/discover'] = ({ id }) => ${discover}; on['tools/call'] = ({ id }) => reply(id, { content: ${JSON.stringify(content)} });`),
      );
      expect((await connection.callTool(RUN, {}, options)).content).toEqual([
        { type: 'text', text: 'a' },
        { type: 'image', data: '!!! not Base64', mimeType: 'image/png' },
        { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
        { type: 'resource_link', resource: { uri: 'file:///x', name: 'x', size: 3 } },
        { type: 'resource', contents: { uri: 'file:///y', blob: 'AA==' } },
        { type: 'text', text: '[The server sent a part of the kind “hologram”, which could not be read.]' },
        { type: 'text', text: '[The server sent a part of the kind “?”, which could not be read.]' },
      ]);
    }
  });

  it('is an error of the server if it says so', async () => {
    const { connection } = await connectTo(running(`fail(id, -32602, 'No such \\u202e tool');`));
    await expect(connection.callTool(RUN, {}, options)).rejects.toMatchObject({
      name: 'McpError',
      kind: 'answered',
      code: -32602,
      message: 'The server answered with an error: No such \\u{202e} tool',
    });
  });
});

describe('M-09: the progress of a call', () => {
  it('starts its idle time anew, and never its hard limit', async () => {
    const { connection } = await connectTo(
      running(
        `let n = 0; const timer = setInterval(() => { progress(++n); if (params.arguments.steps === n) { clearInterval(timer); reply(id, { content: [] }); } }, 100);`,
      ),
    );
    const [ended, unending] = await Promise.allSettled([
      connection.callTool(RUN, { steps: 12 }, { ...options, idleMs: 600 }),
      connection.callTool(RUN, { steps: 1000 }, { ...options, idleMs: 600, hardMs: 900 }),
    ]);
    expect(ended).toMatchObject({ status: 'fulfilled', value: { isError: false } });
    expect(unending).toMatchObject({ status: 'rejected', reason: { kind: 'timeout', message: 'The server has not finished within 0.9 seconds.' } });
  });

  it('is missed after the idle time', async () => {
    const { connection, told } = await connectTo(running(`progress(1);`));
    await expect(connection.callTool(RUN, {}, { ...options, idleMs: 200 })).rejects.toMatchObject({
      kind: 'timeout',
      message: 'The server has shown no sign of life for 0.2 seconds.',
    });
    await eventually(() => expect(told.traffic.at(-1)?.text).toContain('notifications/cancelled'));
  });

  it('is passed on 20 times a second at most, the newest, however often it comes', async () => {
    const source = `let n = 0; const start = Date.now();
      const more = () => { let text = ''; for (let i = 0; i < 100; i++) text += JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: ++n, message: 'working' } }) + '\\n'; process.stdout.write(text);
        if (Date.now() - start < 2000) setTimeout(more, 10 * Math.ceil(n / 100) - (Date.now() - start)); else reply(id, { content: [{ type: 'text', text: String(n) }] }); };
      more();`;
    const { connection } = await connectTo(running(source));
    const seen: number[] = [];
    const before = process.cpuUsage();
    const result = await connection.callTool(RUN, {}, { ...options, progress: ({ progress }) => void seen.push(progress) });
    const { user, system } = process.cpuUsage(before);
    const [block] = result.content;
    const sent = block?.type === 'text' ? Number(block.text) : 0;
    expect(sent).toBeGreaterThan(10_000);
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.length).toBeLessThan(60);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBeGreaterThan(sent * 0.8);
    // The delay itself depends on what else the machine does; it is measured by `npm run bench -- mcp`.
    const microsecondsPerMessage = (user + system) / sent;
    expect(microsecondsPerMessage).toBeLessThan(50);
  });
});

describe('M-10: a call that is stopped', () => {
  it('ends at once, is told to the server, and what comes late is dropped', async () => {
    const { connection, told } = await connectTo(
      scripted(`let call; on['tools/call'] = (message) => { call = message; send({ method: 'notifications/message', params: { level: 'info', data: 'called' } }); };
        on['notifications/cancelled'] = ({ params }) => { reply(call.id, { content: [{ type: 'text', text: 'late' }] }); send({ method: 'notifications/message', params: { level: 'info', data: 'cancelled ' + (params.requestId === call.id) } }); };`),
    );
    const stop = new AbortController();
    const call = connection.callTool(RUN, {}, { signal: stop.signal });
    await eventually(() => expect(told.log.map(({ text }) => text)).toEqual(['called']));
    const start = performance.now();
    stop.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(performance.now() - start).toBeLessThan(10_000);
    await eventually(() => expect(told.log.map(({ text }) => text)).toEqual(['called', 'cancelled true']));
    expect(told.closed).toEqual([]);
  });

  it('was never sent if it was stopped before', async () => {
    const { connection, told } = await connectTo(running(''));
    await expect(connection.callTool(RUN, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(told.traffic.some(({ text }) => text.includes('tools/call'))).toBe(false);
  });
});

describe('what a server asks during a call', () => {
  const asking = (method: string, params: unknown): ReturnType<typeof scripted> =>
    scripted(`let call; on['tools/call'] = (message) => { call = message; send({ id: 99, method: '${method}', params: ${JSON.stringify(params)} }); };
      on[undefined] = ({ id, result, error }) => { if (id === 99) reply(call.id, { content: [{ type: 'text', text: JSON.stringify(result ?? error) }] }); };`);
  const text = async (
    server: ReturnType<typeof scripted>,
    handlers: NonNullable<Parameters<typeof connectTo>[1]>['handlers'] = {},
    idleMs = 5_000,
  ): Promise<unknown> => {
    const { connection } = await connectTo(server, { handlers });
    const [block] = (await connection.callTool(RUN, {}, { ...options, idleMs })).content;
    return block?.type === 'text' ? JSON.parse(block.text) : undefined;
  };
  const form = { message: 'Name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };

  it('stops its idle time until it is answered', async () => {
    const elicit = (): Promise<McpElicitationAnswer> =>
      new Promise((resolve) => setTimeout(() => resolve({ action: 'accept', content: { name: 'Ada' } }), 900));
    expect(await text(asking('elicitation/create', form), { elicit }, 400)).toEqual({ action: 'accept', content: { name: 'Ada' } });
  });

  it('is answered as the user did, and refused if nobody can answer', async () => {
    expect(await text(asking('elicitation/create', form), { elicit: () => Promise.resolve({ action: 'decline' }) })).toEqual({ action: 'decline' });
    expect(await text(asking('elicitation/create', form), { elicit: () => Promise.reject(new Error('secret')) })).toEqual({
      code: -32603,
      message: 'The request could not be answered.',
    });
    expect(await text(asking('elicitation/create', form))).toEqual({ code: -32601, message: 'Method not found' });
    expect(await text(asking('roots/list', {}))).toEqual({ roots: [{ uri: 'file:///work', name: 'work' }] });
  });

  it('is refused if it is a form that cannot be shown', async () => {
    const nested = { message: 'x', requestedSchema: { type: 'object', properties: { name: { type: 'object' } } } };
    expect(await text(asking('elicitation/create', nested), { elicit: () => Promise.resolve({ action: 'cancel' }) })).toMatchObject({ code: -32602 });
  });

  it('can be something for a page, or for the model', async () => {
    const pages: unknown[] = [];
    const url = { mode: 'url', message: 'Pay', url: 'https://pay.example/x', elicitationId: 'e1' };
    expect(await text(asking('elicitation/create', url), { elicit: (request) => (pages.push(request), Promise.resolve({ action: 'accept' })) })).toEqual({
      action: 'accept',
    });
    expect(pages).toEqual([{ mode: 'url', message: 'Pay', url: 'https://pay.example/x', id: 'e1' }]);
    const samples: unknown[] = [];
    const sample = {
      messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
      maxTokens: 50,
      modelPreferences: { hints: [{ name: 'small' }] },
      systemPrompt: 'Be brief.',
    };
    const answer = await text(asking('sampling/createMessage', sample), {
      sample: (request) => (samples.push(request), Promise.resolve({ text: 'Hello', model: 'm', stopReason: 'endTurn' })),
    });
    expect(answer).toEqual({ role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'm', stopReason: 'endTurn' });
    expect(samples).toEqual([
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], maxTokens: 50, hints: ['small'], systemPrompt: 'Be brief.' },
    ]);
  });

  it('can be to visit a page first, which is waited for', async () => {
    const source = `let calls = 0; on['tools/call'] = ({ id }) => { calls++;
      if (calls === 1) send({ id, error: { code: -32042, message: 'Sign in first.', data: { elicitations: [{ mode: 'url', message: 'Sign in', url: 'https://in.example/', elicitationId: 'page-1' }] } } });
      else reply(id, { content: [{ type: 'text', text: String(calls) }] }); };
      on.visited = () => send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'page-1' } });`;
    const pages: unknown[] = [];
    const { connection } = await connectTo(scripted(`${source} setInterval(() => { if (calls === 1) on.visited(); }, 50);`), {
      handlers: { elicit: (page) => (pages.push(page), Promise.resolve({ action: 'accept' })) },
    });
    expect((await connection.callTool(RUN, {}, options)).content).toEqual([{ type: 'text', text: '2' }]);
    expect(pages).toEqual([{ mode: 'url', message: 'Sign in', url: 'https://in.example/', id: 'page-1' }]);
    const { connection: other } = await connectTo(scripted(source), { handlers: { elicit: () => Promise.resolve({ action: 'decline' }) } });
    await expect(other.callTool(RUN, {}, options)).rejects.toMatchObject({ kind: 'answered', code: -32042 });
  });

  it('declares only what it can answer', async () => {
    const { told } = await connectTo(scripted(''));
    const { told: more } = await connectTo(scripted(''), { handlers: { elicit: () => Promise.resolve({ action: 'cancel' }) } });
    const initialize = (each: typeof told): string => each.traffic.find(({ text: sent }) => sent.includes('"method":"initialize"'))?.text ?? '';
    expect(initialize(told)).toContain('"capabilities":{"roots":{}}');
    expect(initialize(more)).toContain('"capabilities":{"roots":{},"elicitation":{"form":{},"url":{}}}');
  });
});
