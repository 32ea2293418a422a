import { describe, expect, test } from 'vitest';
import type { ToolCallBlock } from '../../../../src/domain/model/content.js';
import { LoopGuard } from '../../../../src/engine/turn/loop-guard.js';
import { type Script, answers, calls, stops } from '../../../support/scripted-provider/index.js';
import { asked, ok, rig, testTool } from '../rig.js';

const go = [{ type: 'text' as const, text: 'go' }];

/** Notes calls written `read x!` (failed), `read x=text` (read) or `edit x` (changed), and says how many it took to trip. */
function tripsAfter(...steps: readonly string[]): number | undefined {
  const guard = new LoopGuard();
  for (const [index, step] of steps.entries()) {
    const [, name = '', on = '', mark = '', text = ''] = /^(\w+) (\w+)([!=]?)(.*)$/.exec(step) ?? [];
    const call: ToolCallBlock = { type: 'tool_call', id: `c${index}`, name, arguments: on };
    guard.note(
      call,
      { content: [{ type: 'text', text: text === '' ? `failed after ${index}.0 s` : text }], isError: mark === '!' },
      mark === '=' ? 'reads' : name === 'edit' ? 'edits' : 'other',
    );
    if (guard.loop !== undefined) return index + 1;
  }
  return undefined;
}

function repeated(times: number, ...pattern: readonly string[]): readonly string[] {
  return Array.from({ length: times }, () => pattern).flat();
}

describe('tool-21: a loop is', () => {
  test.each<[string, readonly string[], number]>([
    ['one failing call eight times, however long it took', repeated(9, 'read x!'), 8],
    ['two failing calls in turns', repeated(9, 'read x!', 'edit y!'), 16],
    ['three failing calls in turns', repeated(9, 'read x!', 'edit y!', 'bash z!'), 24],
    ['one reading with one result ten times', repeated(19, 'read x=same'), 10],
    ['a reading and a failure in turns, ten times', repeated(19, 'read x=same', 'edit x!'), 20],
    ['four failing calls in turns', repeated(9, 'read x!', 'edit y!', 'bash z!', 'grep w!'), 32],
    ['four readings in turns', repeated(19, 'read x=a', 'read y=b', 'grep z=c', 'list w=d'), 40],
    [
      'a failing call whose output has another time each time',
      Array.from({ length: 40 }, (_, index) => `bash x!2026-11-27T06:${String(10 + index)}:00Z FAIL in ${index}.5 s, pid ${4_000 + index}`),
      8,
    ],
    ['a failing call whose output has another number each time', Array.from({ length: 40 }, (_, index) => `bash x!error at offset ${index * 7}`), 16],
    ['an edit to and fro', repeated(9, 'edit there', 'edit back'), 10],
    ['an edit to and fro, with a failing test after each', repeated(9, 'edit there', 'bash test!', 'edit back', 'bash test!'), 20],
    ['what follows something else', ['bash a', 'read b=c', ...repeated(9, 'read x!')], 10],
  ])('%s', (_name, steps, after) => {
    expect(tripsAfter(...steps)).toBe(after);
  });

  test.each<[string, readonly string[]]>([
    ['a success in between that changes something', repeated(9, ...repeated(7, 'bash x!'), 'edit y')],
    ['one edit made again and again', repeated(40, 'edit there')],
    ['commands that succeed in turns', repeated(20, 'bash x', 'bash y')],
    ['edits of many kinds', Array.from({ length: 40 }, (_, index) => `edit x${index}`)],
    ['commands that succeed', repeated(40, 'bash x')],
    ['readings that bring something new', Array.from({ length: 40 }, (_, index) => `read x=${index}`)],
    ['failures of other calls', Array.from({ length: 40 }, (_, index) => `read x${index}!`)],
    ['nine readings', repeated(9, 'read x=same')],
    ['seven failures', repeated(7, 'read x!')],
    ['a failing call that says something else each time', Array.from({ length: 40 }, (_, index) => `bash x!${index} of 40 are ready`)],
  ])('not %s', (_name, steps) => {
    expect(tripsAfter(...steps)).toBeUndefined();
  });
});

function callsOf(times: number, name: string): readonly Script[] {
  return Array.from({ length: times }, (_, index): Script => [...calls(0, `c${index}`, { name, args: { on: 'x' } }), ...stops('tool_use')]);
}

test('tool-21: ten equal readings end the turn, and the next message goes on', async () => {
  const { session, provider } = rig({ maxRounds: 50, tools: [testTool('read')], scripts: callsOf(20, 'read') });
  const turn = await session.send(go).turn;
  expect(turn).toMatchObject({ end: 'loop', rounds: 10, error: { message: expect.stringMatching(/same read call with the same result 10 times/) as string } });
  provider.replace(answers('Ok.'));
  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
});

test('tool-21: before equal readings end the turn, the model is told', async () => {
  const { session } = rig({ maxRounds: 50, tools: [testTool('read')], scripts: callsOf(20, 'read') });
  await session.send(go).turn;
  const told = session.messages.flatMap((message) =>
    message.role === 'tool_result' ? [JSON.stringify(message.content).includes('the same result several times')] : [],
  );
  expect(told).toEqual([false, false, false, false, true, true, true, true, true, true]);
});

test('tool-21: a command that succeeds may be repeated', async () => {
  const bash = testTool('bash', { kind: 'execute', execute: () => ok('pending') });
  const { session, gate } = rig({ maxRounds: 50, tools: [bash], scripts: [...callsOf(15, 'bash'), answers('Ok.')] });
  gate.judgment = () => ({ type: 'allow', reason: 'Test.' });
  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 16 });
});

test('tool-21: calls that the person denies count', async () => {
  const { session } = rig({ tools: [testTool('bash', { kind: 'execute' })], scripts: callsOf(10, 'bash') });
  const turn = session.send(go).turn;
  for (let index = 0; index < 8; index += 1) {
    await asked(session, `c${index}`);
    session.answer(`c${index}`, { type: 'deny' });
  }
  expect(await turn).toMatchObject({ end: 'loop', rounds: 8 });
});

test('tool-21: at the third equal failure the model is told, and what fails otherwise is no loop', async () => {
  let left = 4;
  const bash = testTool('bash', {
    kind: 'execute',
    execute: () => (left-- > 0 ? { content: [{ type: 'text', text: 'connection refused' }], isError: true } : ok('ready')),
  });
  const { session, gate } = rig({ maxRounds: 50, tools: [bash], scripts: [...callsOf(5, 'bash'), answers('Ok.')] });
  gate.judgment = () => ({ type: 'allow', reason: 'Test.' });
  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 6 });
  const told = session.messages.flatMap((message) =>
    message.role === 'tool_result' ? [message.content.some((block) => block.type === 'text' && block.text.includes('failed in the same way'))] : [],
  );
  expect(told).toEqual([false, false, true, true, false]);
});
