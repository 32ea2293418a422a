import { t } from '../../domain/l10n.js';
import type { Message } from '../../domain/model/message.js';
import { type ModelInfo, priceOf } from '../../domain/model/provider.js';
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
  if (maxTurns === 1)
    return t('This chat is limited to 1 turn, and this would be turn {0}. Increase the gnomon.maxTurns setting to continue, or start a new chat.', turns);
  return t(
    'This chat is limited to {0} turns, and this would be turn {1}. Increase the gnomon.maxTurns setting to continue, or start a new chat.',
    maxTurns,
    turns,
  );
}

/** A limit that cannot be checked is not passed over: nothing is asked until it can be. */
function costCap(maxCostUsd: number | undefined, { costUsd, model }: CappedUse): string | undefined {
  if (maxCostUsd === undefined) return undefined;
  const limit = dollars(maxCostUsd);
  if (priceOf(model) === undefined) {
    return t(
      'The cost limit of this chat is {0}, but the price of {1} is unknown, so nothing was sent. Choose a model with a known price, or set gnomon.maxCostUsd to 0 to remove the limit.',
      limit,
      model.label,
    );
  }
  if (costUsd === undefined) {
    return t(
      'The cost limit of this chat is {0}, but its cost so far is unknown because a model without a known price was used. Start a new chat, or set gnomon.maxCostUsd to 0 to remove the limit.',
      limit,
    );
  }
  if (costUsd < maxCostUsd) return undefined;
  return t(
    'This chat has reached its cost limit of {0} (cost so far: {1}). Increase the gnomon.maxCostUsd setting to continue, or start a new chat.',
    limit,
    dollars(costUsd),
  );
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && amount < 0.1 ? 4 : 2)}`;
}
