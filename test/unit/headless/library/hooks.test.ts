import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { HookEvent } from '../../../../src/domain/hook/event.js';
import {
  ControlRefusedError,
  type HookCallback,
  type HookInput,
  type Hooks,
  InvalidInputError,
  ProcessFailedError,
  query,
  Session,
} from '../../../../src/headless/library/index.js';
import { allOf, failureOf, fakeQuery, outcomes, realProgram, started, tracked, WAYS, itInTurn } from '../../../support/library-rig.js';

const real = realProgram();

/** Hooks that a program in JavaScript could give. */
const untyped = (hooks: object): Hooks => hooks;
const beforeWriting = (callback: HookCallback<'PreToolUse'>, more: object = {}): Hooks => ({ PreToolUse: [{ matcher: 'Write', hooks: [callback], ...more }] });
const never = (): Promise<never> => new Promise(() => undefined);

describe.each(WAYS)('a hook of a program that is run %s', (way) => {
  const inTurn = itInTurn(way);
  const make = (hooks: Hooks): Promise<readonly string[]> =>
    allOf(started(query({ prompt: 'Make it', options: { ...real.by(way), permissionMode: 'acceptEdits', hooks } }))).then(outcomes);
  const isMade = (): boolean => existsSync(real.inFolder('made.txt'));

  inTurn('is told of a call, and denies it with its reason', async () => {
    real.writes();
    const inputs: HookInput<'PreToolUse'>[] = [];
    const deny: HookCallback<'PreToolUse'> = (input) => {
      inputs.push(input);
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'Not on a Friday.' } };
    };
    expect(await make(beforeWriting(deny))).toEqual(['Done.']);
    expect(inputs).toMatchObject([
      { hook_event_name: 'PreToolUse', cwd: real.folder, permission_mode: 'acceptEdits', tool_name: 'Write', tool_input: { content: 'made\n' } },
    ]);
    expect([isMade(), real.told]).toEqual([false, expect.stringContaining('Not on a Friday.')]);
  });

  inTurn('gives a call other arguments', async () => {
    real.writes();
    const rewrite: HookCallback<'PreToolUse'> = ({ tool_input }) => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { ...tool_input, content: 'other\n' } },
    });
    await make(beforeWriting(rewrite));
    expect(readFileSync(real.inFolder('made.txt'), 'utf8')).toBe('other\n');
  });

  inTurn('that throws, answers what cannot be used, or takes too long has a call denied, and lets it run where that is said', async () => {
    const slow: AbortSignal[] = [];
    const hang: HookCallback<'PreToolUse'> = (_, { signal }) => {
      slow.push(signal);
      return never();
    };
    const failing: readonly (readonly [HookCallback<'PreToolUse'>, string])[] = [
      [() => Promise.reject(new Error('The door is locked.')), 'The door is locked.'],
      [() => JSON.parse('{"permissionDecison":"deny"}') as object, '“permissionDecison”'],
      [() => new Map([['decision', 'block']]) as object, 'no plain object'],
      [() => Promise.reject(Object.create(null) as Error), 'unknown error'],
      [hang, '0.2 seconds'],
    ];
    // What is wrong with an answer is seen on this side of the way to the program: that this is told is shown once by the process.
    for (const [callback, why] of way === 'in this process' ? failing : failing.slice(0, 1)) {
      real.writes();
      await make(beforeWriting(callback, { timeout: 0.2 }));
      expect([isMade(), real.told]).toEqual([false, expect.stringContaining(why)]);
    }
    real.writes();
    await make(beforeWriting(hang, { timeout: 0.2, onFailure: 'continue' }));
    expect(isMade()).toBe(true);
    expect(slow.map(({ aborted }) => aborted)).toEqual(way === 'in this process' ? [true, true] : [true]);
  });

  inTurn('of a prompt blocks it, and one at the end has the agent go on once', async () => {
    real.says('Fine.');
    expect(await make({ UserPromptSubmit: [{ hooks: [({ prompt }) => ({ decision: 'block', reason: `Not “${prompt}”.` })] }] })).toEqual([
      expect.stringMatching(/^error_during_execution: .*Not “Make it”\./),
    ]);
    expect(real.server.requests).toEqual([]);
    const ends: unknown[] = [];
    const goOn: HookCallback<'Stop'> = ({ stop_hook_active, last_assistant_message }) => {
      ends.push([stop_hook_active, last_assistant_message]);
      return stop_hook_active ? undefined : { decision: 'block', reason: 'Go on.' };
    };
    await make({ Stop: [{ hooks: [goOn] }] });
    expect(ends).toEqual([
      [false, 'Fine.'],
      [true, 'Fine.'],
    ]);
  });

  inTurn('of an event in which none is called is told, and those of others run', async () => {
    real.says('Fine.');
    const happened: string[] = [];
    const note = ({ hook_event_name: event }: HookInput): undefined => void happened.push(event);
    const errors: string[] = [];
    const hooks = untyped({ SessionStart: [{ hooks: [note] }], ModelSwitched: [{ hooks: [note] }], SessionEnd: [{ hooks: [note] }] });
    const session = new Session({ ...real.by(way), hooks, stderr: (text) => errors.push(text) });
    expect((await session.initialization()).hooksNotApplied).toEqual(['ModelSwitched', 'SessionEnd']);
    await session.send('x');
    for await (const message of session.events) if (message.type === 'result') break;
    await session.close();
    expect([happened, errors.join('')]).toEqual([['SessionStart'], expect.stringContaining('“ModelSwitched”')]);
  });
});

