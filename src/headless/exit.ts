/**
 * How the program ends: done, failed or stopped, or with a command line that cannot be followed; and ended by a signal (128 and its number,
 * as shells have it).
 */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130, terminated: 143 } as const;

/** What cannot be done as it was asked for; `message` is for the user. */
export class Impossible extends Error {
  /** @param exit the exit code that says so */
  constructor(
    message: string,
    readonly exit: number = EXIT.failed,
  ) {
    super(message);
  }
}

/** What stops the program from outside. */
export interface Stops {
  /** Calls back at Ctrl+C. Returns how to stop that. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Calls back when the process is to end. Returns how to stop that. */
  readonly onTerminate: (listener: () => void) => () => void;
}
