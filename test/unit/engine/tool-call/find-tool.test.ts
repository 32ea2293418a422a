import { expect, test } from 'vitest';
import { findTool } from '../../../../src/engine/tool-call/find-tool.js';
import { allTools } from '../../../support/all-tools.js';
import { testTool } from '../rig.js';

const tools = [
  testTool('read'),
  testTool('Read'),
  testTool('mcp__a__b'),
  testTool('mcp__a_b'),
  { ...testTool('bash'), otherNames: ['shell', 'runterminalcmd'] },
  testTool('Shell'),
];

test.each([
  ['read', 'read'],
  ['Read', 'Read'],
  ['bash', 'bash'],
  [' BASH\n', 'bash'],
  ['shell', 'Shell'],
  ['run_terminal_cmd', 'bash'],
  ['functions.bash', 'bash'],
  ['default_api:run_terminal_cmd', 'bash'],
  ['MCP__a__b', 'mcp__a__b'],
  ['mcp__a-b', undefined],
  ['READ', undefined],
  ['bash2', undefined],
  ['', undefined],
  ['__proto__', undefined],
])('%j means %j', (name, wanted) => {
  expect(findTool(tools, name)?.spec.name).toBe(wanted);
});

test('no name means two of the built-in tools', () => {
  const all = allTools().flatMap(({ spec, otherNames = [] }) => [spec.name, ...otherNames]);
  expect(new Set(all).size).toBe(all.length);
});
