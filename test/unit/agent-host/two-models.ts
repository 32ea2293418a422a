import { TASK_KINDS, type TaskKind } from '../../../src/domain/model/task-kind.js';

/** A cheap model, and one that costs twenty times as much, by their keys. */
export const SMALL = 'anthropic/small';
export const LARGE = 'anthropic/large';

interface TwoModels {
  readonly 'gnomon.models': readonly object[];
  readonly 'gnomon.routing.models': readonly string[];
  readonly 'gnomon.routing.floors': Readonly<Record<string, number>>;
  readonly 'gnomon.maxRetries': number;
}

/** Settings in which Auto chooses between the two, and every failure ends a turn. @param floors of kinds; default: 0.9, for which only the large one is good enough */
export function twoModels(floors: Partial<Readonly<Record<TaskKind, number>>>): TwoModels {
  return {
    'gnomon.models': [
      { provider: 'anthropic', id: 'small', label: 'Small', contextWindow: 200_000, price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 } },
      { provider: 'anthropic', id: 'large', label: 'Large', contextWindow: 200_000, price: { input: 20, output: 100, cacheRead: 2, cacheWrite: 25 } },
    ],
    'gnomon.routing.models': [SMALL, LARGE],
    'gnomon.routing.floors': { ...Object.fromEntries(TASK_KINDS.map((kind) => [kind, 0.9])), ...floors },
    'gnomon.maxRetries': 0,
  };
}
