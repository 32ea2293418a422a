import { expect, test } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import { textContent, type ToolResultMessage } from '../../../src/domain/model/message.js';
import { forModel, type ToldOutcome } from '../../../src/domain/tool/for-model.js';
import { statusOf } from '../../../src/domain/tool/outcome.js';
import type { AgentSession } from '../../../src/engine/agent-session.js';
import { Transcript } from '../../../src/engine/transcript.js';
import { notedResult } from '../../../src/tool/calls/define.js';
import { answers, calls, Latch, type Script, stops } from '../../support/scripted-provider/index.js';
import { eventually } from '../../support/eventually.js';
import { MemoryLog, rig, statesOf, TestClock, testTool } from './rig.js';

const go = [{ type: 'text' as const, text: 'go' }];

/** An answer with one call. */
function callOf(name: string, raw = '{"on":"x"}', stop: Parameters<typeof stops>[0] = 'tool_use'): Script {
  return [...calls(0, 'a', { name, args: raw }), ...stops(stop)];
}

function resultOf(session: AgentSession): ToolResultMessage | undefined {
  return session.messages.find((message) => message.role === 'tool_result');
}

const TOOLS = [
  testTool('read', { execute: () => notedResult(['a', { note: '[more]' }], { kind: 'done' }, true) }),
  testTool('other', { execute: () => ({ content: [{ type: 'text', text: 'It went wrong.' }], isError: true }) }),
  testTool('plain'),
  testTool('picky', { plan: () => Promise.reject(new ToolInputError({ kind: 'not_found', file: 'a.ts' })) }),
  testTool('boom', { execute: () => Promise.reject(new Error('EIO: i/o error. Try again.')) }),
  testTool('odd', { execute: () => ({ content: [{ type: 'image', data: new Uint8Array(0), mimeType: 'image/png' }], isError: false }) }),
  testTool('edit', { kind: 'write' }),
];

test.each([
  ['what the tool says of it', callOf('read'), { kind: 'done', notes: [{ block: 0, from: 1, to: 8 }], more: true }],
  ['that it went well, where the tool says nothing', callOf('plain'), { kind: 'done' }],
  ['that it failed, where the tool says nothing', callOf('other'), { kind: 'failed' }],
  ['why it could not be planned', callOf('picky'), { kind: 'not_found', file: 'a.ts' }],
  ['that nobody foresaw it', callOf('boom'), { kind: 'crashed', tool: 'boom', problem: 'EIO: i/o error.' }],
  ['that there is no such tool', callOf('rename'), { kind: 'unknown_tool', tool: 'rename' }],
  ['that its arguments cannot be read', callOf('read', '{"on":'), { kind: 'invalid_arguments', tool: 'read', wrong: 'json' }],
  ['why it was denied', callOf('edit'), { kind: 'denied', denial: { kind: 'plan_mode' } }],
  ['that the answer was cut off', callOf('read', '{}', 'length'), { kind: 'not_run', why: 'length' }],
])('a result tells as data %s', async (_what, script, outcome) => {
  const { session, gate, events, recorder } = rig({ tools: TOOLS, scripts: [script, answers('Done.'), answers('Done.')] });
  gate.judgment = ({ plan }) => (plan.tool === 'edit' ? { type: 'deny', denial: { kind: 'plan_mode' } } : { type: 'allow', reason: 'Test.' });
  await session.send(go).turn;
  const result = resultOf(session);
  expect(result?.outcome).toEqual(outcome);
  expect(recorder.appended).toContainEqual(result);
  expect(events.flatMap((event) => (event.type === 'tool_result' ? [event.message.outcome] : []))).toEqual([outcome]);
  expect(statesOf(events, 'a').at(-1)).toBe(result?.outcome === undefined ? '' : statusOf(result.outcome));
});

test('a result that no message can have says so', async () => {
  const { session } = rig({ tools: TOOLS, scripts: [callOf('odd'), answers('Done.')] });
  await session.send(go).turn;
  const { outcome, isError } = resultOf(session) ?? {};
  expect([outcome?.kind, isError]).toEqual(['unusable', true]);
});

test('what is told of a failure is made of its outcome', async () => {
  for (const name of ['picky', 'edit']) {
    const { session, gate } = rig({ tools: TOOLS, scripts: [callOf(name), answers('Done.')] });
    gate.judgment = () => ({ type: 'deny', denial: { kind: 'untrusted' } });
    await session.send(go).turn;
    const result = resultOf(session);
    expect(result && textContent(result)).toBe(forModel(result?.outcome as ToldOutcome));
  }
});

test('a call that is stopped while it runs tells how long it ran, and keeps what it had given back', async () => {
  const latch = new Latch();
  const bash = testTool('bash', {
    execute: async () => {
      await latch.pass();
      return notedResult(['half', { note: '[stopped]' }], { kind: 'killed', durationMs: 300 });
    },
  });
  const { session, gate } = rig({ tools: [bash], scripts: [callOf('bash')] });
  gate.judgment = () => ({ type: 'allow', reason: 'Test.' });
  const turn = session.send(go).turn;
  await latch.reached;
  session.cancel();
  latch.open();
  await turn;
  const notes = [
    { block: 0, from: 0, to: 'Cancelled by the user.'.length },
    { block: 1, from: 4, to: 14 },
  ];
  await eventually(() => expect(resultOf(session)?.outcome).toEqual({ kind: 'cancelled', durationMs: 300, notes }));
});

test('B11: denials keep their input: those of a turn, and those of a stored session by the messages with their calls', async () => {
  const { session, gate, recorder } = rig({ tools: TOOLS, scripts: [callOf('edit', '{"on":"x","text":"y"}'), answers('Done.')] });
  gate.judgment = () => ({ type: 'deny', denial: { kind: 'plan_mode' } });
  const { denials } = await session.send(go).turn;
  expect(denials).toMatchObject([{ toolCallId: 'a', toolInput: { on: 'x', text: 'y' } }]);
  const stored = recorder.meta['denials'] as typeof denials;
  expect(stored).toEqual([{ toolName: 'edit', toolCallId: 'a', reason: expect.any(String) as string }]);
  const clock = new TestClock();
  const times = { createdAt: clock.timestamp(), updatedAt: clock.timestamp() };
  const gone = { toolName: 'edit', toolCallId: 'gone', reason: 'No.' };
  const open = { session: { id: 's', systemPrompt: '', messages: session.messages, ...times }, meta: { denials: [...stored, gone] }, warnings: [], recorder };
  const again = new Transcript({ open, clock, log: new MemoryLog(), storageFailed: () => undefined });
  expect(again.denials).toEqual([{ ...stored[0], toolInput: { on: 'x', text: 'y' } }, gone]);
});
