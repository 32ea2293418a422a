import { expect, test } from 'vitest';
import { ruleMatches } from '../../../../src/customization/hooks/hook-rule.js';

test.each([
  ['Bash', 'bash', { command: 'ls' }, true],
  ['Bash', 'read', { file_path: 'a' }, false],
  ['Bash(git push:*)', 'bash', { command: 'git push origin' }, true],
  ['Bash(git push:*)', 'bash', { command: 'git pull' }, false],
  ['Bash(git push:*)', 'bash', { command: 'git -C x push' }, undefined],
  ['Bash(git push:*)', 'bash', { command: 'sudo git push' }, undefined],
  ['Bash(git push:*)', 'bash', { command: '/usr/bin/git push' }, undefined],
  ['Bash(git push:*)', 'bash', { command: 'ls && git push' }, undefined],
  ['Bash(git push:*)', 'bash', { command: 'g"i"t push' }, undefined],
  ['Bash(npm test)', 'bash', { command: 'npm test' }, true],
  ['Bash(npm test)', 'bash', { command: 'npm test -- a' }, undefined],
  ['Bash(git push * --force)', 'bash', { command: 'git push origin --force' }, true],
  ['Bash(git push * --force)', 'bash', { command: 'git push origin' }, false],
  ['Bash(git push * --force)', 'bash', { command: 'git -C x push --force' }, undefined],
  ['Bash(* install)', 'bash', { command: 'npm install' }, true],
  ['Bash(* install)', 'bash', { command: 'npm install x' }, undefined],
  ['PowerShell(rm *)', 'bash', { command: 'rm x' }, undefined],
  ['Workflow', 'bash', { command: 'ls' }, false],
  ['Skill(deploy)', 'skill', { name: 'notes' }, undefined],
  ['Edit', 'apply_patch', { patch: '' }, true],
  ['Edit(src/**)', 'edit', { file_path: 'lib/a.ts' }, undefined],
  ['Edit(src/**)', 'read', { file_path: 'src/a.ts' }, false],
  ['mcp__notes', 'mcp__notes__add', {}, true],
  ['mcp__notes__add', 'mcp__notes__remove', {}, false],
  ['Bash(', 'bash', { command: 'ls' }, undefined],
])('the condition %s about %s %j: %s', (rule, tool, args, wanted) => {
  expect(ruleMatches(rule, { tool, args })).toBe(wanted);
});
