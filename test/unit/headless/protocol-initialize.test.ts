import { describe, expect, it } from 'vitest';
import { readInitialize } from '../../../src/headless/ndjson/initialize.js';
import { ask, drivenHere, ended, type Message, request, results, user } from '../../support/protocol-rig.js';

describe('the request initialize', () => {
  it('is nothing but itself where its fields are empty', () => {
    const empty = { subtype: 'initialize', hooks: null, systemPrompt: [''], agents: {}, plugins: [], promptSuggestions: false, skills: undefined };
    expect(readInitialize(empty)).toEqual({ notes: [] });
  });

  it('says what flags of the same names say', () => {
    const wish = { systemPrompt: ['One.', '', 'Two.'], appendSystemPrompt: 'More.', jsonSchema: { type: 'object' }, title: 'A title' };
    expect(readInitialize({ subtype: 'initialize', ...wish })).toEqual({
      systemPrompt: 'One.\n\nTwo.',
      appendedPrompt: 'More.',
      schema: { type: 'object' },
      title: 'A title',
      notes: [],
    });
  });

  it.each([
    [{ hooks: { PreToolUse: [{ hookCallbackIds: 'hook_0' }] } }, '“hooks”'],
    [{ hooks: { PreToolUse: [{ hookCallbackIds: ['hook_0'], onFailure: 'explode' }] } }, '“hooks”'],
    [{ hooks: ['PreToolUse'] }, '“hooks”'],
    [{ hooks: { PreToolUse: [{ hookCallbackIds: Array.from({ length: 1_001 }, String) }] } }, '“hooks”'],
    [{ sdkMcpServers: [7] }, '“sdkMcpServers”'],
    [{ sdkMcpServerConfigs: { a: { tools: [{ name: 'x', policy: 'always_deny' }] } } }, '“sdkMcpServerConfigs”'],
    [{ systemPrompt: [7] }, '“systemPrompt”'],
    [{ jsonSchema: 'x' }, '“jsonSchema”'],
    [{ skills: [] }, '“skills”'],
    [{ onlyReads: true }, '“onlyReads”'],
    [{ constructor: { deny: 'all' } }, '“constructor”'],
  ])('is refused with a guard, or a limit, that cannot be followed: %j', (fields, named) => {
    expect(() => readInitialize({ subtype: 'initialize', ...fields })).toThrow(named);
  });
});

const driven = drivenHere();

it('K-22c: hooks of events that there are not are told, and do not disturb; a mistake ends the run with a result before anything is asked', async () => {
  driven.says('Fine.');
  const program = driven.drive();
  const hooks = { PostModelSwitch: [{ hookCallbackIds: ['a'] }], TaskCreated: [{ hookCallbackIds: ['b'] }], PreToolUse: [{ hookCallbackIds: ['c'] }] };
  program.send(request('1', { subtype: 'initialize', hooks }), user('x'));
  expect(await results(program)).toMatchObject([{ subtype: 'success' }]);
  expect(await program.answerTo('1')).toMatchObject({ response: { hooks_not_applied: ['PostModelSwitch', 'TaskCreated'] } });
  await ended(program);
  expect(program.errors).toContain('the hooks for “PostModelSwitch” have no effect');

  const refused = driven.drive();
  refused.send(request('1', { subtype: 'initialize', hooks: { PreToolUse: 'x' } }), user('x'), user('y'));
  expect((await refused.end).code).toBe(2);
  expect(await refused.answerTo('1')).toMatchObject({ subtype: 'error' });
  expect(refused.ofType('result').map(({ subtype }) => subtype)).toEqual(['error_during_execution', 'error_during_execution']);
  expect(driven.server.requests).toHaveLength(1);
});

