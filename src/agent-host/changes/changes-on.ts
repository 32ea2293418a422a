import type { CallGround, ChangeRecorder } from '../../domain/workspace/changes.js';

/** The recorder of a session: what its calls change is told apart from what those of others do, by where they work. */
export function changesOn(recorder: ChangeRecorder, ground: () => CallGround): ChangeRecorder {
  return { begin: (call) => recorder.begin({ ...call, ground: ground() }) };
}
