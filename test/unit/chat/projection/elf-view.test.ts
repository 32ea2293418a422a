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
});