it('A request that cannot be answered is told and not carried out, and nothing is run where it was the first one', async () => {
  driven.says('Fine.');
  const program = driven.drive('--permission-mode=plan');
  for (const id of [undefined, null, '', 7])
    program.send({ type: 'control_request', request_id: id, request: { subtype: 'set_permission_mode', mode: 'acceptEdits' } });
  expect(await ask(program, { subtype: 'get_settings' })).toMatchObject({ response: { applied: { permissionMode: 'plan' } } });
  await ended(program);
  expect(program.errors.match(/“set_permission_mode” has no request_id/g)).toHaveLength(4);
  expect(program.ofType('control_response')).toHaveLength(1);

  const refused = driven.drive();
  refused.send({ type: 'control_request', request: { subtype: 'initialize', hooks: { PreToolUse: [{ hookCallbackIds: ['guard'] }] } } }, user('x'));
  const { code, errors } = await refused.end;
  expect([code, errors]).toEqual([2, expect.stringContaining('“initialize” has no request_id')]);
  expect(refused.ofType('result')).toMatchObject([{ subtype: 'error_during_execution' }]);
  expect(driven.server.requests).toEqual([]);
});

it('initialize can be said again, and ends the run where it comes too late for what it wants', async () => {
  const program = driven.drive();
  const parrot = { subtype: 'initialize', systemPrompt: ['You are a parrot.'] };
  expect(await ask(program, parrot)).toMatchObject({ subtype: 'success' });
  await ask(program, { subtype: 'set_permission_mode', mode: 'plan' });
  expect(await ask(program, parrot)).toMatchObject({ subtype: 'success' });
  expect(await ask(program, { subtype: 'initialize', systemPrompt: ['Only read.'] })).toMatchObject({ subtype: 'error' });
  expect((await program.end).code).toBe(2);
});

it('the first message names each tool that the model is told of, and says where the key comes from', async () => {
  driven.says('Fine.');
  const init = async (more: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Message | undefined> => {
    const program = driven.driveWith(more, ...args);
    program.send(user('x'));
    await results(program);
    await ended(program);
    return program.ofType('system').find(({ subtype }) => subtype === 'init');
  };
  const told = async (...args: readonly string[]): Promise<readonly [names: unknown, count: unknown, key: unknown]> => {
    const message = await init({}, ...args);
    return [message?.['tools'], driven.server.requests.at(-1)?.body.tools?.length, message?.['apiKeySource']];
  };
  const [names, count, key] = await told();
  expect(names).toContain('WebSearch');
  expect([names, key]).toEqual([expect.objectContaining({ length: count }), 'ANTHROPIC_API_KEY']);
  expect(await told('--tools', 'Read')).toEqual([['Read'], 1, key]);
  expect(await init({}, '--model', 'demo/demo')).toMatchObject({ apiKeySource: 'none' });
  const other = await init({ OPENAI_API_KEY: 'sk-other-1234567890', OPENAI_BASE_URL: `${driven.server.url}/v1` }, '--model', 'openai/gpt-5.2');
  expect(other).toMatchObject({ apiKeySource: 'user' });
});

describe('a program that has initialize waited for', () => {
  const mine = (server: object): object => request('1', { subtype: 'initialize', mcpServers: { mine: server } });

  it('may write it in pieces, and end its input behind it', async () => {
    driven.says('Fine.');
    const program = driven.drive('--await-initialize');
    const bytes = Buffer.from(`${JSON.stringify(mine({ command: 'no-such-program' }))}\n${JSON.stringify(user('x'))}`);
    for (let at = 0; at < bytes.length; at += 40) program.process.stdin.write(bytes.subarray(at, at + 40));
    program.process.stdin.end();
    expect((await program.end).code).toBe(0);
    expect(await program.answerTo('1')).toMatchObject({ response: { mcp_servers_applied: true } });
    expect(program.ofType('result')).toMatchObject([{ result: 'Fine.' }]);
    const empty = driven.drive('--await-initialize');
    expect((await ended(empty)).code).toBe(0);
  });

  it('is told what is wrong with its servers, and nothing is asked', async () => {
    const program = driven.drive('--await-initialize');
    program.send(mine({ command: 7 }), user('x'));
    expect((await program.end).code).toBe(2);
    expect(program.errors).toContain('mine');
    expect(program.ofType('result')).toMatchObject([{ subtype: 'error_during_execution' }]);
    expect(driven.server.requests).toEqual([]);
  });

  it('is told that servers which come without that are not there', async () => {
    driven.says('Fine.');
    const program = driven.drive();
    program.send(mine({ command: 'no-such-program' }), user('x'));
    await results(program);
    expect(await program.answerTo('1')).toMatchObject({ response: { mcp_servers_applied: false } });
    await ended(program);
  });
});
