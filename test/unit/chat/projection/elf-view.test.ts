import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import type { ElfFacts } from '../../../../src/elf/elf.js';
import { elfViews } from '../../../../src/chat/projection/elf-view.js';

const facts: ElfFacts = {
  ...{ name: 'agent-1', callId: 'c1', type: 'explore', task: 'Look', background: false, now: '', model: '', needsUser: false, interrupted: false },
  ...{ usage: NO_USAGE, costUsd: 0, runs: [] },
};
const viewOf = (over: Partial<ElfFacts>): ReturnType<typeof elfViews>[number] | undefined =>
  elfViews({ facts: [{ ...facts, ...over }], left: {} }, (key) => ({ model: key, provider: '' }))[0];

describe('an agent in the tree', () => {
  const run = { state: 'completed', since: '2026-01-01T00:00:00Z', rounds: 2 } as const;

  test('has the figures of all its runs, and the time of the last one beside that of those before', () => {
    const interrupted = { ...run, state: 'running' } as const;
    expect(viewOf({ runs: [{ ...run, durationMs: 3_000 }, interrupted, { ...run, durationMs: 5_000 }, { ...run, durationMs: 1_000 }] })).toMatchObject({
      ...{ rounds: 8, earlierMs: 8_000, durationMs: 1_000 },
    });
    expect(viewOf({ runs: [{ ...run, durationMs: 3_000 }] })).not.toHaveProperty('earlierMs');
  });

  test('works as soon as it has a place where its worktree is set up first', () => {
    const pending = { ...run, state: 'pending' } as const;
    const isolated = { worktree: 'agent-1-abc', runs: [pending] };
    expect(viewOf({ ...isolated, position: 1 })).toMatchObject({ state: 'queued', now: '' });
    expect(viewOf(isolated)).toMatchObject({ state: 'working', now: 'Setting up the worktree' });
    expect(viewOf({ ...isolated, now: 'bash npm ci' })).toMatchObject({ state: 'working', now: 'Setting up: bash npm ci' });
    expect(viewOf({ ...isolated, needsUser: true })).toMatchObject({ state: 'waiting', now: 'Setting up the worktree' });
    expect(viewOf({ ...isolated, interrupted: true })).toMatchObject({ state: 'interrupted', now: '' });
    expect(viewOf({ runs: [pending] })).toMatchObject({ state: 'queued', now: '' });
  });

  test('says on one line why it failed, and has the end of what is said below that', () => {
    const failed = (problem: string): ReturnType<typeof viewOf> => viewOf({ runs: [{ ...run, state: 'failed', problem }] });
    expect(failed('It failed.')).not.toHaveProperty('details');
    expect(failed(`It failed.\n${'x'.repeat(5_000)}\nlast`)).toMatchObject({ problem: 'It failed.', details: `${'x'.repeat(995)}\nlast` });
  });
});
