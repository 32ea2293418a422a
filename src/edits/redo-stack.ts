import type { CheckpointIndex, Redo, RedoStep } from './checkpoint-index.js';

/** Restores of one session that can be taken back, one after the other; with more, the oldest is forgotten. */
const MAX_LEVELS = 20;

/** What came of a restore or of taking one back, by path. */
export interface Outcome {
  /** Files that are as they should be now. */
  readonly done: ReadonlySet<string>;
  /** Files that could not be changed. */
  readonly failed: ReadonlySet<string>;
  /** Files whose content is not kept any more: nothing brings them back. */
  readonly lost: ReadonlySet<string>;
}

/** The index before a restore touches anything. One to the same message that went before, or broke off, is one with this one. */
export function beforeRestore(index: CheckpointIndex, messageIndex: number, steps: readonly RedoStep[]): CheckpointIndex {
  if (steps.length === 0) return index;
  const { rest, own } = apart(index, messageIndex);
  const paths = new Set(steps.map(({ path }) => path));
  const all = [...(own?.steps ?? []).filter(({ path }) => !paths.has(path)), ...steps];
  return { entries: index.entries, redos: pushed(rest, { messageIndex, steps: all, entries: own?.entries ?? [] }) };
}

/** The index after a restore. */
export function afterRestore(index: CheckpointIndex, messageIndex: number, { done, failed }: Outcome): CheckpointIndex {
  const { rest, own } = apart(index, messageIndex);
  const gone = index.entries.filter(({ turn, path }) => turn >= messageIndex && done.has(path));
  const entries = index.entries.filter((entry) => !gone.includes(entry));
  const steps = (own?.steps ?? []).filter(({ path }) => !failed.has(path));
  return { entries, redos: pushed(rest, { messageIndex, steps, entries: [...(own?.entries ?? []), ...gone] }) };
}

/** The index after a restore was taken back. What was not, as files that the person kept, can be tried again. */
export function afterRedo({ entries, redos }: CheckpointIndex, { done, lost }: Outcome): CheckpointIndex {
  const redo = redos.at(-1);
  if (redo === undefined) return { entries, redos };
  const back = redo.entries.filter(({ path }) => done.has(path));
  const all = [...entries, ...back].sort((a, b) => a.turn - b.turn);
  const isOpen = ({ path }: { readonly path: string }): boolean => !done.has(path) && !lost.has(path);
  return { entries: all, redos: pushed(redos.slice(0, -1), { ...redo, steps: redo.steps.filter(isOpen), entries: redo.entries.filter(isOpen) }) };
}

/** The latest restore when it was to this message, and the others. */
function apart({ redos }: CheckpointIndex, messageIndex: number): { readonly rest: readonly Redo[]; readonly own: Redo | undefined } {
  const last = redos.at(-1);
  return last?.messageIndex === messageIndex ? { rest: redos.slice(0, -1), own: last } : { rest: redos, own: undefined };
}

function pushed(redos: readonly Redo[], redo: Redo): readonly Redo[] {
  return redo.steps.length === 0 ? redos : [...redos, redo].slice(-MAX_LEVELS);
}
