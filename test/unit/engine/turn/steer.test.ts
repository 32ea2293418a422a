import { describe, expect, test } from 'vitest';
import { answers, calls, says, stops, Latch } from '../../../support/scripted-provider/index.js';
import { ok, outline, rig, testTool } from '../rig.js';

const words = (text: string) => [{ type: 'text' as const, text }];
const hello = words('hello');
const reads = (id: string) => [...calls(0, id, { name: 'read', args: { on: id } }), ...stops('tool_use')];

describe('what the user says while a turn runs', () => {
  test('goes with the next round, in its order, behind the results of all open calls', async () => {
    const running = new Latch();
    const { session, provider, recorder, events } = rig({
      tools: [
        testTool('read', {
          execute: async () => {
            await running.pass();
            return ok('read');
          },
        }),
      ],
      scripts: [
        [...calls(0, 'a', { name: 'read', args: { on: 'a' } }), ...calls(1, 'b', { name: 'read', args: { on: 'b' } }), ...stops('tool_use')],
        reads('c'),
        answers('Done.'),
      ],
    });

    const { turn } = session.send(hello);
    await running.reached;
    expect(session.steer('one', words('not that'))).toBe(true);
    expect(session.steer('two', words('but this'))).toBe(true);
    expect(outline(session.messages).filter((line) => line.startsWith('user'))).toEqual(['user: hello']);
    running.open();

    expect(await turn).toMatchObject({ end: 'end_turn', rounds: 3 });
    expect(outline(session.messages)).toEqual([
      'user: hello',
      'assistant(tool_use): read#a read#b',
      'result#a: read',
      'result#b: read',
      'user: not that',
      'user: but this',
      'assistant(tool_use): read#c',
      'result#c: read',
      'assistant(end_turn): Done.',
    ]);
    expect(recorder.appended).toEqual(session.messages);
    expect(provider.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool_result', 'tool_result', 'user', 'user']);
    expect(provider.broken).toEqual([]);
    expect(events.filter((event) => event.type === 'message_added')).toMatchObject([
      { id: 'one', index: 4, message: { content: words('not that') } },
      { id: 'two', index: 5 },
    ]);
  });

  test('stays unsaid when the turn ends before another round, is stopped, or it was taken back', async () => {
    const [latch, other] = [new Latch(), new Latch()];
    const { session, events } = rig({
      tools: [testTool('read')],
      scripts: [[latch, ...says(0, 'Fine.'), ...stops('end_turn')], [other, ...answers('Never.')], answers('Well.')],
    });

    const first = session.send(hello).turn;
    await latch.reached;
    expect(session.steer('late', words('too late'))).toBe(true);
    latch.open();
    await first;
    expect(session.unsteer('late')).toBe(false);

    const second = session.send(hello).turn;
    expect(session.steer('back', words('never mind'))).toBe(true);
    expect([session.unsteer('back'), session.unsteer('back')]).toEqual([true, false]);
    expect(session.steer('stopped', words('go on'))).toBe(true);
    session.cancel();
    expect(session.steer('after the stop', words('no'))).toBe(false);
    other.open();
    expect(await second).toMatchObject({ end: 'aborted' });
    await session.send(hello).turn;

    expect(outline(session.messages).filter((line) => line.startsWith('user'))).toEqual(['user: hello', 'user: hello', 'user: hello']);
    expect(events.filter(({ type }) => type === 'message_added')).toEqual([]);
  });

  test('is not taken without a turn, and refused where it is no message', () => {
    const { session } = rig();
    expect(session.steer('x', hello)).toBe(false);
    expect(() => session.steer('x', words('  '))).toThrow(/empty/);
  });

  test('is recorded before the model is asked, and a failing disk does not lose it', async () => {
    const order: string[] = [];
    const latch = new Latch();
    const { session, recorder } = rig({
      tools: [testTool('read')],
      scripts: [[latch, ...reads('a')], answers('Done.')],
      hook: (point) => void order.push(point),
    });
    const { turn } = session.send(hello);
    await latch.reached;
    session.steer('one', words('and this'));
    recorder.failure = new Error('disk full');
    order.length = 0;
    latch.open();
    await turn;
    expect(order.indexOf('recorder append user')).toBeGreaterThanOrEqual(0);
    expect(order.indexOf('recorder append user')).toBeLessThan(order.lastIndexOf('provider text'));
    expect(outline(session.messages)).toContain('user: and this');
  });
});
