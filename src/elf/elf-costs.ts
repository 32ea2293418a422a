import type { ElfFacts } from './elf.js';
import type { ElfResult } from './elf-result.js';

/** What runs of agents have cost in this workspace. */
export interface ElfCosts {
  /** Those of the latest that are known, in US dollars. Does not reject. @param model `provider/model` */
  of(type: string, model: string): Promise<readonly number[]>;
  /** Adds one. Does not reject. */
  note(type: string, model: string, costUsd: number): Promise<void>;
}

/** What runs of agents of a type have cost with a model: US dollars. */
export interface UsualCost {
  readonly least: number;
  readonly most: number;
}

/** The range of what such runs have cost; `undefined` where that is not known. */
export async function usualCost(costs: ElfCosts, type: string, model: string): Promise<UsualCost | undefined> {
  const known = await costs.of(type, model);
  return known.length === 0 ? undefined : { least: Math.min(...known), most: Math.max(...known) };
}

/** Keeps what a run has cost that came to its end, where something was asked of a model whose price is known. Does not reject. */
export async function noteCost(costs: ElfCosts, { type, model }: Pick<ElfFacts, 'type' | 'model'>, { state, costUsd, rounds }: ElfResult): Promise<void> {
  if (costUsd !== undefined && rounds > 0 && state !== 'cancelled') await costs.note(type, model, costUsd);
}
