import { type FoundInstructions, type Instructions, NO_INSTRUCTIONS } from '../domain/session/context.js';
import type { Log } from '../domain/log.js';
import { errorMessage } from '../domain/errors.js';
import { abortable } from '../engine/tool-call/abort.js';

/** Milliseconds after which a conversation opens without instructions, as on a disk that does not answer. */
const WAIT_MS = 5_000;

/** The instructions for a conversation that is being opened. Never rejects: without them it opens all the same. */
export async function workspaceInstructions(finder: Instructions, log: Log): Promise<FoundInstructions> {
  const signal = AbortSignal.timeout(WAIT_MS);
  try {
    return await abortable(finder.ofWorkspace(signal), signal);
  } catch (error) {
    log.warn(`The project's instructions were left out: ${signal.aborted ? 'reading them took too long' : errorMessage(error)}`);
    return NO_INSTRUCTIONS;
  }
}
