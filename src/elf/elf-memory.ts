import type { ElfTreeState } from '../domain/session/elf.js';

/** Something that is known of each elf of a chat, by the name of the elf. */
export interface KeptByName<Value> {
  /** `undefined` where that is not known. */
  of(name: string): Value | undefined;
  /** Does not reject. */
  keep(name: string, value: Value): void;
}

/** What a chat remembers of its elves over reloads, beside what is stored with each of them. */
export interface ElfMemory {
  /** Of how many runs of an elf who has started it knows the end. */
  readonly told: KeptByName<number>;
  /** How its worktree stood. */
  readonly trees: KeptByName<ElfTreeState>;
}
