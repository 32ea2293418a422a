import { describe, expect, it } from 'vitest';
import { BASELINES, type Believed, counted, type Policy, specified } from '../../routing/policies.js';
import { type Run, simulate, type World, WORLDS } from '../../routing/simulate.js';
import { bestSingle, readTable } from '../../routing/table.js';

const table = readTable();
/** No kind is taken for another one. */
const NONE = table.kinds.map((_, kind) => table.kinds.map((__, other) => (kind === other ? 1 : 0)));
const run = (world: World, make: (believed: Believed) => Policy, seed = 1): Run => simulate(table, world, make, seed, NONE);
const learned = counted({ prior: 15, keeps: 0.97 });

describe('the simulation of choosing models', () => {
  it('reads the table as it was published', () => {
    expect([table.models.length, table.kinds.length]).toEqual([13, 10]);
    expect(table.models[bestSingle(table)]).toBe('GPT-5');
    const mean = (table.success[bestSingle(table)] ?? []).reduce<number>((sum, value) => sum + (value ?? NaN), 0) / table.kinds.length;
    expect(mean).toBeCloseTo(0.656, 3);
    // GPT-5-Chat was not measured on tau2-bench.
    expect(table.success[table.models.indexOf('GPT-5-Chat')]?.[table.kinds.indexOf('orchestration')]).toBeUndefined();
  });

  it('gives the same for the same seed, and the same tasks to all', () => {
    for (const world of WORLDS) expect(run(world, learned, 3)).toEqual(run(world, learned, 3));
    const [first, second] = [run('right', BASELINES['strongest'] ?? specified), run('right', BASELINES['static'] ?? specified)];
    expect([first.tasks, second.tasks]).toEqual([2_000, 2_000]);
    // The strongest in each kind is never below the floor, and costs more than what the static rule takes.
    expect([first.belowInTruth, second.belowInTruth]).toEqual([0, 0]);
    expect(first.success).toBeGreaterThan(second.success);
    expect(first.cost).toBeGreaterThan(second.cost);
  });

  it('a model that does not answer is none that is worse', () => {
    const { movedByOutage, untilUsedAgain, asks } = run('outage', learned);
    expect([movedByOutage, asks]).toEqual([0, 0]);
    expect(untilUsedAgain).toBeLessThan(200);
  });

  it('what learns is better off where something else is true than was believed', () => {
    const wrong = (make: (believed: Believed) => Policy): number => [1, 2, 3, 4].reduce((sum, seed) => sum + run('wrong', make, seed).lateRegretWhereWrong, 0);
    expect(wrong(learned)).toBeLessThan(wrong(BASELINES['static'] ?? specified));
  });
});
