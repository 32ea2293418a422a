import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import { ownSession, type SessionIdentity } from '../../../../src/domain/session/identity.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import type { Denial } from '../../../../src/domain/tool/denial.js';
import type { Plan, ToolResult } from '../../../../src/domain/tool/tool.js';
import type { EmittedEvent, ToolCallState, Turn } from '../../../../src/engine/events.js';
import { failure } from '../../../../src/engine/tool-call/results.js';
import { applyViewEvent } from '../../../../src/protocol/view-event.js';
import { emptyViewState } from '../../../../src/protocol/view-state.js';
import { notedResult } from '../../../../src/tool/calls/define.js';
import { Projector } from '../../../../src/chat/projection/projector.js';
import { lastTodos } from '../../../../src/chat/projection/session-facts.js';
import { says } from '../../../support/wording.js';

const time = '2026-01-01T00:00:00Z';
const plan: Plan = {
  tool: 'bash',
  subject: 'npm test',
  args: {},
  accesses: [],
  preview: { kind: 'command', command: 'npm test', cwd: '/ws', timeoutMs: 1000 },
  changes: [],
};
const call = { type: 'tool_call' as const, id: 'c1', name: 'bash', arguments: '{"command":"npm test"}' };
const turn = (patch: Partial<Turn>): Turn => ({
  end: 'end_turn',
  messages: [],
  usage: NO_USAGE,
  costUsd: 0,
  byModel: {},
  rounds: 1,
  durationMs: 1500,
  modelMs: 1000,
  denials: [],
  ...patch,
});

function project(events: readonly EmittedEvent[]): ReturnType<typeof emptyViewState> {
  const state = emptyViewState('demo/demo', 'default');
  const projector = new Projector((event) => applyViewEvent(state, structuredClone(event)));
  for (const event of events) projector.project({ ...event, who: ownSession('s') });
  return state;
}

const started: EmittedEvent = { type: 'turn_started', message: { role: 'user', content: [{ type: 'text', text: 'hello' }], timestamp: time }, index: 0 };

