import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import {
  InvalidInputError,
  type McpServer,
  type Options,
  query,
  type Tool,
  tool,
  type ToolResult,
  toolServer,
} from '../../../../src/headless/library/index.js';
import { allOf, fakeQuery, ofType, outcomes, realProgram, started, WAYS, itInTurn } from '../../../support/library-rig.js';
import { lastToolResults, reply } from '../../../support/model-server/index.js';

const real = realProgram();

const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number().default(1) }).refine(({ a }) => a < 100, 'There are no sums of more than 100.'),
  annotations: { readOnlyHint: true },
  run: ({ a, b }) => `The sum is ${a + b}.`,
});
const NOTHING = { type: 'object', properties: {} };
/** Several tools in one server. */
const serving = (...tools: readonly Tool[]): Options => ({ toolServers: [toolServer({ name: 'ours', tools })] });
const never = (): Promise<never> => new Promise(() => undefined);

describe.each(WAYS)('a tool of a program that is run %s', (way) => {
  const inTurn = itInTurn(way);
  const run = (options: Options, name = 'add', args: object = { a: 1, b: 2 }): ReturnType<typeof query> => {
    real.calls(`mcp__ours__${name}`, args);
    return started(query({ prompt: 'Use it', options: { ...real.by(way), ...options } }));
  };

  inTurn('is among those of the first request, and answers when a rule allows it', async () => {
    const messages = await allOf(run({ ...serving(add), allowedTools: ['mcp__ours__add'] }));
    expect(outcomes(messages)).toEqual(['Done.']);
    expect(real.told).toContain('The sum is 3.');
    expect(real.server.requests[0]?.body.tools).toContainEqual(
      expect.objectContaining({ name: 'mcp__ours__add', description: expect.stringContaining('Adds two numbers.') as string }),
    );
  });

  inTurn('is asked about in the default mode, and denied where nobody allows it', async () => {
    const asked: unknown[] = [];
    const canUseTool: Options['canUseTool'] = (name, input) => {
      asked.push([name, input]);
      return Promise.resolve({ behavior: 'allow' });
    };
    await allOf(run({ ...serving(add), canUseTool }));
    expect([asked, real.told]).toEqual([[['mcp__ours__add', { a: 1, b: 2 }]], expect.stringContaining('The sum is 3.')]);
    const denied = await allOf(run(serving(add)));
    expect(ofType(denied, 'result')[0]?.permission_denials).toMatchObject([{ tool_name: 'mcp__ours__add' }]);
  });

  inTurn('is not called where a rule or a hook denies it', async () => {
    let calls = 0;
    const counted = tool({ name: 'add', description: 'Counts.', input: NOTHING, run: () => String((calls += 1)) });
    const ruled = await allOf(run({ ...serving(counted), permissionMode: 'bypassPermissions', disallowedTools: ['mcp__ours__add'] }));
    const deny = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } } as const;
    const hooked = await allOf(
      run({ ...serving(counted), permissionMode: 'bypassPermissions', hooks: { PreToolUse: [{ matcher: 'mcp__ours__add', hooks: [() => deny] }] } }),
    );
    expect([outcomes(ruled), outcomes(hooked), calls]).toEqual([['Done.'], ['Done.'], 0]);
  });

  inTurn('that throws, or gives no result that can be used, is an error that the model learns of, and others go on', async () => {
    const fail = tool({ name: 'fail', description: 'Fails.', input: NOTHING, run: () => Promise.reject(new Error('No sums today.')) });
    const odd = tool({ name: 'odd', description: 'Is odd.', input: NOTHING, run: () => JSON.parse('{"content":"x"}') as ToolResult });
    const long = tool({ name: 'long', description: 'Is long.', input: NOTHING, run: () => 'x'.repeat(9 * 1024 * 1024) });
    const calls = [
      ['fail', {}],
      ['odd', {}],
      ['long', {}],
      ['add', { a: 101 }],
      ['add', { a: 4 }],
    ] as const;
    const told: string[] = [];
    real.server.setScript(({ body }) => {
      if (lastToolResults(body).length > 0) told.push(real.told);
      const [name, args] = calls[real.server.requests.length - 1] ?? [undefined, {}];
      return name === undefined ? reply().text('Done.') : reply().toolCall(`mcp__ours__${name}`, args);
    });
    const options = { ...real.by(way), ...serving(fail, odd, long, add), permissionMode: 'bypassPermissions' } as const;
    expect(outcomes(await allOf(started(query({ prompt: 'Use them', options }))))).toEqual(['Done.']);
    expect(told).toEqual(
      ['No sums today.', 'gave no result that can be used', 'more than 8388608 bytes', 'no sums of more than 100', 'The sum is 5.'].map(
        (each) => expect.stringContaining(each) as string,
      ),
    );
  });

  inTurn('has a long result cut for the model and for lines, with the place of the whole', async () => {
    const big = tool({ name: 'big', description: 'Is big.', input: NOTHING, run: () => 'a line of a result\n'.repeat(150_000) });
    const messages = await allOf(run({ ...serving(big), permissionMode: 'bypassPermissions' }, 'big', {}));
    const [, path = ''] = /characters left out; .*?(\/\S+) …\]/.exec(real.told) ?? [];
    expect(Math.max(real.told.length, ...messages.map((each) => JSON.stringify(each).length))).toBeLessThan(1_000_000);
    expect(statSync(path).size).toBeGreaterThan(2_800_000);
  });

  inTurn('hears that its call was canceled', async () => {
    const signals: AbortSignal[] = [];
    const wait = tool({
      name: 'wait',
      description: 'Waits.',
      input: NOTHING,
      run: (_, { signal }) => {
        signals.push(signal);
        void stopped.interrupt();
        return never();
      },
    });
    const stopped = run({ ...serving(wait), permissionMode: 'bypassPermissions' }, 'wait', {});
    expect(outcomes(await allOf(stopped))).toEqual([expect.stringMatching(/^error_during_execution/)]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  inTurn('has the name of its server in mcpServers, and is in several runs at a time', async () => {
    const server = toolServer({ name: 'sums', tools: [add] });
    const options: Options = {
      toolServers: [server],
      mcpServers: { ours: { type: 'sdk', name: 'sums' } },
      strictMcpConfig: true,
      allowedTools: ['mcp__ours__add'],
    };
    const both = await Promise.all([allOf(run(options)), allOf(run(options))]);
    expect(both.map(outcomes)).toEqual([['Done.'], ['Done.']]);
    expect(real.told).toContain('The sum is 3.');
  });
});

describe('a server of tools', () => {
  const ask = async (server: McpServer, message: unknown, signal = new AbortController().signal): Promise<unknown> => {
    const answer = await server.handleMessage(new TextEncoder().encode(typeof message === 'string' ? message : JSON.stringify(message)), signal);
    return answer && (JSON.parse(new TextDecoder().decode(answer)) as unknown);
  };
  const server = toolServer({ name: 'ours', version: '2.0.0', tools: [add] });
  const request = (method: string, params?: object): object => ({ jsonrpc: '2.0', id: 7, method, ...(params === undefined ? {} : { params }) });

  it('says what it is and has, and answers nothing that is no request', async () => {
    expect(await ask(server, request('initialize', { protocolVersion: '2025-06-18' }))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'ours', version: '2.0.0' } },
    });
    expect(await ask(server, request('ping'))).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    expect(await ask(server, request('tools/list'))).toMatchObject({
      result: { tools: [{ name: 'add', annotations: { readOnlyHint: true }, inputSchema: { type: 'object', required: ['a'] } }] },
    });
    expect(await ask(server, { jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined();
    expect(await ask(server, request('tools/call', { name: 'add', arguments: { a: 1 } }))).toMatchObject({
      result: { content: [{ type: 'text', text: 'The sum is 2.' }] },
    });
  });

  it.each<[string, unknown, number]>([
    ['no JSON', '{', -32_600],
    ['no request', { jsonrpc: '2.0', id: {}, method: 'ping' }, -32_600],
    ['a method that there is not', request('resources/list'), -32_601],
    ['a call without a name', request('tools/call', {}), -32_602],
    ['a tool that there is not', request('tools/call', { name: 'subtract' }), -32_602],
  ])('answers %s with an error', async (_what, message, code) => {
    expect(await ask(server, message)).toMatchObject({ error: { code, message: expect.any(String) as string } });
  });
});

it.each<[string, () => unknown, string]>([
  ['a name', () => tool({ ...add, name: 'add numbers', input: NOTHING, run: () => '' }), '“name”'],
  ['an object', () => tool({ name: 'add', description: '', input: z.string(), run: () => '' }), 'not about an object'],
  [
    'a schema that tells',
    () => tool({ name: 'add', description: '', input: { '~standard': mini.object({})['~standard'] }, run: () => '' }),
    'does not tell its JSON Schema',
  ],
  ['a name of its own', () => toolServer({ name: 'ours', tools: [add, add] }), 'the same name'],
  [
    'a name of its own server',
    () => query({ prompt: 'x', options: { toolServers: [toolServer({ name: 'a', tools: [] }), toolServer({ name: 'a', tools: [] })] } }),
    '“a”',
  ],
  ['a server', () => query({ prompt: 'x', options: { mcpServers: { a: { type: 'sdk', name: 'none' } } } }), '“none”'],
])('A tool needs %s', (_what, make, why) => {
  expect(make).toThrow(InvalidInputError);
  expect(make).toThrow(why);
});

it('A server of another make is closed with the run, and what is wrong with its answers is told', async () => {
  const said: string[] = [];
  let closed = 0;
  const odd: McpServer = {
    name: 'odd',
    handleMessage: (bytes) => Promise.resolve(new TextDecoder().decode(bytes).includes('"id":1') ? new TextEncoder().encode('{"id":2}') : undefined),
    close: () => Promise.reject(new Error(String((closed += 1)))),
  };
  const send = (id: string, server: string, message: object): string =>
    `write({ type: 'control_request', request_id: '${id}', request: { subtype: 'mcp_message', server_name: '${server}', message: ${JSON.stringify(message)} } });`;
  const user = `write(INIT); ${send('a', 'odd', { id: 1 })} ${send('b', 'odd', { id: 3 })} ${send('c', 'odd', {})} ${send('d', 'none', {})}`;
  const control = `answers.push(frame.response.error ?? frame.response.subtype); if (answers.length === 4) write(resultOf(answers.join('|')));`;
  said.push(...outcomes(await allOf(fakeQuery({ start: 'const answers = [];', user, control }, { toolServers: [odd] }))).flatMap((text) => text.split('|')));
  expect(said.sort()).toEqual([
    'The server “odd” gave no answer that can be used, but none.',
    'The server “odd” gave no answer that can be used, but something else.',
    'There is no server “none” in this program.',
    'success',
  ]);
  expect(closed).toBe(1);
});
