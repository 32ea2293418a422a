import { describe, expect, test } from 'vitest';
import { PERMISSION_MODES } from '../../../src/domain/tool/permission.js';
import type { ForeignCode, Plan } from '../../../src/domain/tool/tool.js';
import { gateOn, planOf, short } from './rig.js';

const TOOLS: readonly (readonly [tool: string, kind: ForeignCode['kind'], by: string])[] = [
  ['mcp__db__query', 'server', 'db'],
  ['ext__acme_words__count', 'extension', 'acme.words'],
  ['ext__vscode__lookup', 'editor', 'lookup'],
];
/** Everything that lets such a tool run in another mode: rules for the tool, for its whole server, for all of them, and a hook. */
const LIFTS: readonly (readonly [what: string, rules: (tool: string) => readonly string[], hook: boolean])[] = [
  ['nothing', () => [], false],
  ['a rule for the tool', (tool) => [`allow ${tool}`], false],
  ['a rule for all tools beside it', (tool) => [`allow ${tool.split('__').slice(0, 2).join('__')}`], false],
  ['a rule of this chat and one for all commands', (tool) => [`session allow ${tool}`, 'allow Bash', 'allow Edit'], false],
  ['a hook', () => [], true],
  ['a hook and a rule', (tool) => [`allow ${tool}`], true],
];

const cases = TOOLS.flatMap(([tool, kind, by]) =>
  [true, false].flatMap((saysItReads) =>
    LIFTS.map(([what, rules, hook]) => ({ tool, what, saysItReads, rules: rules(tool), hook, foreign: { kind, by, saysItReads } })),
  ),
);

describe('what third-party tools say of themselves', () => {
  test.each(cases)(
    'in plan mode, $tool with “only reads” = $saysItReads and $what asks or is denied, and never runs',
    async ({ tool, foreign, rules, hook, saysItReads }) => {
      const plan: Plan = { ...planOf(tool, []), foreign };
      for (const mode of PERMISSION_MODES) {
        const judgment = await gateOn({ rules }).judge(
          { sessionId: 's', callId: 'c', mode, plan, ...(hook ? { hook: { type: 'allow', by: 'h', reason: '' } } : {}) },
          new AbortController().signal,
        );
        const lifted = rules.length > 0 || hook;
        const other = lifted ? 'allow' : 'ask+';
        const expected = { plan: saysItReads ? 'ask' : 'deny', ask: 'ask', bypassPermissions: 'allow', default: other, acceptEdits: other }[mode];
        expect(`${mode}: ${short(judgment)}`).toBe(`${mode}: ${expected}`);
        if (mode === 'plan' && judgment.type === 'ask') expect(judgment.strict).toBe(true);
      }
    },
  );

  test('a deny rule still denies, and an untrusted workspace', async () => {
    const plan: Plan = { ...planOf('mcp__db__query', []), foreign: { kind: 'server', by: 'db', saysItReads: true } };
    const request = { sessionId: 's', callId: 'c', mode: 'plan', plan } as const;
    expect((await gateOn({ rules: ['deny mcp__db'] }).judge(request, new AbortController().signal)).type).toBe('deny');
    expect((await gateOn({ trusted: false }).judge(request, new AbortController().signal)).type).toBe('deny');
  });
});