describe('Projector', () => {
  it('shows what the user says in a turn below what came before, and what follows below that', () => {
    const state = project([
      started,
      { type: 'round_started', round: 1, model: 'demo/demo' },
      { type: 'stream', event: { type: 'tool_call_begin', index: 0, id: 'c1', name: 'bash' } },
      { type: 'stream', event: { type: 'tool_call_end', index: 0, call } },
      { type: 'tool_call', callId: 'c1', state: { status: 'done', plan, result: { content: [], isError: false } } },
      { type: 'message_added', id: 'q1', message: { role: 'user', content: [{ type: 'text', text: 'not that' }], timestamp: time }, index: 3 },
      { type: 'round_started', round: 2, model: 'demo/demo' },
      { type: 'stream', event: { type: 'text_delta', index: 0, delta: 'As you wish.' } },
      { type: 'turn_ended', turn: turn({ rounds: 2 }) },
    ]);
    expect(state.activity).toBe('idle');
    expect(state.items).toMatchObject([
      { kind: 'user', text: 'hello' },
      { kind: 'answer', status: 'complete', blocks: [{ type: 'tool', call: { id: 'c1', status: 'done' } }] },
      { kind: 'user', text: 'not that' },
      { kind: 'answer', status: 'complete', blocks: [{ type: 'text', text: 'As you wish.' }], facts: {} },
    ]);
  });

  it('S-41: shows the commands of a message before it, and asks there', () => {
    const asked: readonly EmittedEvent[] = [
      { type: 'commands_started', calls: [call, { ...call, id: 'c2' }], time },
      {
        type: 'tool_call',
        callId: 'c1',
        state: { status: 'awaiting_approval', call: { name: 'bash', input: {} }, revision: 1, plan, judgment: { type: 'ask', reasons: [] } },
      },
    ];
    expect(project(asked)).toMatchObject({
      activity: 'waiting',
      items: [
        { kind: 'answer', status: 'streaming', blocks: [{ call: { id: 'c1', status: 'awaiting_approval' } }, { call: { id: 'c2', status: 'pending' } }] },
      ],
    });
    const done = (callId: string): EmittedEvent => ({
      type: 'tool_call',
      callId,
      state: { status: 'done', plan, result: notedResult(['ok', { note: '[exit code 0 after 0.1 s]' }], { kind: 'ran', exitCode: 0, durationMs: 100 }) },
    });
    const sent = project([
      ...asked,
      { type: 'tool_output', callId: 'c1', chunk: 'ok' },
      done('c1'),
      done('c2'),
      { type: 'commands_ended', failed: false },
      started,
    ]);
    expect(sent.items).toMatchObject([
      { kind: 'answer', status: 'complete', blocks: [{ call: { output: 'ok', exitCode: 0 } }, {}] },
      { kind: 'user', text: 'hello' },
      { kind: 'answer', status: 'streaming', blocks: [] },
    ]);
    expect(new Set(sent.items.map(({ id }) => id)).size).toBe(3);
    const stopped = project([
      ...asked,
      { type: 'tool_call', callId: 'c2', state: { status: 'cancelled' } },
      { type: 'commands_ended', failed: true },
      { type: 'turn_ended', turn: turn({ end: 'blocked' }) },
    ]);
    expect(stopped).toMatchObject({ activity: 'idle', items: [{ kind: 'answer', status: 'failed' }] });
  });

  it('shows several rounds as one answer, with thinking, text and calls in order', () => {
    const state = project([
      started,
      { type: 'round_started', round: 1, model: 'demo/demo' },
      { type: 'stream', event: { type: 'thinking_delta', index: 0, delta: 'hm' } },
      { type: 'stream', event: { type: 'text_delta', index: 1, delta: 'one ' } },
      { type: 'stream', event: { type: 'text_delta', index: 1, delta: 'two' } },
      { type: 'stream', event: { type: 'tool_call_begin', index: 2, id: 'c1', name: 'bash' } },
      { type: 'stream', event: { type: 'tool_call_end', index: 2, call } },
      {
        type: 'tool_call',
        callId: 'c1',
        state: { status: 'awaiting_approval', call: { name: 'bash', input: {} }, revision: 1, plan, judgment: { type: 'ask', reasons: [says('runsCommand')] } },
      },
    ]);
    expect(state.activity).toBe('waiting');
    expect(state.items).toHaveLength(2);
    const answer = state.items[1];
    expect(answer).toMatchObject({
      kind: 'answer',
      blocks: [
        { type: 'thinking', text: 'hm', done: true },
        { type: 'text', text: 'one two' },
        { type: 'tool', call: { subject: 'npm test', status: 'awaiting_approval', preview: plan.preview, approval: { reasons: [says('runsCommand')] } } },
      ],
    });
  });

  it('passes on what each part of a command is known to do, and nothing where nothing is known', () => {
    const risks = [{ part: 1, level: 'danger', text: 'downloads a script and runs it' }] as const;
    const asking = (more: object): EmittedEvent => ({
      type: 'tool_call',
      callId: 'c1',
      state: {
        status: 'awaiting_approval',
        call: { name: 'bash', input: {} },
        revision: 1,
        plan,
        judgment: { type: 'ask', reasons: [], parts: ['curl x', 'sh'], ...more },
      },
    });
    const shown = (event: EmittedEvent): unknown => {
      const answer = project([
        started,
        { type: 'round_started', round: 1, model: 'm' },
        { type: 'stream', event: { type: 'tool_call_begin', index: 0, id: 'c1', name: 'bash' } },
        { type: 'stream', event: { type: 'tool_call_end', index: 0, call } },
        event,
      ]).items[1];
      return answer?.kind === 'answer' && answer.blocks[0]?.type === 'tool' ? answer.blocks[0].call.approval : undefined;
    };
    expect(shown(asking({ risks }))).toEqual({ reasons: [], parts: ['curl x', 'sh'], risks, editable: 'command' });
    expect(shown(asking({}))).toEqual({ reasons: [], parts: ['curl x', 'sh'], editable: 'command' });
    expect(shown(asking({ reasons: ['It isn’t covered by your allow rules.'], plain: true }))).toMatchObject({ reasons: [] });
    expect(shown(asking({ reasons: ['It is outside of the workspace.'] }))).toMatchObject({ reasons: ['It is outside of the workspace.'] });
  });

  it('keeps the blocks of a later round apart from those of the round before', () => {
    const state = project([
      started,
      { type: 'round_started', round: 1, model: 'm' },
      { type: 'stream', event: { type: 'text_delta', index: 0, delta: 'first' } },
      { type: 'round_started', round: 2, model: 'm' },
      { type: 'stream', event: { type: 'text_delta', index: 0, delta: 'second' } },
      { type: 'turn_ended', turn: turn({ rounds: 2 }) },
    ]);
    expect(state.items[1]).toMatchObject({ blocks: [{ text: 'first' }, { text: 'second' }], status: 'complete', summary: '2 rounds · 1.5 s' });
    expect(state.activity).toBe('idle');
  });

  it('shows what broke off once, not once for each attempt', () => {
    const half: EmittedEvent[] = [
      { type: 'round_started', round: 2, model: 'm' },
      { type: 'stream', event: { type: 'thinking_delta', index: 0, delta: 'hm' } },
      { type: 'stream', event: { type: 'text_delta', index: 1, delta: 'half' } },
      { type: 'stream', event: { type: 'tool_call_begin', index: 2, id: 'c1', name: 'bash' } },
    ];
    const state = project([
      started,
      { type: 'round_started', round: 1, model: 'm' },
      { type: 'stream', event: { type: 'text_delta', index: 0, delta: 'first' } },
      ...half,
      ...half,
      { type: 'round_started', round: 2, model: 'm' },
      { type: 'stream', event: { type: 'text_delta', index: 0, delta: 'whole' } },
      { type: 'turn_ended', turn: turn({ rounds: 2 }) },
    ]);
    expect(state.items[1]).toMatchObject({ blocks: [{ text: 'first' }, { text: 'whole' }], status: 'complete' });
  });

  it('ends a failed turn with a notice that says what to do', () => {
    const error = new ProviderError('no_key', 'There is no key.');
    const state = project([started, { type: 'turn_ended', turn: turn({ end: 'error', error }) }]);
    expect(state.items[1]).toMatchObject({ status: 'failed' });
    expect(state.items[2]).toMatchObject({ kind: 'notice', level: 'error', text: 'There is no key.', actions: ['set_api_key'] });
    const spent = new ProviderError('quota', 'Credit too low.', { billingPage: 'https://console.example.com/billing' });
    expect(project([started, { type: 'turn_ended', turn: turn({ end: 'error', error: spent }) }]).items[2]).toMatchObject({
      text: 'Credit too low.',
      actions: [],
      link: { address: 'https://console.example.com/billing' },
    });
  });

  it.each([
    ['a key', new ProviderError('no_key', 'No.'), ['set_api_key']],
    ['another key', new ProviderError('authentication', 'No.'), ['set_api_key']],
    ['another key, of several', new ProviderError('authentication', 'No.', { keyName: 'work' }), ['set_api_key', 'use_key']],
    ['a key of another account', new ProviderError('quota', 'No.', { keyName: 'work' }), ['use_key', 'select_model']],
    ['another model', new ProviderError('permission', 'No.'), ['select_model']],
    ['another try', new ProviderError('network', 'No.'), ['retry']],
    ['a setting, and then another try', new ProviderError('network', 'No.', { wrongSetting: true }), ['open_settings', 'retry']],
  ])('offers what helps after an error, and nothing else: %s', (_what, error, actions) => {
    expect(project([started, { type: 'turn_ended', turn: turn({ end: 'error', error }) }]).items.at(-1)).toMatchObject({ kind: 'notice', actions });
  });

  it('shows the plan of the model once the call is done, and the same one when the conversation is opened again', () => {
    const items = [
      { text: 'Find the place', status: 'done' as const },
      { text: 'Change it', status: 'in_progress' as const },
    ];
    const todo = { type: 'tool_call' as const, id: 'c1', name: 'todo', arguments: JSON.stringify({ todos: items }) };
    const shown: Plan = { ...plan, tool: 'todo', preview: { kind: 'todos', items } };
    const begun: EmittedEvent[] = [started, { type: 'stream', event: { type: 'tool_call_begin', index: 0, id: 'c1', name: 'todo' } }];
    expect(project([...begun, { type: 'tool_call', callId: 'c1', state: { status: 'running', plan: shown, why: 'It asks for nothing.' } }]).todos).toEqual([]);
    expect(
      project([...begun, { type: 'tool_call', callId: 'c1', state: { status: 'done', plan: shown, result: { content: [], isError: false } } }]).todos,
    ).toEqual(items);
    const answer = {
      role: 'assistant' as const,
      content: [todo],
      provider: 'demo',
      model: 'demo',
      usage: NO_USAGE,
      stopReason: 'tool_use' as const,
      rawStopReason: 'tool_use',
      timestamp: time,
    };
    expect(lastTodos([started.message, answer])).toEqual(items);
    expect(lastTodos([started.message])).toEqual([]);
  });

  it('E-64, E-66: shows what agents ask in the answer, in the order of asking, with who asks; their other calls are not there, and what they ask ends with them', () => {
    const agent = (session: string): SessionIdentity => ({
      session,
      worksFor: { session: 's', callId: 'c1', agent: 'explore', task: `Look at ${session}` },
      depth: 1,
    });
    const state = emptyViewState('demo/demo', 'default');
    const projector = new Projector((event) => applyViewEvent(state, structuredClone(event)));
    const own = (event: EmittedEvent): void => projector.project({ ...event, who: ownSession('s') });
    const child = (session: string, callId: string, callState: ToolCallState): void =>
      projector.project({ type: 'child', who: ownSession('s'), event: { type: 'tool_call', callId, state: callState, who: agent(session) } });
    const asks: ToolCallState = {
      status: 'awaiting_approval',
      call: { name: 'bash', input: {} },
      plan,
      judgment: { type: 'ask', reasons: ['Why.'] },
      revision: 1,
    };
    const shown = (): readonly unknown[] =>
      state.items.flatMap((item) =>
        item.kind === 'answer' ? item.blocks.flatMap((block) => (block.type === 'tool' ? [[block.call.id, block.call.by, block.call.status]] : [])) : [],
      );
    own(started);
    own({ type: 'stream', event: { type: 'tool_call_begin', index: 0, id: 'c1', name: 'agent' } });
    own({ type: 'tool_call', callId: 'c1', state: { status: 'running', plan: { ...plan, tool: 'agent', preview: { kind: 'none' } }, why: '' } });
    child('a', 'x', { status: 'running', plan, why: '' });
    child('b', 'x', asks);
    child('a', 'x', asks);
    expect(shown()).toEqual([
      ['c1', undefined, 'running'],
      ['b/x', 'explore: Look at b', 'awaiting_approval'],
      ['a/x', 'explore: Look at a', 'awaiting_approval'],
    ]);
    child('b', 'x', { status: 'running', plan, why: 'You allowed it.' });
    expect(state.activity).toBe('waiting');
    child('a', 'x', { status: 'cancelled', plan });
    expect([state.activity, shown().slice(1)]).toEqual([
      'running',
      [
        ['b/x', 'explore: Look at b', 'running'],
        ['a/x', 'explore: Look at a', 'cancelled'],
      ],
    ]);
  });

  it('shows live output, then the result in its place', () => {
    const begun: EmittedEvent[] = [
      started,
      { type: 'stream', event: { type: 'tool_call_begin', index: 0, id: 'c1', name: 'bash' } },
      { type: 'tool_call', callId: 'c1', state: { status: 'running', plan, why: 'You allowed it.' } },
      { type: 'tool_output', callId: 'c1', chunk: 'li' },
      { type: 'tool_output', callId: 'c1', chunk: 've' },
    ];
    expect(project(begun).items[1]).toMatchObject({
      blocks: [{ call: { status: 'running', output: 'live', since: expect.stringMatching(/^20\d\d-/) as string } }],
    });
    const message = {
      role: 'tool_result' as const,
      toolCallId: 'c1',
      toolName: 'bash',
      content: [{ type: 'text' as const, text: 'all' }],
      isError: false,
      timestamp: time,
    };
    const ended: EmittedEvent[] = [
      ...begun,
      { type: 'tool_call', callId: 'c1', state: { status: 'done', plan, result: { content: message.content, isError: false } } },
      { type: 'tool_result', message, index: 2 },
    ];
    expect(project(ended).items[1]).toMatchObject({ blocks: [{ call: { status: 'done', output: 'all' } }] });
  });

  it('tells how a command ended, what a denial was given as its reason, and what a failed call means to the user', () => {
    const ends = (state: Extract<EmittedEvent, { type: 'tool_call' }>['state'], result: ToolResult): unknown => {
      const message = { role: 'tool_result' as const, toolCallId: 'c1', toolName: 'bash', ...result, timestamp: time };
      const shown = project([
        started,
        { type: 'stream', event: { type: 'tool_call_begin', index: 0, id: 'c1', name: 'bash' } },
        { type: 'tool_call', callId: 'c1', state },
        { type: 'tool_result', message, index: 2 },
      ]);
      return shown.items[1];
    };
    const told = notedResult(['boom', { note: '[exit code 2 after 1.5 s]' }], { kind: 'exited', exitCode: 2, durationMs: 1_500 });
    expect(ends({ status: 'failed', plan, result: told }, told)).toMatchObject({
      blocks: [{ call: { status: 'failed', output: 'boom', exitCode: 2, durationMs: 1_500 } }],
    });
    const denied = (denial: Denial): unknown => ends({ status: 'denied', plan, denial }, failure({ kind: 'denied', denial }));
    expect(denied({ kind: 'user', said: 'do not touch build' })).toMatchObject({
      blocks: [{ call: { status: 'denied', output: '', problem: 'You denied it: do not touch build' } }],
    });
    expect(denied({ kind: 'plan_mode' })).toMatchObject({ blocks: [{ call: { output: '', problem: says('planModeReadOnly') } }] });
  });

  it('says how long thinking took, and what the turn took', () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
    const state = project([
      started,
      { type: 'round_started', round: 1, model: 'demo/demo' },
      { type: 'stream', event: { type: 'thinking_delta', index: 0, delta: 'hm' } },
      { type: 'stream', event: { type: 'thinking_delta', index: 0, delta: ' so' } },
      { type: 'stream', event: { type: 'text_delta', index: 1, delta: 'one' } },
      { type: 'turn_ended', turn: turn({ usage, costUsd: 0.5, durationMs: 2_000, cacheBreak: { reason: 'expired', tokens: 84_000 } }) },
    ]);
    const answer = state.items[1];
    const [thinking] = answer?.kind === 'answer' ? answer.blocks : [];
    expect(thinking).toMatchObject({ type: 'thinking', text: 'hm so', done: true });
    expect(thinking).toHaveProperty('ms', expect.any(Number));
    expect(answer).toMatchObject({
      facts: { model: 'demo/demo', rounds: 1, usage, costUsd: 0.5, durationMs: 2_000, cacheBreak: { reason: 'expired', tokens: 84_000 } },
    });
  });

  it('says of a chat whose price is not known that it is not, and of one that costs nothing only its tokens', () => {
    const usage = { ...NO_USAGE, inputTokens: 1_200, outputTokens: 4 };
    expect(project([started, { type: 'usage', usage, costUsd: undefined }]).usage).toBe('1,204 tokens · cost unknown');
    expect(project([started, { type: 'usage', usage, costUsd: 0 }])).toMatchObject({ usage: '1,204 tokens', spent: usage });
    expect(project([started, { type: 'usage', usage: NO_USAGE, costUsd: undefined }]).usage).toBe('');
  });

  it('counts the images that came with a message and with a result', () => {
    const image = { type: 'image' as const, mimeType: 'image/png' as const, data: Uint8Array.of(1) };
    const state = project([
      { ...started, message: { role: 'user', content: [image, image, { type: 'text', text: 'look' }], timestamp: time } },
      { type: 'round_started', round: 1, model: 'm' },
      { type: 'stream', event: { type: 'tool_call_begin', index: 0, id: 'c1', name: 'read' } },
      {
        type: 'tool_result',
        index: 2,
        message: { role: 'tool_result', toolCallId: 'c1', toolName: 'read', content: [{ type: 'text', text: 'seen' }, image], isError: false, timestamp: time },
      },
    ]);
    expect(state.items).toMatchObject([{ text: 'look', imageCount: 2 }, { blocks: [{ call: { output: 'seen', images: 1 } }] }]);
  });

  it('tells that a server reads only a part of the chat, with what helps', () => {
    const notice = (advice: string | undefined): unknown => project([started, { type: 'context_cut', model: 'Qwen', tokens: 4_096, advice }]).items.at(-1);
    expect(notice('Restart it.')).toMatchObject({
      kind: 'notice',
      level: 'warning',
      text: expect.stringMatching(/Qwen got only about 4,096 tokens.* Restart it\.$/) as string,
      actions: ['select_model'],
    });
    expect(notice(undefined)).toMatchObject({ text: expect.stringContaining('gnomon.models') as string, actions: ['open_settings', 'select_model'] });
  });
});
