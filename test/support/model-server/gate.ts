/** Holds an answer until a test lets it go on. */
export interface Gate {
  /** Resolves when the answer has arrived at the gate: everything before it has been handed to the socket. */
  readonly reached: Promise<void>;
  /** Lets the answer go on, now or when it arrives. */
  open(): void;
  /** For the server: announces the arrival and waits until the gate is open. */
  pass(): Promise<void>;
}

/** Makes a closed gate. */
export function gate(): Gate {
  const reached = deferred();
  const opened = deferred();
  return {
    reached: reached.promise,
    open: opened.resolve,
    pass: () => {
      reached.resolve();
      return opened.promise;
    },
  };
}

/** A promise and the function that resolves it. */
export function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
