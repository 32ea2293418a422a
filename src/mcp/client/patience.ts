import { type McpCallOptions, McpError } from '../../domain/mcp/connection.js';
import { t } from '../../domain/l10n.js';

/**
 * The questions of a server that its user or a model is thinking about. Meanwhile, its silence is no sign that anything is wrong: the
 * idle times of all calls stand still.
 */
export class OpenQuestions {
  private readonly timers = new Set<IdleTimer>();
  /** Number of open questions. */
  count = 0;

  /** Has a question open until it is answered. */
  async during<T>(answer: () => Promise<T>): Promise<T> {
    this.count++;
    for (const timer of this.timers) timer.stop();
    try {
      return await answer();
    } finally {
      this.count--;
      if (this.count === 0) for (const timer of this.timers) timer.restart();
    }
  }

  /** Starts the idle time of a call. */
  watch(idleMs: number | undefined, expired: () => void): IdleTimer {
    const timer = new IdleTimer(idleMs, expired, (each) => this.timers.delete(each));
    this.timers.add(timer);
    if (this.count === 0) timer.restart();
    return timer;
  }

  /** Whether idle times run. */
  get none(): boolean {
    return this.count === 0;
  }
}

class IdleTimer {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly idleMs: number | undefined,
    private readonly expired: () => void,
    private readonly ended: (timer: IdleTimer) => void,
  ) {}

  restart(): void {
    this.stop();
    if (this.idleMs !== undefined) this.timer = setTimeout(this.expired, this.idleMs);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  end(): void {
    this.stop();
    this.ended(this);
  }
}

/** Abort signal and idle timer of a running call. */
export interface PatientCall {
  /** Aborted when the call is over for any reason; the client then cancels the request. */
  readonly signal: AbortSignal;
  /** To be called with every sign of life. */
  readonly alive: () => void;
}

/**
 * Runs a call until it is done, its caller stops it, or nothing came for too long. It then rejects at once, and what comes late is
 * dropped.
 */
export async function withPatience<T>(options: McpCallOptions, questions: OpenQuestions, work: (call: PatientCall) => Promise<T>): Promise<T> {
  options.signal.throwIfAborted();
  const stop = new AbortController();
  let reject: (error: unknown) => void = () => undefined;
  const over = new Promise<never>((_, rejects) => (reject = rejects));
  const fail = (error: unknown, reason: string): void => {
    reject(error);
    stop.abort(reason);
  };
  const timeout = (text: string): void => fail(new McpError('timeout', text), 'It took too long.');
  const stopped = (): void => fail(abortError(options.signal), 'It was stopped by the user.');
  options.signal.addEventListener('abort', stopped, { once: true });
  const idle = questions.watch(options.idleMs, () => timeout(t('The server has shown no sign of life for {0} seconds.', seconds(options.idleMs))));
  const hard =
    options.hardMs === undefined
      ? undefined
      : setTimeout(() => timeout(t('The server has not finished within {0} seconds.', seconds(options.hardMs))), options.hardMs);
  try {
    return await Promise.race([over, work({ signal: stop.signal, alive: () => (questions.none ? idle.restart() : undefined) })]);
  } finally {
    options.signal.removeEventListener('abort', stopped);
    idle.end();
    clearTimeout(hard);
  }
}

/** The error of a canceled call. */
export function abortError(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === 'AbortError' ? reason : new DOMException('The request was stopped.', 'AbortError');
}

function seconds(milliseconds: number | undefined): number {
  return Math.round((milliseconds ?? 0) / 100) / 10;
}
