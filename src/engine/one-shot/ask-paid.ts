import { AbortError } from '../../domain/errors.js';
import type { ModelInfo, Request } from '../../domain/model/provider.js';
import type { Purse } from '../../domain/model/purse.js';
import { NO_USAGE } from '../../domain/model/usage.js';
import { requestTokens } from '../context/message-tokens.js';
import { limitError } from '../turn/caps.js';
import { estimateOf, reserveIn, settledBy } from '../turn/pay.js';
import type { EmittedEvent } from '../events.js';
import type { Answer } from '../turn/answer.js';
import type { Spending } from '../turn/spending.js';
import { type AskedModel, askOnce } from './ask-once.js';

/** The session in whose name a request is sent that is not part of its conversation. */
export interface Payer {
  readonly purse: Purse;
  /** Counts what the request used, also when it failed. */
  readonly count: (answer: Answer, model: ModelInfo) => void;
}

/** A session as the one who pays: what a request used counts in its total, and listeners hear of it. */
export function payerOf({ purse, total }: { readonly purse: Purse; readonly total: Spending }, emit: (event: EmittedEvent) => void): Payer {
  return {
    purse,
    count: (answer, model) => {
      total.add(answer, model);
      emit({ type: 'usage', usage: total.usage, costUsd: total.costUsd });
    },
  };
}

/**
 * As {@link askOnce}, paid for by a session. Never throws: the error in the answer is a LimitReachedError where its purse has no
 * room for the request.
 */
export async function askPaid(request: Request, asked: AskedModel, { purse, count }: Payer): Promise<Answer> {
  const { model } = asked;
  const estimate = estimateOf({ ...asked, request, tokens: requestTokens(request) });
  const room = await reserveIn(purse, estimate, asked.signal);
  if (room === 'aborted') return unsent(new AbortError());
  if ('limit' in room) return unsent(limitError(room, model));
  const answer = await settledBy(askOnce(request, asked), model, room);
  count(answer, model);
  return answer;
}

/** Result of a request that was not sent. */
export function unsent(error: unknown): Answer {
  return { message: undefined, usage: NO_USAGE, error, unsent: true };
}
