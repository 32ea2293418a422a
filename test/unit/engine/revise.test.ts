import { describe, expect, test } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import type { Judgment } from '../../../src/domain/tool/permission.js';
import type { Amendment, Plan, Tool } from '../../../src/domain/tool/tool.js';
import type { AwaitingApproval } from '../../../src/engine/events.js';
import { answers, calls, stops } from '../../support/scripted-provider/index.js';
import { type Rig, ok, outline, rig, statesOf } from './rig.js';
import { eventually } from '../../support/eventually.js';
import { says } from '../../support/wording.js';
import { plannedText } from '../../support/planned-text.js';

const go = [{ type: 'text' as const, text: 'go' }];

/** A tool that writes the text it is given to `/ws/f`, or what the person makes of it; `no` cannot be written. */
function writer(written: string[]): Tool {
  const planOf = (text: string): Plan =>
    Object.freeze({
      tool: 'write',
      subject: 'f',
      args: { text: 'model' },
      accesses: [{ kind: 'write' as const, target: '/ws/f' }],
      preview: { kind: 'diff' as const, path: '/ws/f', diff: text, created: true },
      changes: [{ action: 'create' as const, path: '/ws/f', text }],
    });
  return {
    spec: { name: 'write', description: 'write', parameters: { type: 'object' } },
    plan: () => Promise.resolve(planOf('model')),
    amend: (_plan, amendment) =>
      amendment.type !== 'content' || amendment.text === 'no'
        ? Promise.reject(new ToolInputError('That cannot be written.'))
        : Promise.resolve(planOf(amendment.text)),
    execute: (plan) => {
      written.push(plannedText(plan) ?? '');
      return Promise.resolve(ok('written'));
    },
  };
}

const content = (text: string): Amendment => ({ type: 'content', path: '/ws/f', text });

/** The prompts of the call so far. */
function prompts({ events }: Rig): readonly AwaitingApproval[] {
  return events.flatMap((event) => (event.type === 'tool_call' && event.state.status === 'awaiting_approval' ? [event.state] : []));
}

/** Waits for the prompt of a number, from 1. */
function prompt(all: Rig, revision: number): Promise<AwaitingApproval> {
  return eventually(() => {
    const found = prompts(all).find((each) => each.revision === revision);
    if (found === undefined || all.session.state !== 'waiting') throw new Error(`Prompt ${revision} is not open.`);
    return found;
  });
}

/** A call that waits, and what it wrote. */
async function waiting(): Promise<{ readonly all: Rig; readonly written: string[]; readonly turn: Promise<unknown> }> {
  const written: string[] = [];
  const all = rig({ tools: [writer(written)], scripts: [[...calls(0, 'a', { name: 'write', args: {} }), ...stops('tool_use')], answers('Ok.')] });
  const turn = all.session.send(go).turn;
  await prompt(all, 1);
  return { all, written, turn };
}

const result = ({ session }: Rig): string | undefined => outline(session.messages).find((line) => line.startsWith('result#'));

