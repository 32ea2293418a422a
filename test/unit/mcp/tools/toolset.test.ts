import { describe, expect, test } from 'vitest';
import type { AssistantMessage, Message, ToolResultMessage } from '../../../../src/domain/model/message.js';
import type { Tool } from '../../../../src/domain/tool/tool.js';
import { offeredTo } from '../../../../src/engine/model-advice.js';
import { budgetOf } from '../../../../src/mcp/tools/budget.js';
import { calledThrough } from '../../../../src/mcp/tools/meta-tools.js';
import { createToolset, type Toolset, type ToolLoading } from '../../../../src/mcp/tools/toolset.js';
import { textTokens } from '../../../../src/text/text-tokens.js';
import { gateOn, judge, short } from '../../permission/rig.js';
import { PERMISSION_MODES } from '../../../../src/domain/tool/permission.js';
import { TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { contextOf, gives, info, run, serverOf, textOf } from './rig.js';
import { twoHundredTools } from './two-hundred-tools.js';
import { processorMs } from '../../../support/processor-time.js';

const offered = (set: Toolset, loadsFound = false): readonly Tool[] => offeredTo(set.tools, TEST_MODEL, loadsFound);
const tokensOf = (tools: readonly Tool[]): number =>
  tools.reduce((total, { spec: { name, description, parameters } }) => total + textTokens(JSON.stringify({ name, description, parameters })), 0);
const named = (set: Toolset, name: string): Tool => {
  const tool = set.tools.find(({ spec }) => spec.name === name);
  if (tool === undefined) throw new Error(`There is no ${name}.`);
  return tool;
};
const found = async (set: Toolset, query: string): Promise<readonly string[]> =>
  (/^Found: (.*)$/m.exec(textOf(await run(named(set, 'find_tools'), { query })))?.[1] ?? '').split(', ').filter((name) => name !== '');

describe('M-40: definitions of many tools', () => {
  test('mcp_200_tools_tokens: a request grows by at most 1,500 tokens', () => {
    const [deferred, loaded] = [createToolset(twoHundredTools('auto')), createToolset(twoHundredTools('always'))];
    expect(deferred.tools).toHaveLength(202);
    expect(tokensOf(offered(loaded))).toBeGreaterThan(15_000);
    const tokens = tokensOf(offered(deferred));
    expect(tokens).toBeLessThanOrEqual(1_500);
    // What it is by now, so that a growth is noticed.
    expect(tokens).toBeLessThan(500);
    expect(offered(deferred).map(({ spec }) => spec.name)).toEqual(['find_tools', 'call_tool']);
  });

  test('few are loaded; more than 1,500 tokens are deferred, those of every server that leaves it open', () => {
    const few = { ...serverOf([info('a')], { id: 'few' }), loading: 'auto' as const };
    expect(createToolset([few]).tools.map(({ spec }) => [spec.name, spec.deferral])).toEqual([['mcp__few__a', undefined]]);
    const [github] = twoHundredTools('always');
    if (github === undefined) throw new Error('It is not there.');
    const set = createToolset([few, github]);
    expect(set.servers.map(({ id, deferred }) => [id, deferred])).toEqual([
      ['few', true],
      ['github', false],
    ]);
    expect(offered(set)).toHaveLength(2 + 50);
    expect(createToolset([few, { ...github, loading: 'off' }]).tools.map(({ spec }) => spec.name)).toEqual(['mcp__few__a']);
    expect(createToolset([{ ...few, loading: 'defer' }]).tools.map(({ spec }) => spec.deferral)).toEqual(['finder', 'caller', 'deferred']);
    expect(createToolset([]).tools).toEqual([]);
  });

  test('the model is told of the servers, in a line each, and of no more than fit', () => {
    const servers = Array.from({ length: 100 }, (_, index) => ({
      ...serverOf([info('a')], { id: `s${index}` }),
      loading: 'defer' as const,
      instructions: `${'Long words. '.repeat(50)}\u202e`,
    }));
    const { description } = named(createToolset(servers), 'find_tools').spec;
    expect(description).toContain('- s0 (1 tool): Long words.');
    expect(description).toMatch(/\n- and \d+ more$/);
    expect(description.length).toBeLessThan(2_200);
    expect(
      named(createToolset([{ ...serverOf([info('a')]), loading: 'defer', instructions: 'One \u202eline.\nAnother.' }]), 'find_tools').spec.description,
    ).toMatch(/\n- db \(1 tool\): One \\u\{202e\}line\.$/);
  });

  test.each<[string, string]>([
    ['create pull request', 'mcp__github__create_pull_request'],
    ['open a new PR: createPullRequest', 'mcp__github__create_pull_request'],
    ['list issues', 'mcp__github__list_issue'],
    ['delete a branch', 'mcp__github__delete_branch'],
    ['send a slack message', 'mcp__slack__create_message'],
    ['slack channels', 'mcp__slack__list_channel'],
    ['emoji reactions', 'mcp__slack__list_reaction'],
    ['explain the query plan', 'mcp__postgres__get_query_plan'],
    ['drop table: delete', 'mcp__postgres__delete_table'],
    ['migrations', 'mcp__postgres__list_migration'],
    ['sentry alerts', 'mcp__sentry__list_alert'],
    ['update dashboard', 'mcp__sentry__update_dashboard'],
    ['dashbo', 'mcp__sentry__list_dashboard'],
    ['replay_id', 'mcp__sentry__get_replay'],
    ['mcp__sentry__delete_tag', 'mcp__sentry__delete_tag'],
    ['list_gist, get_gist', 'mcp__github__get_gist'],
  ])('a search for “%s” finds %s, and at most five', async (query, name) => {
    const names = await found(createToolset(twoHundredTools('auto')), query);
    expect(names).toContain(name);
    expect(names.length).toBeLessThanOrEqual(5);
  });

  test.each(['', ' '])('a search for nothing (%j) is told so, or finds nothing', async (query) => {
    const finder = named(createToolset(twoHundredTools('auto')), 'find_tools');
    const told = await run(finder, { query }).then(textOf, (error: unknown) => String(error));
    expect(told).toMatch(/must not be empty|No tool fits/);
  });

  test('a search that fits nothing says so, and one of any length takes no time', async () => {
    const set = createToolset(twoHundredTools('auto'));
    expect(textOf(await run(named(set, 'find_tools'), { query: 'zzzz qqqq' }))).toBe('No tool fits. Search with other words, or do without.');
    expect(await processorMs(() => run(named(set, 'find_tools'), { query: 'table create '.repeat(100_000) }))).toBeLessThan(1_000);
  });

  test('a search gives whole definitions, and no more of them than fit', async () => {
    const set = createToolset(twoHundredTools('auto'));
    const [first, , definition = ''] = textOf(await run(named(set, 'find_tools'), { query: 'create gist' })).split('\n');
    expect(first).toMatch(/^Found: mcp__github__create_gist, /);
    const { name, description, parameters } = named(set, 'mcp__github__create_gist').spec;
    expect(JSON.parse(definition)).toEqual({ name, description, parameters });
    const large = Array.from({ length: 5 }, (_, index) =>
      info(`big${index}`, { inputSchema: { type: 'object', properties: { a: { description: 'big '.repeat(4_500) } } } }),
    );
    expect(await found(createToolset([{ ...serverOf(large), loading: 'defer' }]), 'big')).toHaveLength(2);
  });

  test('a search stays within Gnomon: it asks in no mode, and works where the workspace is not trusted', async () => {
    const plan = await named(createToolset(twoHundredTools('auto')), 'find_tools').plan({ query: 'x' }, contextOf());
    for (const mode of PERMISSION_MODES) {
      expect(short(await judge(gateOn(), mode, plan))).toBe('allow');
      expect(short(await judge(gateOn({ trusted: false }), mode, plan))).toBe('allow');
    }
  });
});

describe('calling a deferred tool', () => {
  const set = (): Toolset => createToolset(twoHundredTools('auto'));

  test('its plan is that of the tool, so that rules know it by its name', async () => {
    const tools = set();
    const plan = await named(tools, 'call_tool').plan({ name: ' mcp__slack__create_message ', arguments: { owner: 'me' } }, contextOf());
    expect(plan).toEqual(await named(tools, 'mcp__slack__create_message').plan({ owner: 'me' }, contextOf()));
    expect(short(await judge(gateOn({ rules: ['allow mcp__slack'] }), 'default', plan))).toBe('allow');
    expect(short(await judge(gateOn({ rules: ['deny mcp__slack__create_message'] }), 'bypassPermissions', plan))).toBe('deny');
  });

  test.each<[unknown, string]>([
    [
      { name: 'mcp__slack__make_message', arguments: {} },
      'There is no tool named “mcp__slack__make_message” to be called with call_tool; nothing was done. Did you mean mcp__slack__',
    ],
    [{ name: 'zzz' }, 'There is no tool named “zzz” to be called with call_tool; nothing was done. Search with find_tools.'],
    [{ name: 'call_tool', arguments: {} }, 'There is no tool named “call_tool”'],
    [{ arguments: {} }, 'The arguments of call_tool are name, a string, and arguments, an object. Nothing was done.'],
    [{ name: 'mcp__slack__create_message', arguments: { owner: 1 } }, 'The arguments of mcp__slack__create_message do not fit its schema'],
    [{ name: 'mcp__slack__create_message' }, 'owner: missing'],
  ])('with %j says what is wrong', async (args, problem) => {
    await expect(named(set(), 'call_tool').plan(args, contextOf())).rejects.toThrow(problem);
  });

  test('runs only its own plans', async () => {
    const tools = set();
    const plan = await named(tools, 'mcp__slack__list_user').plan({ owner: 'me' }, contextOf());
    expect(() => named(tools, 'call_tool').execute(plan, contextOf())).toThrow('not a plan made by the tool call_tool');
  });

  test.each<[string, ToolLoading]>([
    ['deferred', 'defer'],
    ['loaded', 'always'],
    ['left open', 'auto'],
  ])('M-40: where they are %s, every way to call a tool gives the same', async (_, loading) => {
    const tools = createToolset(twoHundredTools(loading));
    const expected = createToolset(twoHundredTools('always'));
    for (const { spec } of expected.tools) {
      const args = { owner: 'me', cursor: spec.name };
      const direct = await run(named(tools, spec.name), args);
      expect(direct).toEqual(await run(named(expected, spec.name), args));
      const caller = tools.tools.find((tool) => tool.spec.name === 'call_tool');
      if (caller !== undefined) expect(await run(caller, { name: spec.name, arguments: args })).toEqual(direct);
    }
  });

  test('is shown as a call of the tool', () => {
    const call = { type: 'tool_call' as const, id: 'c', name: 'call_tool', arguments: '{"name":"mcp__a__b","arguments":{"x":1}}' };
    expect(calledThrough(call)).toEqual({ ...call, name: 'mcp__a__b', arguments: '{"x":1}' });
    for (const raw of ['{"name":"mcp__a', '[]', '{"name":"a b"}', '{"name":{}}', 'null'])
      expect(calledThrough({ ...call, arguments: raw }).name).toBe('call_tool');
    expect(calledThrough({ ...call, name: 'bash' })).toEqual({ ...call, name: 'bash' });
  });
});

describe('the budget of servers', () => {
  const times = { timestamp: '2026-01-01T00:00:00Z' };
  const answer = (...calls: readonly [id: string, name: string, args: string][]): AssistantMessage =>
    ({
      role: 'assistant',
      content: calls.map(([id, name, args]) => ({ type: 'tool_call', id, name, arguments: args })),
      model: 'm',
      stopReason: 'tool_use',
      usage: { inputTokens: 1, outputTokens: 1 },
      ...times,
    }) as unknown as AssistantMessage;
  const result = (id: string, words: string): ToolResultMessage => ({
    role: 'tool_result',
    toolCallId: id,
    toolName: 'x',
    content: [{ type: 'text', text: words }],
    isError: false,
    ...times,
  });

  test('has the tokens of definitions, and of results in the session, by server', () => {
    const { servers } = createToolset([
      { ...serverOf([info('a'), info('b')], { id: 'one' }), loading: 'always' },
      { ...serverOf([info('a')], { id: 'two' }), loading: 'defer' },
      { ...serverOf([info('a')], { id: 'three' }), loading: 'off' },
    ]);
    const messages: readonly Message[] = [
      answer(['1', 'mcp__one__a', '{}'], ['2', 'call_tool', '{"name":"mcp__two__a","arguments":{}}'], ['3', 'bash', '{}']),
      result('1', 'words '.repeat(100)),
      result('2', 'words '.repeat(10)),
      result('3', 'words '.repeat(1_000)),
      answer(['4', 'mcp__two__a', '{}']),
      result('4', 'words '.repeat(10)),
    ];
    const [one, two, three] = budgetOf(servers, messages);
    expect(one).toMatchObject({ id: 'one', tools: 2, deferred: false, calls: 1, resultTokens: textTokens('words '.repeat(100)) });
    expect(two).toMatchObject({ id: 'two', tools: 1, deferred: true, calls: 2, resultTokens: 2 * textTokens('words '.repeat(10)) });
    expect(three).toEqual({ id: 'three', tools: 0, definitionTokens: 0, deferred: false, calls: 0, resultTokens: 0 });
    expect(one?.definitionTokens).toBeGreaterThan(two?.definitionTokens ?? 0);
    expect(budgetOf(servers)[0]).toMatchObject({ calls: 0, resultTokens: 0 });
  });
});

test('M-07: tools that did not change keep their places and their bytes, whatever the order of the list and of the servers’ changes', () => {
  const before = createToolset(twoHundredTools('always'));
  const after = createToolset(twoHundredTools('always').map((server) => ({ ...server, tools: [...server.tools].reverse() })));
  expect(JSON.stringify(after.tools.map(({ spec }) => spec))).toBe(JSON.stringify(before.tools.map(({ spec }) => spec)));
  const one = createToolset([{ ...serverOf([info('a'), info('b'), info('c')], { call: () => Promise.resolve(gives('')) }), loading: 'always' }]);
  const other = createToolset([{ ...serverOf([info('a'), info('b', { description: 'New.' }), info('c')]), loading: 'always' }]);
  expect(other.tools.map(({ spec }) => spec.name)).toEqual(one.tools.map(({ spec }) => spec.name));
  expect(JSON.stringify(other.tools[2]?.spec)).toBe(JSON.stringify(one.tools[2]?.spec));
});
