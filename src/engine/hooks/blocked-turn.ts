import { BlockedByHookError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { HookBlock } from '../../domain/hook/outcome.js';
import type { StartedTurn } from '../events.js';
import { Spending } from '../turn/spending.js';

/** The notice for a prompt that a hook blocked. */
export function blockedWords({ kind, by, reason }: HookBlock): string {
  return kind === 'denied' ? t('The hook {0} blocked this message: {1}', by, reason) : t('This message was blocked because the hook {0} did not answer: {1}', by, reason);
}

/** The turn of a prompt that a hook blocked: nothing was recorded or sent. */
export function blockedTurn(block: HookBlock): StartedTurn {
  const words = blockedWords(block);
  const nothing = { messages: [], ...new Spending().figures, rounds: 0, durationMs: 0, modelMs: 0, denials: [] };
  const turn = { ...nothing, end: 'blocked' as const, error: new BlockedByHookError(words) };
  return { recorded: Promise.resolve(block), turn: Promise.resolve(turn) };
}