it('A hook that is waited for when the program is killed hears of it, and the run fails with what killed it', async () => {
  real.writes();
  const { cliPath, pid } = tracked(real.path('gnomon.js'));
  const signals: AbortSignal[] = [];
  const kill: HookCallback<'PreToolUse'> = (_, { signal }) => {
    signals.push(signal);
    process.kill(pid(), 'SIGKILL');
    return never();
  };
  const { error } = await failureOf(real.ask('Make it', { cliPath, hooks: beforeWriting(kill) }));
  expect(error).toBeInstanceOf(ProcessFailedError);
  expect([error, signals.map(({ aborted }) => aborted)]).toMatchObject([{ signal: 'SIGKILL' }, [true]]);
});

it('A program that refuses an option fails with its reason, also where it was to get hooks', async () => {
  const { error } = await failureOf(real.ask('x', { hooks: { Stop: [{ hooks: [never] }] }, extraArgs: { nonsense: null } }));
  expect(error).toMatchObject({ name: 'ProcessFailedError', exitCode: 2, stderr: expect.stringContaining('--nonsense') as string });
});

it('Nothing is sent to a program that does not take hooks', async () => {
  const user = 'write(INIT); write(resultOf("I did it without them."));';
  const { error, before } = await failureOf(fakeQuery({ user }, { hooks: beforeWriting(() => undefined) }));
  expect([error, before]).toEqual([expect.any(ControlRefusedError), []]);
});

it('A program that does not say whether it takes hooks can be ended meanwhile', async () => {
  const run = fakeQuery({ start: 'process.stderr.write("up");', initialize: '' }, { hooks: beforeWriting(never), stderr: () => void run.close() });
  expect(await allOf(run)).toEqual([]);
});

it('A hook is not called for what it is not registered for', async () => {
  const asked = (id: string, event: string): string =>
    `write({ type: 'control_request', request_id: '${id}-${event}',
      request: { subtype: 'hook_callback', callback_id: '${id}', input: { hook_event_name: '${event}' } } });`;
  const initialize = 'answer(frame, { hooks_applied: true });';
  const start = 'const answers = [];';
  const user = `write(INIT); ${asked('none', 'Stop')} ${asked('Stop-1', 'PreToolUse')} ${asked('Stop-1', 'Stop')}`;
  const control = `answers.push(frame.response.error); if (answers.length === 3) write(resultOf(answers.join('|')));`;
  let calls = 0;
  const hooks: Hooks = { Stop: [{ hooks: [() => void (calls += 1)] }] };
  const [answers = ''] = outcomes(await allOf(fakeQuery({ start, initialize, user, control }, { hooks })));
  expect([answers.split('|'), calls]).toEqual([
    ['There is no hook “none”.', expect.stringContaining('cannot be read') as string, expect.stringContaining('cannot be read') as string],
    0,
  ]);
});

it.each<[string, object]>([
  ['no function', { PreToolUse: [{ hooks: ['deny'] }] }],
  ['none', { PreToolUse: [{ hooks: [] }] }],
  ['no time', { PreToolUse: [{ hooks: [never], timeout: 0 }] }],
  ['no such end', { PreToolUse: [{ hooks: [never], onFailure: 'ask' }] }],
  ['an event written in another way', { preToolUse: [{ hooks: [never] }] }],
  ['an event in the words of another program', { pre_tool_use: [{ hooks: [never] }] }],
  ['no such field', { PreToolUse: [{ hooks: [never], match: 'Bash' }] }],
])('Hooks that cannot be used are refused: %s', (_what, hooks) => {
  expect(() => query({ prompt: 'x', options: { hooks: untyped(hooks) } })).toThrow(InvalidInputError);
});

it('The types of what hooks are told are those of what happens', () => {
  type Fields<Input> = Input extends unknown ? Omit<Input, 'session_id' | 'transcript_path' | 'cwd' | 'permission_mode' | 'tool_input'> : never;
  const told = (event: HookEvent): Fields<HookInput> => event;
  const happened = (input: HookInput): HookEvent => input;
  expect([told, happened].map(({ length }) => length)).toEqual([1, 1]);
});
