import { AbortError, ToolInputError } from '../../domain/errors.js';
import type { Amount, Purse } from '../../domain/model/purse.js';
import type { Plan, ToolResult } from '../../domain/tool/tool.js';
import { reserveIn } from '../turn/pay.js';
import { amountSpent } from '../turn/spending.js';

/** What a call is paid with. */
interface Payment {
  readonly purse: Purse;
  readonly signal: AbortSignal;
}

/**
 * Runs a call, which first gets room in the purse where its plan says that it will cost something. What it used is taken in any
 * case; of one that fails, that its request was sent.
 * @throws ToolInputError where a limit leaves no room, AbortError when the signal aborts before it runs, else what the call throws.
 */
export async function paidFor({ spends }: Plan, { purse, signal }: Payment, run: () => Promise<ToolResult>): Promise<ToolResult> {
  if (spends === undefined) {
    const result = await run();
    if (result.spent !== undefined) purse.take(amountSpent(result.spent));
    return result;
  }
  const room = await reserveIn(purse, spends, signal);
  if (room === 'aborted') throw new AbortError();
  if ('limit' in room) throw new ToolInputError('Not run: what may be spent in this chat does not allow it. Go on without it, or tell the user.');
  let actual: Amount = { costUsd: 0, tokens: 0, requests: spends.requests };
  try {
    const result = await run();
    if (result.spent !== undefined) actual = amountSpent(result.spent);
    return result;
  } finally {
    room.settle(actual);
  }
}
