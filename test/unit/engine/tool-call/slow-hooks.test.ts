import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AskedPermission } from '../../../../src/domain/tool/asks.js';
import { textContent } from '../../../../src/domain/model/message.js';
import { hooksOf, type Printed } from '../../../support/hook-rig.js';
import { type Workbench, workbench } from '../answers/rig.js';
import type { Rig } from '../rig.js';

const CALL = ['bash', { command: 'touch made' }] as const;
const decision = (behavior: 'allow' | 'deny'): Printed => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, message: 'not now' } },
});

/** A session whose call waits for the user and for a hook, which answers when it is told to. */
interface Held {
  readonly all: Rig;
  readonly bench: Workbench;
  readonly turn: Promise<unknown>;
  readonly decide: (printed: Printed) => void;
  /** Whether the hook was stopped. */
  readonly stopped: () => boolean;
}

async function held(): Promise<Held> {
  const bench = await workbench();
  let decide: (printed: Printed) => void = () => undefined;
  const answer = new Promise<Printed>((resolve) => (decide = resolve));
  let stop: AbortSignal | undefined;
  const guard = {
    event: 'PermissionRequest' as const,
    name: 'guard',
    answer: (_input: unknown, _start: unknown, signal: AbortSignal) => {
      // That of its first run, when it runs again.
      stop ??= signal;
      return answer;
    },
  };
  const all = bench.session([CALL], { hooks: hooksOf([guard]).options });
  const { turn } = all.session.send([{ type: 'text', text: 'go' }]);
  // The time of the hook stands still meanwhile.
  await until(() => stop !== undefined);
  return { all, bench, turn, decide, stopped: () => stop?.aborted === true };
}

const prompts = ({ session }: Rig): readonly AskedPermission[] => session.asks.waiting.filter((ask) => ask.kind === 'permission');
const results = ({ session }: Rig): string => session.messages.map((message) => (message.role === 'tool_result' ? textContent(message) : '')).join('');
const shown = async ({ all }: Held): Promise<AskedPermission | undefined> => {
  await vi.advanceTimersByTimeAsync(3_000);
  await until(() => prompts(all).length > 0);
  return prompts(all)[0];
};
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await setImmediate();
};

describe('E-67: a hook that takes its time to decide about a call', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('is waited for before the user is asked, and then beside them, by its name', async () => {
    const call = await held();
    await vi.advanceTimersByTimeAsync(2_900);
    expect(prompts(call.all)).toEqual([]);
    expect((await shown(call))?.deciding).toContain('guard');
    call.all.session.answer('a', { type: 'deny' });
    await call.turn;
  });

  it.each(['before', 'after'] as const)('denies at once, %s the user allows: nothing is asked any more, and nothing runs', async (when) => {
    const call = await held();
    await shown(call);
    if (when === 'after') call.all.session.answer('a', { type: 'allow' });
    call.decide(decision('deny'));
    await call.turn;
    expect([prompts(call.all), call.bench.ran, call.all.session.answer('a', { type: 'allow' })]).toEqual([[], [], false]);
    expect(results(call.all)).toContain('not now');
  });

  it('holds an answer of the user that allows until it is done', async () => {
    const call = await held();
    await shown(call);
    call.all.session.answer('a', { type: 'allow' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect([prompts(call.all), call.bench.ran]).toEqual([[], []]);
    call.decide({});
    await call.turn;
    expect(call.bench.ran).toHaveLength(1);
  });

  it('is stopped by a denial of the user, which counts at once', async () => {
    const call = await held();
    await shown(call);
    call.all.session.answer('a', { type: 'deny', feedback: 'Rather not.' });
    await call.turn;
    expect([call.bench.ran, call.stopped()]).toEqual([[], true]);
    expect(results(call.all)).toContain('Rather not.');
  });

  it('allows in place of the user, whose prompt goes', async () => {
    const call = await held();
    await shown(call);
    call.decide(decision('allow'));
    await call.turn;
    expect([prompts(call.all), call.bench.ran.length]).toEqual([[], 1]);
  });

  it.each(['plan', 'ask'] as const)('allows nothing that the mode %s, chosen meanwhile, does not let it', async (mode) => {
    const call = await held();
    await shown(call);
    call.all.session.setMode(mode);
    call.decide(decision('allow'));
    // In the mode that always asks, the question stays.
    if (mode === 'ask') {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(prompts(call.all)).toHaveLength(1);
      call.all.session.answer('a', { type: 'deny' });
    }
    await call.turn;
    expect(call.bench.ran).toEqual([]);
  });

  it('is asked anew about what the user makes of the call meanwhile', async () => {
    const call = await held();
    await shown(call);
    call.all.session.answer('a', { type: 'revise', amendment: { type: 'input', input: { command: 'touch other' } } });
    while (prompts(call.all)[0]?.plan.subject !== 'touch other') {
      await vi.advanceTimersByTimeAsync(10);
      await setImmediate();
    }
    expect(call.stopped()).toBe(true);
    call.all.session.answer('a', { type: 'deny' });
    await call.turn;
    expect(call.bench.ran).toEqual([]);
  });

  it('leaves the prompt as it is where it decides nothing', async () => {
    const call = await held();
    const asked = await shown(call);
    call.decide({});
    await vi.advanceTimersByTimeAsync(1_000);
    expect(prompts(call.all)).toEqual([asked]);
    call.all.session.answer('a', { type: 'allow' }, asked?.revision);
    await call.turn;
    expect(call.bench.ran).toHaveLength(1);
  });

  it('goes with the turn when that is stopped', async () => {
    const call = await held();
    await shown(call);
    call.all.session.cancel();
    await call.turn;
    expect([prompts(call.all), call.bench.ran, call.stopped()]).toEqual([[], [], true]);
  });
});
