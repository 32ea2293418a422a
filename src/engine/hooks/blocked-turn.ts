import { BlockedByHookError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { MessageBlock, StartedTurn } from '../events.js';
import { Spending } from '../turn/spending.js';

/** The notice for a message that is not sent. */
export function blockedWords(block: MessageBlock): string {
  if (block.kind === 'command') return block.reason;
  const { kind, by, reason } = block;
  return kind === 'denied'
    ? t('The hook {0} blocked this message: {1}', by, reason)
    : t('This message was blocked because the hook {0} did not answer: {1}', by, reason);
}

/** The turn of a message that is not sent: nothing was recorded or sent. */
export function blockedTurn(block: MessageBlock): StartedTurn {
  const words = blockedWords(block);
  const nothing = { messages: [], ...new Spending().figures, rounds: 0, durationMs: 0, modelMs: 0, denials: [] };
  const turn = { ...nothing, end: 'blocked' as const, error: new BlockedByHookError(words) };
  return { recorded: Promise.resolve(block), turn: Promise.resolve(turn) };
}
