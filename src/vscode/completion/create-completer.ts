import type { Log } from '../../domain/log.js';
import { systemClock } from '../../node/system-clock.js';
import { Completer } from './completer.js';
import type { CompletionPorts } from './completion-ports.js';
import type { CompletionState } from './completion-state.js';
import { followEdits } from './follow-edits.js';

/** Builds what makes suggestions, and follows what the person edits from then on. */
export function createCompleter(ports: CompletionPorts, state: CompletionState, log: Log): Completer {
  const { edits, subscription } = followEdits();
  return new Completer({ ...ports, state, edits, subscription, clock: systemClock, log });
}
