import { errorMessage } from '../domain/errors.js';

/** Waits for work to end. @returns what it failed with. */
export async function settle(work: Promise<void>): Promise<Error | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(errorMessage(error));
  }
}
