import { describe, expect, test } from 'vitest';
import { textOf } from '../../tool/rig.js';
import { ruleOf } from '../../permission/rig.js';
import { says } from '../../../support/wording.js';
import { type Printed, type TestHook, decides, definitionOf, hooksOf } from '../../../support/hook-rig.js';
import { type Change, callIn } from './canary-rig.js';

type Call = readonly [string, unknown];

const FILE = { path: '/ws/src/a.ts', rules: [] };
const TEXT = 'one\n';

/** Calls that ask, each with a rule that is about it. */
const ASKED: Readonly<Record<string, { readonly call: Call; readonly rule: string; readonly reads?: true }>> = {
  'a command': { call: ['bash', { command: 'touch new' }], rule: 'Bash(touch:*)' },
  'an edit': { call: ['edit', { file_path: 'src/a.ts', old_string: 'one', new_string: 'two' }], rule: 'Edit(src/**)' },
  'a patch': { call: ['apply_patch', { patch: '*** Update File: src/a.ts\n-one\n+two' }], rule: 'Edit(src/**)' },
  'an edit of a file that may not be read': { call: ['edit', { file_path: '.env', old_string: 'one', new_string: 'two' }], rule: 'Read(.env)' },
  'a new file': { call: ['write', { file_path: 'src/b.ts', content: 'x' }], rule: 'Edit(src/**)' },
  'a new file of secrets': { call: ['write', { file_path: '.env.local', content: 'x' }], rule: 'Read(.env.local)' },
  'reading a secret': { call: ['read', { file_path: '.env' }], rule: 'Read(.env)', reads: true },
  'reading outside the workspace': { call: ['read', { file_path: '/elsewhere/x' }], rule: 'Read(//elsewhere/**)', reads: true },
};

/** What can happen while a prompt is open, so that the call may not run any more. `spares` what only reads. */
const FORBIDS: Readonly<Record<string, { readonly change: (change: Change, rule: string) => void; readonly spares?: true }>> = {
  'a deny rule comes': { change: (change, rule) => void change.rules.push(ruleOf(`deny ${rule}`)) },
  'a deny rule of the workspace comes': { change: (change, rule) => void change.rules.push(ruleOf(`workspace deny ${rule}`)) },
  'the user chooses to plan': { change: (change) => void (change.mode = 'plan'), spares: true },
  'the user trusts the workspace no more': { change: (change) => void (change.trusted = false), spares: true },
};

describe('a call is judged again after the answer, before it runs', () => {
  const cases = Object.entries(ASKED)
    .flatMap(([name, asked]) => Object.entries(FORBIDS).map(([event, forbids]) => [name, event, asked, forbids] as const))
    .filter(([, , asked, forbids]) => asked.reads !== true || forbids.spares !== true);

  test.each(cases)('%s: %s, and what was allowed is denied', async (_name, _event, { call, rule }, { change }) => {
    let done = false;
    const meanwhile = (now: Change): void => {
      if (!done) change(now, rule);
      done = true;
    };
    const { results, prompts, memory } = await callIn(FILE, { text: TEXT, permitted: true, answer: 'allow', meanwhile }, call);
    expect(prompts).toHaveLength(1);
    expect(results.map(textOf)).toEqual([expect.stringMatching(/^Permission denied\. .* Nothing was done\.$/)]);
    expect(memory.documents.applied).toEqual([]);
  });

  // What is outside the workspace was asked about in the same words already, whatever rules say.
  const ruled = Object.entries(ASKED).filter(([name]) => name !== 'reading outside the workspace');

  test.each(ruled)('%s: a rule that asks comes, and the user is asked again with it', async (_name, { call, rule }) => {
    const meanwhile = ({ rules }: Change): void => void (rules.length === 0 && rules.push(ruleOf(`ask ${rule}`)));
    const { prompts } = await callIn(FILE, { text: TEXT, permitted: true, answer: 'allow', meanwhile }, call);
    expect(prompts[1]?.problem).toBe(says('appliesOtherwise'));
    expect(prompts[1]?.judgment.reasons.join(' ')).toContain(rule);
  });

  test('a change that says no more against a call does not ask again', async () => {
    const meanwhile = (now: Change): void => void (now.mode = 'ask');
    const { prompts, memory } = await callIn(FILE, { text: TEXT, permitted: true, answer: 'allow', meanwhile }, ASKED['a new file']?.call ?? ['', {}]);
    expect([prompts.length, memory.documents.text('/ws/src/b.ts')]).toEqual([1, 'x']);
  });

  test('calls that were asked about together: what comes while the first prompt is open counts for all', async () => {
    const writes = ['b', 'c', 'd'].map((name): Call => ['write', { file_path: `src/${name}.ts`, content: name }]);
    const meanwhile = ({ rules }: Change): void => void (rules.length === 0 && rules.push(ruleOf('deny Edit(src/c.ts)')));
    const { results, memory } = await callIn(FILE, { text: TEXT, permitted: true, answer: 'allow', meanwhile }, ...writes);
    expect(results.map(({ isError }) => isError)).toEqual([false, true, false]);
    expect(memory.documents.applied.map(({ path }) => path)).toEqual(['/ws/src/b.ts', '/ws/src/d.ts']);
  });

  test.each<[string, Printed, RegExp, number]>([
    ['denies', decides('deny', { permissionDecisionReason: 'Not today.' }), /^Permission denied\. The hook .*guard.* blocked it: Not today\./, 1],
    ['asks', decides('ask', { permissionDecisionReason: 'Sure?' }), /^Created src\/b\.ts/, 2],
    ['changes the call', decides('allow', { updatedInput: { file_path: 'src/c.ts', content: 'y' } }), /changed this call .*\n+Created src\/c\.ts/, 1],
  ])('a hook that is approved while the prompt is open, and %s, counts', async (_name, answer, told, asked) => {
    const approved: TestHook[] = [{ event: 'PreToolUse', name: 'guard', answer: () => answer }];
    const registered: TestHook[] = [];
    const { options } = hooksOf(approved, { definitionsFor: (event) => Promise.resolve(registered.map(definitionOf).filter((hook) => hook.event === event)) });
    const meanwhile = (): void => void (registered.length === 0 && registered.push(...approved));
    const write: Call = ['write', { file_path: 'src/b.ts', content: 'x' }];
    const { results, prompts } = await callIn(FILE, { text: TEXT, permitted: true, answer: 'allow', hooks: options, meanwhile }, write);
    expect([results.map(textOf), prompts.length]).toEqual([[expect.stringMatching(told)], asked]);
  });

  test('hooks that stay the same run once, however often a call is judged', async () => {
    const { options, told } = hooksOf([{ event: 'PreToolUse', name: 'guard', answer: () => decides('ask', { permissionDecisionReason: 'Sure?' }) }]);
    const calls = ['an edit of a file that may not be read', 'a command'].map((name): Call => ASKED[name]?.call ?? ['', {}]);
    await callIn(FILE, { text: TEXT, permitted: true, answer: 'allow', hooks: options }, ...calls);
    expect(told).toHaveLength(2);
  });
});
