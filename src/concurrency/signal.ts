/**
 * Tells listeners what happened, in the order in which they came. One that throws keeps none of the others from hearing it.
 * What VS Code itself listens to is a `vscode.EventEmitter` instead.
 */
export class Signal<T = void> {
  /** Entries, so that a function that listens twice is called twice. */
  private readonly listeners = new Set<{ readonly listener: (value: T) => void }>();

  /** @param failed takes what a listener throws; without it, the error is reported as one that nothing has caught. */
  constructor(private readonly failed: (error: unknown, value: T) => void = throwLater) {}

  /** Calls a listener each time from now on. Returns how to stop that. */
  readonly subscribe = (listener: (value: T) => void): (() => void) => {
    const entry = { listener };
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  };

  /** Calls all who listen now. */
  emit(value: T): void {
    for (const entry of [...this.listeners]) {
      // Another listener may have stopped it just now.
      if (!this.listeners.has(entry)) continue;
      try {
        entry.listener(value);
      } catch (error) {
        this.failed(error, value);
      }
    }
  }

  /** Forgets all listeners. */
  clear(): void {
    this.listeners.clear();
  }
}

/** The extension host logs what is thrown where nothing catches it. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
