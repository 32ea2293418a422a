import type { Amount, LimitReached, Purse, Reservation } from '../../domain/model/purse.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import type { Answer } from './answer.js';
import { amountOf } from './spending.js';

/**
 * Reserves room in a purse, and waits where there may be some as soon as requests of others are over. Resolves to the limit that
 * leaves none, or to `aborted` when the signal aborts. Never rejects.
 */
export async function reserveIn(purse: Purse, estimate: Amount, signal: AbortSignal): Promise<Reservation | LimitReached | 'aborted'> {
  const stopped = aborted(signal);
  try {
    while (!signal.aborted) {
      const given = purse.reserve(estimate);
      if (!('reached' in given)) return given;
      if (given.freed === undefined) return given.reached;
      await Promise.race([given.freed, stopped.promise]);
    }
    return 'aborted';
  } finally {
    stopped.forget();
  }
}

/** Resolves when a signal aborts, until that is forgotten: a signal can live much longer than those who wait for it. */
function aborted(signal: AbortSignal): { readonly promise: Promise<void>; readonly forget: () => void } {
  let listener = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    listener = resolve;
  });
  signal.addEventListener('abort', listener, { once: true });
  return { promise, forget: () => signal.removeEventListener('abort', listener) };
}

/** The limit for which not even the smallest request could be sent, now or later; `undefined` where one could. */
export function reachedIn(purse: Purse, hasPrice: boolean): LimitReached | undefined {
  const given = purse.reserve({ costUsd: hasPrice ? 0 : undefined, tokens: 0, requests: 1 });
  if ('reached' in given) return given.freed === undefined ? given.reached : undefined;
  given.release();
  return undefined;
}

/** Waits for the answer to a request, and ends its reservation with what it is known to have used, whatever becomes of it. */
export async function settledBy(answer: Promise<Answer>, model: ModelInfo, reservation: Reservation): Promise<Answer> {
  try {
    const come = await answer;
    if (come.unsent !== true) reservation.settle(amountOf(come, model));
    return come;
  } finally {
    // Where nothing was sent; after a settlement it changes nothing.
    reservation.release();
  }
}
