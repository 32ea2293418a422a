import { t } from '../../domain/l10n.js';
import type { Message } from '../../domain/model/message.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import type { Outcome } from './outcome.js';

/** What one session may use at most. What is absent has no limit. */
export interface Caps {
  /** Messages of the user. */
  readonly maxTurns?: number;
  /** US dollars. */
  readonly maxCostUsd?: number;
}

/** What a session used so far, and what it asks next. */
export interface CappedUse {
  readonly messages: readonly Message[];
  /** US dollars; `undefined` when not known. */
  readonly costUsd: number | undefined;
  readonly model: ModelInfo;
}

/** The end of a turn that may make no further request, or `undefined` when it may. */
export function capReached(caps: Caps, use: CappedUse): Outcome | undefined {
  const words = turnCap(caps.maxTurns, use.messages) ?? costCap(caps.maxCostUsd, use);
  return words === undefined ? undefined : { end: 'cap', error: new Error(words) };
}

function turnCap(maxTurns: number | undefined, messages: readonly Message[]): string | undefined {
  if (maxTurns === undefined) return undefined;
  const turns = messages.filter(({ role }) => role === 'user').length;
  if (turns <= maxTurns) return undefined;
  if (maxTurns === 1) return t('This session may have 1 turn, and this is number {0}. Raise the setting gnomon.maxTurns to go on, or start a new session.', turns);
  return t('This session may have {0} turns, and this is number {1}. Raise the setting gnomon.maxTurns to go on, or start a new session.', maxTurns, turns);
}

/** A limit that cannot be checked is not passed over: nothing is asked until it can be. */
function costCap(maxCostUsd: number | undefined, { costUsd, model }: CappedUse): string | undefined {
  if (maxCostUsd === undefined) return undefined;
  const limit = dollars(maxCostUsd);
  if (model.pricing === undefined) {
    return t('This session may cost {0}, but the price of {1} is not known, so nothing was sent. Choose a model with a known price, or set gnomon.maxCostUsd to 0 for no limit.', limit, model.label);
  }
  if (costUsd === undefined) {
    return t(
      'This session may cost {0}, but what it has cost so far is not known, because a model without a known price was used in it. Start a new session, or set gnomon.maxCostUsd to 0 for no limit.',
      limit,
    );
  }
  if (costUsd < maxCostUsd) return undefined;
  return t('This session may cost {0} and has cost {1}. Raise the setting gnomon.maxCostUsd to go on, or start a new session.', limit, dollars(costUsd));
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && amount < 0.1 ? 4 : 2)}`;
}
