import { describe, expect, it } from 'vitest';
import { limitView } from '../../../src/chat/projection/elf-view.js';
import type { LimitReached } from '../../../src/domain/model/purse.js';
import type { ElfLimits, ElfRun, StoredElfLimits } from '../../../src/domain/session/elf.js';
import { type ElfUse, HouseholdLimits } from '../../../src/elf/household-limits.js';

const SETTINGS: ElfLimits = { atOnce: 4, inAll: 50, depth: 1, budget: { costUsd: 2, tokens: 1_000 } };

/** What was used. Default: nothing. */
const use = (over: { readonly costUsd?: number | undefined; readonly tokens?: number; readonly runs?: number }): ElfUse => ({
  spent: { costUsd: 'costUsd' in over ? over.costUsd : 0, tokens: over.tokens ?? 0, requests: 0 },
  runs: over.runs ?? 0,
});

const run = (state: ElfRun['state'], limit?: Partial<LimitReached>): ElfRun => ({
  state,
  since: '2026-11-01T10:00:00.000Z',
  rounds: 1,
  ...(limit === undefined ? {} : { limit: { limit: 'money', value: 2, used: 2, whose: 'parent', of: 'agents', ...limit } }),
});
const stopped = run('failed', {});
/** One that failed for a limit of the chat. */
const ofChat: ElfRun = { ...run('failed'), limit: { limit: 'money', value: 2, used: 2, whose: 'parent' } };

function limitsOf(settings = SETTINGS, stored: StoredElfLimits = {}): { readonly limits: HouseholdLimits; readonly saved: StoredElfLimits[] } {
  const saved: StoredElfLimits[] = [];
  return { limits: new HouseholdLimits(() => settings, { stored, save: (each) => saved.push(each) }), saved };
}

describe('the limits of the agents of a chat', () => {
  it('are those of the settings, or what the user has raised them to; what has no limit there has none', () => {
    const raised = { money: 4, tokens: 500, agents: 100 };
    expect(limitsOf(SETTINGS, { raised }).limits.current).toEqual({ ...SETTINGS, inAll: 100, budget: { costUsd: 4, tokens: 1_000 } });
    expect(limitsOf({ ...SETTINGS, budget: {} }, { raised }).limits.current.budget).toEqual({});
  });

  it.each([
    ['what is left of all', { costUsd: 1.99, tokens: 999, runs: 49 }, undefined],
    ['all money used', { costUsd: 2 }, 'money'],
    ['a cost that is not known', { costUsd: undefined }, 'money'],
    ['all tokens used', { tokens: 1_000 }, 'tokens'],
    ['all runs used', { runs: 50 }, 'agents'],
  ])('leave room for another run, or none: %s', (_what, used, limit) => {
    expect(limitsOf().limits.exhausted(use(used))).toBe(limit);
  });

  it('are asked about only where one has stopped or refused something, and is still used up', () => {
    const { limits } = limitsOf();
    const over = use({ costUsd: 2.03 });
    expect(limits.reached(over, [[run('completed')], [run('failed')], [ofChat]])).toBeUndefined();
    expect(limits.reached(over, [[stopped], [run('completed'), stopped], [stopped, run('completed')]])).toEqual({
      limit: 'money',
      value: 2,
      used: 2.03,
      higher: 4,
      stopped: 2,
      refused: 0,
    });
    // The setting was raised meanwhile.
    expect(limits.reached(use({ costUsd: 1 }), [[stopped]])).toBeUndefined();
    limits.noteRefused('tokens');
    expect(limits.reached(use({ tokens: 1_000 }), [])).toMatchObject({ limit: 'tokens', stopped: 0, refused: 1 });
  });

  it('are asked about again only once another run was stopped, or another start refused, since the answer', () => {
    const { limits, saved } = limitsOf();
    const over = use({ costUsd: 2 });
    limits.noteRefused('money');
    limits.noteAnswered([[stopped]]);
    expect(saved.at(-1)).toEqual({ answered: { money: 1, tokens: 0, agents: 0 } });
    expect(limits.reached(over, [[stopped]])).toBeUndefined();
    expect(limits.reached(over, [[stopped], [stopped]])).toMatchObject({ stopped: 2, refused: 0 });
    limits.noteRefused('money');
    expect(limits.reached(over, [[stopped]])).toMatchObject({ stopped: 1, refused: 1 });
  });

  it.each([
    [2, 4],
    [3.9, 4],
    [4, 6],
    [9, 10],
  ])('are raised to the double, or to more where that is used up: %d used', (used, higher) => {
    expect(limitsOf().limits.reached(use({ costUsd: used }), [[stopped]])?.higher).toBe(higher);
  });

  it('are raised for runs by as many again as the settings have, also the second time', () => {
    const { limits } = limitsOf();
    limits.noteRefused('agents');
    expect(limits.reached(use({ runs: 50 }), [])?.higher).toBe(100);
    limits.raise('agents', 100, []);
    limits.noteRefused('agents');
    expect(limits.reached(use({ runs: 50 }), [])).toBeUndefined();
    expect(limits.reached(use({ runs: 100 }), [])?.higher).toBe(150);
  });

  it('are not offered to be raised where a price or the cost is not known: more would not help', () => {
    const { limits } = limitsOf();
    const unknown = run('failed', { unknown: 'price' });
    const card = limits.reached(use({ costUsd: 0.5 }), [[unknown]]);
    expect(card).toEqual({ limit: 'money', value: 2, used: 0.5, stopped: 1, refused: 0 });
    const lost = limits.reached(use({ costUsd: undefined }), [[run('failed', { unknown: 'cost', used: undefined })]]);
    expect(lost && limitView(lost)).toEqual({ limit: 'money', value: '$2.00', used: 'n/a', stopped: 1, refused: 0 });
  });

  it.each([
    ['money', 2, '$2.00'],
    ['money', 1234.5, '$1,234.50'],
    ['money', 0.001, '$0.0010'],
    ['tokens', 2_000_000, '2,000,000'],
    ['agents', 50, '50'],
  ] as const)('are shown exactly: %s %d', (limit, value, shown) => {
    expect(limitView({ limit, value, used: value, stopped: 0, refused: 1 }).value).toBe(shown);
  });
});
