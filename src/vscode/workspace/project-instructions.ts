import type { InstructionFile, Instructions } from '../../domain/session/context.js';
import type { Log } from '../../domain/log.js';
import { errorMessage } from '../../domain/errors.js';
import { abortable } from '../../engine/tool-call/abort.js';

/** Milliseconds after which a conversation opens without instructions, as on a disk that does not answer. */
const WAIT_MS = 1_000;

/** The project's instructions for a conversation that is being opened. Never rejects: without them it opens all the same. */
export async function workspaceInstructions(finder: Instructions, log: Log): Promise<readonly InstructionFile[]> {
  const signal = AbortSignal.timeout(WAIT_MS);
  try {
    return await abortable(finder.ofWorkspace(signal), signal);
  } catch (error) {
    log.warn(`The project's instructions were left out: ${signal.aborted ? 'reading them took too long' : errorMessage(error)}`);
    return [];
  }
}

/**
 * Instructions of a trusted workspace only: those of another could tell the model anything. Files whose folders were asked
 * for too early are refused and not answered with none, so that they are asked for again once there is trust.
 */
export function onlyTrusted(finder: Instructions, trusted: () => boolean): Instructions {
  return {
    ofWorkspace: (signal) => (trusted() ? finder.ofWorkspace(signal) : Promise.resolve([])),
    ofFile: (path, signal) => (trusted() ? finder.ofFile(path, signal) : Promise.reject(new Error('the workspace is not trusted'))),
  };
}
