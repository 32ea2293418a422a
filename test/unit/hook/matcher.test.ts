import { describe, expect, it } from 'vitest';
import { Matchers } from '../../../src/hook/matcher.js';
import { namesOf } from '../../../src/hook/foreign-names.js';
import { processorMs } from '../../support/processor-time.js';

const CALLS: Readonly<Record<string, readonly string[]>> = {
  bash: namesOf({ name: 'bash', input: { command: 'ls' } }, 'claude'),
  edit: namesOf({ name: 'edit', input: { file_path: 'a.ts', edits: [] } }, 'claude'),
  notebook: namesOf({ name: 'edit', input: { file_path: 'a.ipynb', edits: [] } }, 'claude'),
  write: namesOf({ name: 'write', input: {} }, 'claude'),
  patch: namesOf({ name: 'apply_patch', input: { patch: '' } }, 'claude'),
  memory: namesOf({ name: 'mcp__memory__add', input: {} }, 'claude'),
  deferred: namesOf({ name: 'call_tool', input: { name: 'mcp__memory__add', arguments: {} } }, 'claude'),
  agent: ['code-reviewer'],
};
const ALL = Object.keys(CALLS);
const EDITS = ['edit', 'notebook', 'patch'];

describe('matchers', () => {
  it.each<[string | undefined, readonly string[]]>([
    [undefined, ALL],
    ['', ALL],
    ['*', ALL],
    ['Bash', ['bash']],
    ['Edit', EDITS],
    ['Edit|Write', [...EDITS, 'write']],
    ['Edit, Write', [...EDITS, 'write']],
    ['^Edit$', EDITS],
    ['Edit.*', EDITS],
    ['mcp__memory__.*', ['memory', 'deferred']],
    ['mcp__memory__add', ['memory', 'deferred']],
    ['edit', ['edit', 'notebook']],
    ['EDIT', []],
    ['NotebookEdit', ['notebook']],
    ['code-reviewer', ['agent']],
    ['code-review', []],
    ['^(?!Bash|bash).*$', ALL],
    ['.*', ALL],
  ])('H-30 H-32: %j is for %j', (matcher, expected) => {
    const matchers = new Matchers();
    expect(ALL.filter((call) => matchers.matches(matcher, CALLS[call] ?? []) === true).sort()).toEqual(
      [...expected].filter((call) => matcher !== '^(?!Bash|bash).*$' || call !== 'bash').sort(),
    );
  });

  it.each([
    ['(', ['Bash'], 'invalid'],
    [`(${'x'.repeat(10_000)})`, ['Bash'], 'too_long'],
    ['x'.repeat(10_000), ['Bash'], 'too_long'],
    ['(a+)+$', ['a'.repeat(10_000)], 'too_long'],
    ['(a+)+$', [`${'a'.repeat(100)}!`], 'too_slow'],
  ] as const)('H-31: %# cannot be decided and takes no time', async (matcher, names, undecided) => {
    const matchers = new Matchers();
    matchers.matches('^warm$', ['up']);
    expect(await processorMs(() => expect(matchers.matches(matcher, names)).toEqual({ undecided }))).toBeLessThan(1_000);
  });

  it('H-31: a slow pattern is not tried for ever', async () => {
    const matchers = new Matchers();
    const names = [`${'a'.repeat(100)}!`];
    const tryIt = (times: number): void => Array.from({ length: times }).forEach(() => matchers.matches('(a+)+$', names));
    tryIt(3);
    expect(await processorMs(() => tryIt(100))).toBeLessThan(1_000);
  });
});
