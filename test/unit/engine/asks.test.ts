import { expect, test } from 'vitest';
import type { Plan } from '../../../src/domain/tool/tool.js';
import { Asks } from '../../../src/engine/asks.js';
import type { AwaitingApproval, EmittedEvent, ToolCallState, Turn } from '../../../src/engine/events.js';

const PLAN: Plan = { tool: 'bash', subject: 'ls', args: {}, accesses: [], preview: { kind: 'none' }, changes: [] };
const QUESTION: Plan = { ...PLAN, tool: 'ask', preview: { kind: 'question', question: { question: 'Which?', choices: [], multiple: false } } };
const JUDGMENT = { type: 'ask', reasons: [], proposals: [] } as unknown as AwaitingApproval['judgment'];
const WHO = { session: 'child', worksFor: { session: 'parent', callId: 'call_1', agent: 'explore', task: 'Look' }, depth: 1 };

function scene() {
  const asks = new Asks();
  let told = 0;
  asks.onDidChange(() => (told += 1));
  const call = (callId: string, state: ToolCallState): void => asks.heard({ type: 'tool_call', callId, state, who: WHO });
  return { asks, call, told: () => told, waiting: () => asks.waiting.map(({ kind, callId }) => `${kind} ${callId}`) };
}

const CALL = { name: 'Bash', input: { cmd: 'ls' } };
const asked = (revision: number): ToolCallState => ({ status: 'awaiting_approval', call: CALL, plan: PLAN, judgment: JUDGMENT, revision });

test('calls that need a permission or an answer wait, in the order of the calls, with who asks and what', () => {
  const { asks, call, waiting } = scene();
  for (const id of ['a', 'b', 'c', 'd']) call(id, { status: 'pending' });
  call('c', { status: 'running', plan: QUESTION, why: '' });
  call('d', { status: 'running', plan: PLAN, why: '' });
  call('b', asked(1));
  expect(waiting()).toEqual(['permission b', 'question c']);
  expect(asks.waiting).toEqual([
    { kind: 'permission', who: WHO, callId: 'b', call: CALL, plan: PLAN, judgment: JUDGMENT, revision: 1 },
    { kind: 'question', who: WHO, callId: 'c', question: { question: 'Which?', choices: [], multiple: false } },
  ]);
});

test('another prompt of a call takes the place of the one before; what was answered, or ended with its turn, does not wait', () => {
  const { asks, call, waiting, told } = scene();
  call('a', asked(1));
  call('a', asked(2));
  expect(asks.waiting).toMatchObject([{ callId: 'a', revision: 2 }]);
  call('a', { status: 'running', plan: PLAN, why: '' });
  expect([waiting(), told()]).toEqual([[], 3]);
  call('b', asked(1));
  asks.heard({ type: 'turn_ended', turn: {} as Turn, who: WHO });
  expect([waiting(), told()]).toEqual([[], 5]);
});

test('a prompt that is not the first of its call says what became of the call since', () => {
  const { asks, call } = scene();
  const since = { changed: true, problem: 'It asks, too.', rewrittenBy: 'guard' } as const;
  call('a', { status: 'awaiting_approval', call: CALL, plan: PLAN, judgment: JUDGMENT, revision: 2, ...since });
  expect(asks.waiting).toEqual([{ kind: 'permission', who: WHO, callId: 'a', call: CALL, plan: PLAN, judgment: JUDGMENT, revision: 2, ...since }]);
});

test('nothing is told where nothing else waits', () => {
  const { asks, call, told } = scene();
  call('a', { status: 'pending' });
  call('a', { status: 'running', plan: PLAN, why: '' });
  for (const event of [{ type: 'retry_ended' }, { type: 'turn_ended', turn: {} as Turn }] satisfies EmittedEvent[]) asks.heard({ ...event, who: WHO });
  expect(told()).toBe(0);
});
