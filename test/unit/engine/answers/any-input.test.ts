import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AskedPermission } from '../../../../src/domain/tool/asks.js';
import { type ApprovalAnswer, PERMISSION_MODES, type PermissionMode } from '../../../../src/domain/tool/permission.js';
import type { Plan } from '../../../../src/domain/tool/tool.js';
import { runs } from '../../../support/runs.js';
import { type Call, SERVER_TOOL, workbench } from './rig.js';

const FILE_NAMES = ['a.txt', 'b.txt', 'locked/c.txt', 'new.txt', 'locked/new.txt', '.env', '.vscode/tasks.json', '../outside.txt'];
const COMMANDS = ['touch made', 'echo hi', 'rm a.txt', 'git status', 'cat .env', 'touch made && rm a.txt', 'echo x > locked/c.txt', 'bash -c "rm a.txt"', ''];

const file = fc.constantFrom(...FILE_NAMES);
/** Arguments for each tool, such as a model or a program gives; some cannot work. */
const INPUTS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  read: fc.record({ file_path: file }),
  write: fc.record({ file_path: file, content: fc.constantFrom('x\n', 'y\n') }),
  bash: fc.record({ command: fc.constantFrom(...COMMANDS) }),
  edit: fc.record({ file_path: file, old_string: fc.constantFrom('one', 'two', 'KEY'), new_string: fc.constant('1') }),
  apply_patch: fc.record({
    patch: fc.oneof(
      file.map((path) => `*** Update File: ${path}\n-one\n+1`),
      file.map((path) => `*** Delete File: ${path}`),
      fc.tuple(file, file).map(([from, to]) => `*** Update File: ${from}\n*** Move to: ${to}\n-one\n+1`),
    ),
  }),
  [SERVER_TOOL]: fc.oneof(fc.record({ sql: fc.constantFrom('select 1', 'drop table x') }), fc.record({ sql: fc.integer() })),
};

interface Case {
  readonly call: Call;
  readonly mode: PermissionMode;
  /** What the first prompts are answered with; later ones are allowed as they are shown. */
  readonly inputs: readonly unknown[];
  /** Whether answers revise the call instead of allowing it. */
  readonly revises: readonly boolean[];
}

const cases: fc.Arbitrary<Case> = fc.constantFrom(...Object.keys(INPUTS)).chain((name) => {
  const input = INPUTS[name] ?? fc.constant({});
  return fc.record({
    call: input.map((args): Call => [name, args]),
    mode: fc.constantFrom(...PERMISSION_MODES),
    inputs: fc.array(fc.oneof(input, fc.constant('no object'), fc.record({ colour: fc.constant('red') })), { minLength: 1, maxLength: 3 }),
    revises: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  });
});

const NO_REVISION = [false, false, false];

/** Cases that are always tried: one that runs as it was answered, one that is asked about again, one that cannot work, and one that raises the same question. */
const EXAMPLES: [Case][] = [
  ...(['touch made', 'git status', 7] as const).map((command): [Case] => [
    { call: ['bash', { command: 'mkdir made' }], mode: 'default', inputs: [{ command }], revises: NO_REVISION },
  ]),
  [{ call: [SERVER_TOOL, { sql: 'select 1' }], mode: 'default', inputs: [{ sql: 'drop table x' }], revises: NO_REVISION }],
];

test(
  'whatever arguments a call is answered with, nothing runs that was not judged as it runs, and asked about where that asks',
  { timeout: 120_000 },
  async () => {
    const bench = await workbench();
    let [ran, changed, refused] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(cases, async ({ call, mode, inputs, revises }) => {
        bench.reset();
        bench.ran.length = 0;
        const asked: AskedPermission[] = [];
        const given: ApprovalAnswer[] = [];
        const all = bench.session([call], { mode });
        const seen: string[] = [];
        bench.before = async (plan) => void seen.push(await wrongWith(plan));
        /** What a judgment of the plan that runs, made now, has against it. */
        const wrongWith = async (plan: Plan): Promise<string> => {
          const fresh = await bench.gate.judge({ sessionId: 'session-1', callId: 'a', mode, plan }, new AbortController().signal);
          if (fresh.type === 'allow') return '';
          if (fresh.type === 'deny') return `It runs what is denied: ${plan.subject}`;
          const last = given.at(-1);
          if (last?.type !== 'allow') return `Nobody allowed ${plan.subject}.`;
          const shown = asked.at(-1);
          if (isDeepStrictEqual(shown?.plan.args, plan.args)) return '';
          // What was not shown is what the answer gave, and nothing stands against it but what the prompt said, or that nothing allows it.
          const isGiven = last.amendment?.type === 'input' && last.amendment.input !== undefined;
          const isKnown = fresh.plain === true || fresh.reasons.every((reason) => shown?.judgment.reasons.includes(reason));
          return isGiven && fresh.strict !== true && isKnown ? '' : `Nobody was asked about ${plan.subject}.`;
        };
        const answer = (ask: AskedPermission): ApprovalAnswer => {
          if (ask.callId !== 'a') return { type: 'allow' };
          asked.push(ask);
          const input = inputs[asked.length - 1];
          const next: ApprovalAnswer =
            asked.length > inputs.length
              ? { type: 'allow' }
              : { type: revises[asked.length - 1] === true ? 'revise' : 'allow', amendment: { type: 'input', input } };
          given.push(next);
          return next;
        };
        all.session.asks.onDidChange(() => {
          const [ask] = all.session.asks.waiting;
          if (ask?.kind === 'permission') expect(all.session.answer(ask.callId, answer(ask), ask.revision)).toBe(true);
        });
        await all.session.send([{ type: 'text', text: 'go' }]).turn;
        expect(seen.filter((wrong) => wrong !== '')).toEqual([]);
        expect(seen).toHaveLength(bench.ran.length);
        expect([bench.text('locked/c.txt'), bench.text('locked/new.txt'), bench.text('a.txt') === undefined && call[0] === 'bash']).toEqual([
          'one\ntwo\n',
          undefined,
          false,
        ]);
        ran += bench.ran.length;
        changed += asked.some((ask) => ask.changed === true) ? 1 : 0;
        refused += asked.some(({ problem }) => problem !== undefined) ? 1 : 0;
      }),
      { numRuns: runs(150), examples: EXAMPLES },
    );
    // The examples alone reach all that there is to see.
    expect(Math.min(ran, changed, refused)).toBeGreaterThan(0);
  },
);
