import type { FileVersion } from '../domain/workspace/changes.js';
import { sameContent } from '../domain/workspace/changes.js';
import type { CheckpointEntry, Redo } from './checkpoint-index.js';

/** What is to become of one file. */
export interface RestoreStep {
  readonly path: string;
  readonly target: FileVersion;
  /** The file as it was left; `undefined` when that is not known, so that whatever is there may be the person's. */
  readonly expected: FileVersion | undefined;
}

/** The steps that take files back to before a message, one for each file that was changed since. */
export function stepsBack(entries: readonly CheckpointEntry[], messageIndex: number): readonly RestoreStep[] {
  const steps = new Map<string, RestoreStep>();
  for (const { path, before, after, edited } of entries.filter(({ turn }) => turn >= messageIndex)) {
    const earlier = steps.get(path);
    // Between two turns of the agent the person may have changed the file: their work would go with it.
    const unbroken = earlier === undefined || (earlier.expected !== undefined && sameContent(earlier.expected, before));
    steps.set(path, { path, target: earlier?.target ?? before, expected: edited === true || !unbroken ? undefined : after });
  }
  return [...steps.values()];
}

/** The steps that take a restore back. */
export function stepsForward({ steps }: Redo): readonly RestoreStep[] {
  return steps.map(({ path, was, restored }) => ({ path, target: was, expected: restored }));
}
