/** A call that a server is working on. */
interface RunningCall {
  /** The chat that it is for. */
  readonly session: string;
  /** Aborted when it is over, in whatever way. */
  readonly over: AbortController;
}

/** Where a question of a server belongs. */
export interface Occasion {
  /** The chat; absent when none has a call running. */
  readonly session?: string;
  /** Aborts when all calls that the question can belong to have ended, so that its answer is of no use. Absent without such calls. */
  readonly over?: AbortSignal;
}

/**
 * The calls that servers are working on, so that what a server asks meanwhile is asked in the chat that it works for. The protocol does
 * not say which call a question belongs to: up to 2025-11-25 it is a request of its own. So a question belongs to all calls that run.
 */
export class RunningCalls {
  private readonly calls = new Map<string, Set<RunningCall>>();

  /** Runs a call of a chat. */
  async during<T>(server: string, session: string, work: () => Promise<T>): Promise<T> {
    const call: RunningCall = { session, over: new AbortController() };
    const running = this.calls.get(server) ?? new Set();
    this.calls.set(server, running.add(call));
    try {
      return await work();
    } finally {
      running.delete(call);
      if (running.size === 0 && this.calls.get(server) === running) this.calls.delete(server);
      call.over.abort();
    }
  }

  /**
   * Where a question that a server asks now belongs.
   * @param shown the chat that the user works in, which is the one if several have calls running and it is among them
   */
  occasion(server: string, shown: string): Occasion {
    const running = [...(this.calls.get(server) ?? [])];
    const last = running.at(-1);
    if (last === undefined) return {};
    const session = running.some((call) => call.session === shown) ? shown : last.session;
    const own = running.filter((call) => call.session === session);
    return { session, over: allAborted(own.map(({ over }) => over.signal)) };
  }
}

/** A signal that aborts when the last of others does. */
function allAborted(signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController();
  let left = signals.length;
  const one = (): void => {
    left -= 1;
    if (left === 0) all.abort();
  };
  for (const signal of signals) signal.addEventListener('abort', one, { once: true });
  return all.signal;
}
