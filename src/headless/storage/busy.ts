import { type BusyReason, SessionBusyError } from '../../session/errors.js';
import { Impossible } from '../exit.js';

const WORDS: Readonly<Record<BusyReason, (id: string) => string>> = {
  open: (id) => `The session ${id} is open in another window or program. Close it there first`,
  working: (id) => `Gnomon is working on the session ${id} in another window or program. Stop it there, or wait until it has finished`,
  silent: (id) => `The window or program in which the session ${id} is open does not respond. Try again, or close it`,
};

/**
 * Does something with a session that only one program at a time can do.
 * @param otherwise what else the user could do where another one has it open, such as `, or …`
 * @throws Impossible where another one has it open
 */
export async function alone<T>(work: () => Promise<T>, otherwise = ''): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SessionBusyError) throw new Impossible(`${WORDS[error.busy](error.sessionId)}${otherwise}.`);
    throw error;
  }
}