describe('C-3 a proposal that the person changes', () => {
  test('is judged again and shown as it was changed, and nothing runs before it is allowed', async () => {
    const { all, written, turn } = await waiting();
    expect(all.session.answer('a', { type: 'revise', amendment: content('mine') })).toBe(true);
    const shown = await prompt(all, 2);
    expect([plannedText(shown.plan), shown.changed, shown.problem, written]).toEqual(['mine', true, undefined, []]);
    expect(all.gate.judged.map(({ plan }) => plannedText(plan))).toEqual(['model', 'mine']);
    all.session.answer('a', { type: 'allow' });
    await turn;
    expect(written).toEqual(['mine']);
    expect(result(all)).toBe('result#a: The user changed this call before allowing it. Their text stands; do not change it back.\n\nwritten');
    expect(all.events).toContainEqual(
      expect.objectContaining({ state: expect.objectContaining({ status: 'running', why: says('changedAndAllowed') }) as unknown }),
    );
  });

  test('can be changed several times; back to what was proposed, it is no change', async () => {
    const { all, written, turn } = await waiting();
    for (const [index, text] of ['one', 'two', 'model'].entries()) {
      all.session.answer('a', { type: 'revise', amendment: content(text) });
      await prompt(all, index + 2);
    }
    expect(prompts(all).map(({ changed }) => changed)).toEqual([undefined, true, true, undefined]);
    all.session.answer('a', { type: 'allow' });
    await turn;
    expect([written, result(all)]).toEqual([['model'], 'result#a: written']);
  });

  test('is denied, and nothing is written', async () => {
    const { all, written, turn } = await waiting();
    all.session.answer('a', { type: 'revise', amendment: content('mine') });
    await prompt(all, 2);
    all.session.answer('a', { type: 'deny', feedback: 'not at all' });
    await turn;
    expect([written, result(all)]).toEqual([[], 'result#a!: The user denied this call; nothing was done. They said: not at all']);
  });

  test('Always allow keeps the rules for what was shown last', async () => {
    const { all, written, turn } = await waiting();
    all.session.answer('a', { type: 'revise', amendment: content('mine') });
    await prompt(all, 2);
    all.session.answer('a', { type: 'always', rules: ['this'], scope: 'session' });
    await turn;
    expect(written).toEqual(['mine']);
    expect(all.gate.remembered).toEqual([{ subject: 'f', rules: ['this'], scope: 'session' }]);
    const why = says('changedAllowedAndAddedForChat', 'this');
    expect(all.events).toContainEqual(expect.objectContaining({ state: expect.objectContaining({ status: 'running', why }) as unknown }));
  });

  test.each<[string, Judgment | undefined, Amendment, string]>([
    ['the mode denies it', { type: 'deny', denial: { kind: 'plan_mode' } }, content('mine'), says('changeNotApplied', says('planModeReadOnly'))],
    ['it cannot be written', undefined, content('no'), 'That cannot be written.'],
    ['it is no text of a file', undefined, { type: 'command', command: 'rm -rf /' }, 'That cannot be written.'],
  ])('is not taken over when %s: the prompt stays as it was, with the reason', async (_name, judgment, amendment, problem) => {
    const { all, written, turn } = await waiting();
    const { judgment: before } = all.gate;
    if (judgment !== undefined) all.gate.judgment = (request) => (plannedText(request.plan) === 'model' ? before(request) : judgment);
    all.session.answer('a', { type: 'revise', amendment });
    const shown = await prompt(all, 2);
    expect([plannedText(shown.plan), shown.changed, shown.problem]).toEqual(['model', undefined, problem]);
    all.session.answer('a', { type: 'allow' });
    await turn;
    expect(written).toEqual(['model']);
  });

  test('is asked about even where it needs no permission by now', async () => {
    const { all, written, turn } = await waiting();
    all.gate.judgment = () => ({ type: 'allow', reason: 'The mode allows edits.' });
    all.session.answer('a', { type: 'revise', amendment: content('mine') });
    expect((await prompt(all, 2)).judgment.reasons).toEqual(['You changed it.']);
    expect(written).toEqual([]);
    all.session.answer('a', { type: 'allow' });
    await turn;
    expect(written).toEqual(['mine']);
  });

  test('new reasons to ask are shown', async () => {
    const { all, turn } = await waiting();
    all.gate.judgment = () => ({ type: 'ask', strict: true, reasons: ['It is protected.'] });
    all.session.answer('a', { type: 'revise', amendment: content('mine') });
    expect((await prompt(all, 2)).judgment).toMatchObject({ strict: true, reasons: ['It is protected.'] });
    all.session.answer('a', { type: 'deny' });
    await turn;
  });

  test('stop ends it', async () => {
    const { all, written, turn } = await waiting();
    all.session.answer('a', { type: 'revise', amendment: content('mine') });
    all.session.cancel();
    await turn;
    expect([written, statesOf(all.events, 'a').at(-1)]).toEqual([[], 'cancelled']);
  });

  test('cmd-43: an answer to the prompt before it is not taken', async () => {
    const { all, written, turn } = await waiting();
    all.session.answer('a', { type: 'revise', amendment: content('mine') }, 1);
    expect(all.session.answer('a', { type: 'allow' }, 1)).toBe(false);
    await prompt(all, 2);
    expect(all.session.answer('a', { type: 'allow' }, 1)).toBe(false);
    expect(written).toEqual([]);
    expect(all.session.answer('a', { type: 'allow' }, 2)).toBe(true);
    await turn;
    expect(written).toEqual(['mine']);
  });
});
