import { describe, expect, test } from 'vitest';
import { serverPrefix, serverToolName } from '../../../../src/domain/mcp/tool-name.js';
import { findTool } from '../../../../src/engine/tool-call/find-tool.js';
import { createServerTools } from '../../../../src/mcp/tools/server-tools.js';
import { createToolset } from '../../../../src/mcp/tools/toolset.js';
import { isRule, isToolNamed, parseRule } from '../../../../src/permission/rules/rule.js';
import { allTools } from '../../../support/all-tools.js';
import { info, serverOf } from './rig.js';
import { processorMs } from '../../../support/processor-time.js';

const API_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const namesOf = (...tools: readonly string[]): readonly string[] =>
  createServerTools(serverOf(tools.map((name) => info(name)))).tools.map(({ tool }) => tool.spec.name);

describe('names of tools', () => {
  test.each([
    ['db', 'query', 'mcp__db__query'],
    ['db', 'a.b/c d', 'mcp__db__a_b_c_d'],
    ['my__db_', 'query', 'mcp__my_db__query'],
    ['__', 'query', 'mcp__server__query'],
    ['db', '_x', 'mcp__db___x'],
    ['db', 'größe', 'mcp__db__gr__e'],
  ])('conf-12: of the server %j and the tool %j: %s', (server, tool, name) => {
    expect(serverToolName(server, tool)).toBe(name);
  });

  test('conf-12: very long ones are cut, stay different, and are the same every time', () => {
    const long = 'x'.repeat(300);
    const names = [
      serverToolName('db', `${long}a`),
      serverToolName('db', `${long}b`),
      serverToolName('s'.repeat(200), 'a'),
      serverToolName(`${'s'.repeat(200)}2`, 'a'),
      serverToolName('s'.repeat(200), long),
    ];
    for (const name of names) expect(name).toMatch(API_NAME);
    expect(new Set(names).size).toBe(names.length);
    expect(serverToolName('db', `${long}a`)).toBe(names[0]);
    expect(serverPrefix('s'.repeat(200)).length).toBeLessThan(35);
  });

  test('M-34: two tools of a server that would have one name are refused, but for the one that has it literally', () => {
    const { tools, refused } = createServerTools(serverOf([info('a.b'), info('a_b'), info('a/b'), info('c.d'), info('c d')]));
    expect(tools.map(({ info: { name } }) => name)).toEqual(['a_b']);
    expect(refused.map(({ name }) => name)).toEqual(['a.b', 'a/b', 'c.d', 'c d']);
    expect(refused[0]?.reason).toBe('It would have the same name as the tool a_b of the server: mcp__db__a_b.');
  });

  test('M-34: of two tools with the same name in a list, the first one has it', () => {
    const [first, second] = [info('a', { description: 'first' }), info('a', { description: 'second' })];
    const { tools, refused } = createServerTools(serverOf([first, second]));
    expect(tools.map((tool) => tool.info)).toEqual([first]);
    expect(refused.map(({ name }) => name)).toEqual(['a']);
  });

  test('M-34, conf-12: a server whose names would begin like those of another one offers nothing', () => {
    const set = createToolset([
      { ...serverOf([info('x')]), id: 'a_b', loading: 'auto' },
      { ...serverOf([info('y')]), id: 'a__b', loading: 'auto' },
    ]);
    expect(set.tools.map(({ spec }) => spec.name)).toEqual(['mcp__a_b__x']);
    expect(set.servers[1]?.refused).toEqual([
      { name: 'y', reason: 'Its name would begin like those of the server a_b: mcp__a_b__. Rename one of the servers.' },
    ]);
  });

  test('M-34, conf-12: a name that is taken is not overwritten', () => {
    const { tools, refused } = createServerTools(serverOf([info('query')]), new Set(['mcp__db__query']));
    expect(tools).toEqual([]);
    expect(refused).toEqual([{ name: 'query', reason: 'The name mcp__db__query is taken by another tool.' }]);
  });

  test.each(['bash', 'read_file', 'Bash', 'ｂａｓｈ', 'find_tools', 'call_tool'])(
    'M-34, conf-12: a tool of a server called %j takes the place of no built-in one',
    (name) => {
      const builtIn = allTools();
      const reserved = new Set(builtIn.map(({ spec }) => spec.name));
      const { tools } = createToolset([{ ...serverOf([info(name)]), loading: 'defer' }], reserved);
      for (const { spec } of tools) expect(reserved).not.toContain(spec.name);
      expect(findTool([...builtIn, ...tools], name)).toBe(findTool([...builtIn, ...tools.filter(({ spec }) => !spec.name.startsWith('mcp__'))], name));
      expect(tools.some(({ spec }) => spec.name.startsWith('mcp__db__') && API_NAME.test(spec.name))).toBe(true);
    },
  );

  test('a tool without a name, and those beyond 1,000, are refused alone', () => {
    const many = Array.from({ length: 1_001 }, (_, index) => info(`t${index}`));
    const { tools, refused } = createServerTools(serverOf(many));
    expect(tools).toHaveLength(1_000);
    expect(refused).toEqual([{ name: 't1000', reason: 'A server can offer 1000 tools.' }]);
    expect(createServerTools(serverOf([info(''), info('a')])).refused).toEqual([{ name: '', reason: 'It has no name.' }]);
  });

  test('a list of any number of tools with one name takes no time', async () => {
    const same = Array.from({ length: 50_000 }, () => info('a'));
    expect(await processorMs(() => expect(createServerTools(serverOf(same)).tools).toHaveLength(1))).toBeLessThan(5_000);
  });

  test('what they say of themselves is limited for a server as a whole', () => {
    const large = Array.from({ length: 80 }, (_, index) => info(`t${index}`, { inputSchema: { type: 'object', description: 'x'.repeat(15_000) } }));
    const { tools, refused } = createServerTools(serverOf(large));
    expect(tools.length).toBeGreaterThan(60);
    expect(tools.length + refused.length).toBe(80);
    expect(refused[0]).toEqual({ name: refused[0]?.name, reason: 'What the tools of a server say of themselves can take 1000000 characters.' });
  });

  test('are in an order of their own, whatever the order of the list', () => {
    expect(namesOf('b', 'a', 'c')).toEqual(namesOf('c', 'b', 'a'));
  });
});

describe('rules in the syntax of Claude Code', () => {
  const covers = (rule: string, tool: string): boolean => {
    const parsed = parseRule(rule);
    return isRule(parsed) && parsed.about === 'tool' && isToolNamed(parsed.name, tool);
  };

  test.each([
    ['mcp__db__query', 'db', 'query', true],
    ['mcp__db__query', 'db', 'query2', false],
    ['mcp__db', 'db', 'query', true],
    ['mcp__db__*', 'db', 'query', true],
    ['mcp__db', 'db2', 'query', false],
    ['mcp__db', 'db_x', 'query', false],
    ['mcp__db', 'db__x', 'query', false],
    [`mcp__${'s'.repeat(100)}`, 's'.repeat(100), 'query', true],
    [`mcp__${'s'.repeat(100)}__query`, 's'.repeat(100), 'query', true],
    [`mcp__db__${'q'.repeat(100)}`, 'db', 'q'.repeat(100), true],
    [`mcp__db__${'q'.repeat(100)}`, 'db', `${'q'.repeat(100)}2`, false],
  ])('%s, the server %s, the tool %s: %j', (rule, server, tool, expected) => {
    expect(covers(rule, serverToolName(server, tool))).toBe(expected);
  });
});
