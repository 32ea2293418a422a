import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { errorCode } from './network-reason.js';
import { Vigil } from './vigil.js';
import type { VigilOptions } from './vigil.js';

/** Limits of the platform's own `fetch` for the same silence, which may be reached first. */
const SILENCE = /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/;

/**
 * A `fetch` that gives up a connection on which nothing comes any more, neither the headers nor one more byte of the
 * body. It then fails with a `ProviderError` of kind `stalled`. Every byte is a sign of life, so a server that thinks
 * for long is waited for as long as it sends pings or comments. Other failures pass unchanged.
 * @param inner default: the platform's, looked up with every request.
 */
export function watchedFetch(inner?: typeof fetch, options: VigilOptions = {}): typeof fetch {
  return async (input, init) => {
    const connection = new AbortController();
    const vigil: Vigil = new Vigil(options, () => {
      const error = stalled(input, vigil.idleMs);
      connection.abort(error);
      return error;
    });
    const outer = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const signal = outer === undefined ? connection.signal : AbortSignal.any([outer, connection.signal]);
    const whenLost = (error: unknown): unknown => {
      vigil.end();
      return SILENCE.test(errorCode(error) ?? '') ? stalled(input, vigil.waitedMs, error) : error;
    };
    try {
      const response = await vigil.wait((inner ?? fetch)(input, { ...init, signal }));
      if (response.body !== null) return new Response(watchedBody(response.body, vigil, whenLost), response);
      vigil.end();
      return response;
    } catch (error) {
      throw whenLost(error);
    }
  };
}

/** The same bytes; fails when they stop coming. Reads only what is asked for, so nothing piles up here. */
function watchedBody(body: ReadableStream<Uint8Array>, vigil: Vigil, whenLost: (error: unknown) => unknown): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const { done, value } = await vigil.wait(reader.read());
      if (!done) {
        controller.enqueue(value);
        return;
      }
      vigil.end();
      controller.close();
    } catch (error) {
      controller.error(whenLost(error));
    }
  };
  const cancel = (reason: unknown): Promise<void> => {
    vigil.end();
    return reader.cancel(reason);
  };
  return new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 });
}

function stalled(input: string | URL | Request, silentMs: number, cause?: unknown): ProviderError {
  const { host } = new URL(input instanceof Request ? input.url : input);
  return new ProviderError(
    'stalled',
    t('{0} has sent nothing for {1}, not even a sign of life, so the connection was closed. Try again.', host, inWords(silentMs)),
    { cause },
  );
}

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes > 1) return t('{0} minutes', minutes);
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds === 1 ? t('a second') : t('{0} seconds', seconds);
}
