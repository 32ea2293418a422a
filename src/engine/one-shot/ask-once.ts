import type { Clock } from '../../domain/clock.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import type { ModelInfo, Provider, Request } from '../../domain/model/provider.js';
import { type Answer, streamAnswer } from '../turn/answer.js';
import { CallIds } from '../turn/call-ids.js';

/** Model for a single request, outside of any conversation. */
export interface AskedModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** See {@link Request.reason}. */
  readonly reason?: string;
}

/**
 * Sends a request that belongs to no conversation, and takes what comes to its end, which is its limit where it is cut off: it is not gone
 * on with. Never throws: what went wrong is in the answer.
 * @param written called with each piece of the text as it arrives.
 */
export function askOnce(
  request: Request,
  { provider, clock, log, signal, reason }: Omit<AskedModel, 'model'>,
  written: (piece: string) => void = () => undefined,
): Promise<Answer> {
  return streamAnswer(reason === undefined ? request : { ...request, reason }, {
    provider,
    ids: new CallIds([]),
    signal,
    clock,
    log,
    event: (event) => {
      if (event.type === 'text_delta') written(event.delta);
    },
    partial: () => Promise.resolve(),
  });
}

/** The error of a failed request; `undefined` after success. */
export function errorOf({ error }: Answer): Error | undefined {
  if (error === undefined || error instanceof Error) return error;
  return new Error(errorMessage(error));
}
