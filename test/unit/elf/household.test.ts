import { describe, expect, it } from 'vitest';
import type { Elf } from '../../../src/elf/elf.js';
import { Household } from '../../../src/elf/household.js';
import { createPurse } from '../../../src/engine/turn/purse.js';
import { systemClock } from '../../../src/node/system-clock.js';
import { gate } from '../../support/model-server/index.js';
import { MemoryLog } from '../engine/rig.js';

const never = new AbortController().signal;

/** As many places as are wanted, and what goes on in them. */
function places(atOnce: number): {
  readonly household: Household;
  readonly elf: () => Elf;
  readonly log: string[];
  readonly logged: (name: string) => Promise<string>;
} {
  const log: string[] = [];
  const household = new Household(
    { id: 'chat', purse: createPurse(() => ({})), closed: false, expect: () => undefined },
    { elves: [], limits: { stored: {}, save: () => undefined } },
    {
      limits: () => ({ atOnce, inAll: 50, depth: 3, budget: {} }),
      clock: systemClock,
      clean: (text) => text,
      memory: { told: { of: () => undefined, keep: () => undefined }, trees: { of: () => undefined, keep: () => undefined } },
      worktrees: { look: () => Promise.resolve({ files: [] }) },
      log: new MemoryLog(),
      keepOrder: () => Promise.resolve(),
    },
  );
  const elf = (): Elf => household.start({ callId: 'call', type: 'general', task: 'task', background: false });
  return { household, elf, log, logged: (name) => Promise.resolve(name).finally(() => void log.push(name)) };
}

/** Lets all run that waits for nothing. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the place of an agent that waits for another one', () => {
  it('is waited for when that one is stopped: the agent goes on in a place, and not beside the others', async () => {
    const { household, elf, log, logged } = places(1);
    const [parent, child, other] = [elf(), elf(), elf()];
    const stopped = new AbortController();
    const [childWork, otherWork] = [gate(), gate()];
    const whole = household.place(
      parent,
      async () => {
        await household.without(parent.name, () => household.place(child, () => childWork.pass(), stopped.signal), never);
        return logged('the parent goes on');
      },
      never,
    );
    await settled();
    const beside = household.place(other, () => otherWork.pass().finally(() => void log.push('the other one has ended')), never);
    await settled();
    stopped.abort();
    childWork.open();
    await settled();
    expect(log).toEqual([]);
    otherWork.open();
    await Promise.all([whole, beside]);
    expect(log).toEqual(['the other one has ended', 'the parent goes on']);
  });

  it('is not waited for when its own turn is stopped', async () => {
    const { household, elf, log, logged } = places(1);
    const [parent, child, other] = [elf(), elf(), elf()];
    const turn = new AbortController();
    const [childWork, otherWork] = [gate(), gate()];
    const whole = household.place(
      parent,
      async () => {
        await household.without(parent.name, () => household.place(child, () => childWork.pass(), turn.signal), turn.signal);
        return logged('the parent ends');
      },
      never,
    );
    await settled();
    const beside = household.place(other, () => otherWork.pass(), never);
    await settled();
    turn.abort();
    childWork.open();
    await whole;
    expect(log).toEqual(['the parent ends']);
    // The place that it went on without is not there twice.
    const next = household.place(child, () => logged('another one works'), never);
    await settled();
    expect(log).toEqual(['the parent ends']);
    otherWork.open();
    await Promise.all([beside, next]);
  });

  it('is none that others get where the agent has none, as in a turn of the user', async () => {
    const { household, elf, log, logged } = places(1);
    const [parent, child, other] = [elf(), elf(), elf()];
    const childWork = gate();
    const whole = household.without(parent.name, () => household.place(child, () => childWork.pass(), never), never);
    const beside = household.place(other, () => logged('the other one works'), never);
    await settled();
    expect(log).toEqual([]);
    childWork.open();
    await Promise.all([whole, beside]);
    expect(log).toEqual(['the other one works']);
  });

  it('is waited for when the time is over that it waits for the others', async () => {
    const { household, elf, log, logged } = places(1);
    const [parent, other] = [elf(), elf()];
    const otherWork = gate();
    const time = new AbortController();
    const whole = household.place(
      parent,
      async () => {
        await household.without(parent.name, () => household.until(() => false, time.signal), never);
        return logged('the parent goes on');
      },
      never,
    );
    const beside = household.place(other, () => otherWork.pass(), never);
    await settled();
    time.abort();
    await settled();
    expect(log).toEqual([]);
    otherWork.open();
    await Promise.all([whole, beside]);
  });
});
