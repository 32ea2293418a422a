import { LimitReachedError } from '../../domain/errors.js';
import { formatNumber, t } from '../../domain/l10n.js';
import type { Message } from '../../domain/model/message.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import type { Caps, LimitReached, Limits } from '../../domain/model/purse.js';

/** Limits of a session's purse. */
export function limitsOf({ maxCostUsd }: Caps): Limits {
  return maxCostUsd === undefined ? {} : { costUsd: maxCostUsd };
}

/** The limit of turns, where a conversation exceeds it. */
export function turnsReached({ maxTurns }: Caps, messages: readonly Message[]): LimitReached | undefined {
  if (maxTurns === undefined) return undefined;
  const turns = messages.filter(({ role }) => role === 'user').length;
  return turns <= maxTurns ? undefined : { limit: 'turns', value: maxTurns, used: turns, whose: 'own' };
}

/** Error for a request that a limit prevented. @param model that was to be asked */
export function limitError(reached: LimitReached, { label }: Pick<ModelInfo, 'label'>): LimitReachedError {
  return new LimitReachedError(wordsOf(reached, label), reached);
}

function wordsOf(reached: LimitReached, model: string): string {
  const { limit, value, used = 0 } = reached;
  switch (limit) {
    case 'turns':
      return turnWords(value, used);
    case 'money':
      return reached.whose === 'own' ? ownMoneyWords(reached, model) : sharedMoneyWords(reached, model);
    case 'tokens':
      return t('The limit of {0} tokens has been reached (used so far: {1}), so nothing was sent.', formatNumber(value), formatNumber(used));
    case 'requests':
      return t('The limit of {0} requests to models has been reached, so nothing was sent.', formatNumber(value));
  }
}

function turnWords(maxTurns: number, turns: number): string {
  if (maxTurns === 1)
    return t('This chat is limited to 1 turn, and this would be turn {0}. Increase the gnomon.maxTurns setting to continue, or start a new chat.', turns);
  return t(
    'This chat is limited to {0} turns, and this would be turn {1}. Increase the gnomon.maxTurns setting to continue, or start a new chat.',
    maxTurns,
    turns,
  );
}

/** A limit that cannot be checked is not passed over: nothing is asked until it can be. */
function ownMoneyWords({ value, used = 0, unknown }: LimitReached, model: string): string {
  const limit = dollars(value);
  if (unknown === 'price') {
    return t(
      'The cost limit of this chat is {0}, but the price of {1} is unknown, so nothing was sent. ' +
        'Choose a model with a known price, or set gnomon.maxCostUsd to 0 to remove the limit.',
      limit,
      model,
    );
  }
  if (unknown === 'cost') {
    return t(
      'The cost limit of this chat is {0}, but its cost so far is unknown because the model or the price of some requests is unknown. ' +
        'Start a new chat, or set gnomon.maxCostUsd to 0 to remove the limit.',
      limit,
    );
  }
  return t(
    'This chat has reached its cost limit of {0} (cost so far: {1}). Increase the gnomon.maxCostUsd setting to continue, or start a new chat.',
    limit,
    dollars(used),
  );
}

/** No setting of the chat itself helps: the limit is that of who started it. */
function sharedMoneyWords({ value, used = 0, unknown }: LimitReached, model: string): string {
  const limit = dollars(value);
  if (unknown === 'price') {
    return t('The cost limit that this chat shares with others is {0}, but the price of {1} is unknown, so nothing was sent.', limit, model);
  }
  if (unknown === 'cost') {
    return t('The cost limit that this chat shares with others is {0}, but the cost so far is unknown, so nothing was sent.', limit);
  }
  return t('The cost limit of {0} that this chat shares with others has been reached (cost so far: {1}), so nothing was sent.', limit, dollars(used));
}

/** An amount in dollars. A small one has as many digits as it needs, because a limit must not look like nothing. */
function dollars(amount: number): string {
  if (amount <= 0 || amount >= 0.1) return `$${amount.toFixed(2)}`;
  const digits = Math.max(4, Math.ceil(-Math.log10(amount)) + 1);
  return `$${amount.toFixed(Math.min(digits, 20)).replace(/(\.\d{4}\d*?)0+$/, '$1')}`;
}
