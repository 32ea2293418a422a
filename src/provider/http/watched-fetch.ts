import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { errorCode } from './network-reason.js';

/** Limits of the platform's own `fetch` for the same silence, which may be reached first. */
const SILENCE = /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/;

/**
 * A `fetch` that gives up a connection on which nothing comes any more, neither the headers nor one more byte of the
 * body. It then fails with a `ProviderError` of kind `stalled`. Every byte is a sign of life, so a server that thinks
 * for long is waited for as long as it sends pings or comments. Other failures pass unchanged.
 * @param inner default: the platform's, looked up with every request.
 */
export function watchedFetch(inner?: typeof fetch, options: IdleTimeoutOptions = {}): typeof fetch {
  return async (input, init) => {
    const connection = new AbortController();
    const idleTimeout: IdleTimeout = new IdleTimeout(options, () => {
      const error = stalled(input, idleTimeout.idleMs);
      connection.abort(error);
      return error;
    });
    const outer = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const signal = outer === undefined ? connection.signal : AbortSignal.any([outer, connection.signal]);
    const whenLost = (error: unknown): unknown => {
      idleTimeout.end();
      return SILENCE.test(errorCode(error) ?? '') ? stalled(input, idleTimeout.waitedMs, error) : error;
    };
    try {
      const response = await idleTimeout.wait((inner ?? fetch)(input, { ...init, signal }));
      if (response.body !== null) return new Response(watchedBody(response.body, idleTimeout, whenLost), response);
      idleTimeout.end();
      return response;
    } catch (error) {
      throw whenLost(error);
    }
  };
}

/** The same bytes; fails when they stop coming. Reads only what is asked for, so nothing piles up here. */
function watchedBody(body: ReadableStream<Uint8Array>, idleTimeout: IdleTimeout, whenLost: (error: unknown) => unknown): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const { done, value } = await idleTimeout.wait(reader.read());
      if (!done) {
        controller.enqueue(value);
        return;
      }
      idleTimeout.end();
      controller.close();
    } catch (error) {
      controller.error(whenLost(error));
    }
  };
  const cancel = (reason: unknown): Promise<void> => {
    idleTimeout.end();
    return reader.cancel(reason);
  };
  return new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 });
}

function stalled(input: string | URL | Request, silentMs: number, cause?: unknown): ProviderError {
  const { host } = new URL(input instanceof Request ? input.url : input);
  return new ProviderError('stalled', t('{0} sent no data for {1}, not even a keep-alive, so the connection was closed. Try again.', host, inWords(silentMs)), {
    cause,
    fact: t('{0} sent no data for {1}, so the connection was closed.', host, inWords(silentMs)),
  });
}

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes > 1) return t('{0} minutes', minutes);
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds === 1 ? t('1 second') : t('{0} seconds', seconds);
}

/** How long silence is borne, and the time, so that tests need not wait. */
export interface IdleTimeoutOptions {
  /** Longest silence, in milliseconds. Default: {@link IDLE_MS}. */
  readonly idleMs?: number;
  /** Milliseconds that pass steadily. Default: the system's monotonic clock. */
  readonly now?: () => number;
  /** Calls a function again and again until the returned function is called. Default: a timer that keeps no process alive. */
  readonly every?: (ms: number, tick: () => void) => () => void;
}

/** Longest silence of a server: 5 minutes. Servers that think for longer send signs of life. */
const IDLE_MS = 300_000;
/** Time between two looks at the clock, in milliseconds. */
const TICK_MS = 5_000;
/** How many ticks may pass at once before it was not the server that was silent, but the machine that slept. */
const SLEEP_TICKS = 4;

/**
 * Idle timeout for work of a server. The clock runs only while a caller waits, and the machine's sleep does not count:
 * after it the wait begins again.
 */
class IdleTimeout {
  readonly idleMs: number;
  private readonly now: () => number;
  private readonly every: (ms: number, tick: () => void) => () => void;
  private readonly tickMs: number;
  private stopTicks: (() => void) | undefined;
  private began = 0;
  private last = 0;
  /** Milliseconds for which the present wait has lasted. */
  private silent = 0;
  private giveUp: ((error: Error) => void) | undefined;

  /** @param onSilence is called once, when a wait took too long; what it returns is what the wait fails with. */
  constructor(
    { idleMs = IDLE_MS, now = () => performance.now(), every = repeat }: IdleTimeoutOptions,
    private readonly onSilence: () => Error,
  ) {
    this.idleMs = idleMs;
    this.now = now;
    this.every = every;
    this.tickMs = Math.min(TICK_MS, Math.max(1, idleMs / 4));
  }

  /** How long the present or last wait has lasted, the machine's sleep included, in milliseconds. */
  get waitedMs(): number {
    return this.now() - this.began;
  }

  /** The same as `work`, or the failure when it takes too long. One at a time. */
  wait<T>(work: Promise<T>): Promise<T> {
    this.silent = 0;
    this.began = this.now();
    this.last = this.began;
    this.stopTicks ??= this.every(this.tickMs, this.tick);
    const rest = (): void => {
      this.giveUp = undefined;
    };
    return new Promise<T>((resolve, reject) => {
      this.giveUp = reject;
      work.then(rest, rest);
      work.then(resolve, reject);
    });
  }

  /** Stops the clock at once. Can be called again; otherwise it stops on its own after the last wait. */
  end(): void {
    this.stopTicks?.();
    this.stopTicks = undefined;
  }

  private readonly tick = (): void => {
    const { giveUp } = this;
    const now = this.now();
    const passed = now - this.last;
    this.last = now;
    this.silent = passed > this.tickMs * SLEEP_TICKS ? 0 : this.silent + passed;
    if (giveUp !== undefined && this.silent < this.idleMs) return;
    this.end();
    this.giveUp = undefined;
    giveUp?.(this.onSilence());
  };
}

function repeat(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
