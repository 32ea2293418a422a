import { t } from '../../../src/protocol/l10n.js';
import type { ViewHookRun } from '../../../src/protocol/view-state.js';
import { lasted } from './lasted.js';

/** Milliseconds from which on it is said how long a hook took. */
const NOTICED_MS = 300;

/**
 * Whether the user should know of a hook without unfolding the call: it changed it, asks, or failed. Why a call was denied is said elsewhere, and that hooks
 * run while they do.
 */
export function isNotable({ decision, failed, rewrote }: ViewHookRun): boolean {
  if (decision === 'deny' || decision === 'block') return false;
  return rewrote === true || failed === true || decision === 'ask';
}

/** Result of a hook in a sentence, with its duration where that was noticeable. */
export function hookWords(run: ViewHookRun): string {
  const words = sentence(run);
  return run.durationMs < NOTICED_MS || run.rewrote === true ? words : `${words} · ${lasted(run.durationMs)}`;
}

function sentence({ by, decision, failed, rewrote, reason = '' }: ViewHookRun): string {
  if (decision === 'deny' || decision === 'block') return t('The hook {0} blocked this: {1}', by, reason);
  if (failed === true) return t('The hook {0} failed: {1}', by, reason);
  if (rewrote === true) return t('The hook {0} changed this call. The model had asked for:', by);
  if (decision === 'ask') return t('The hook {0} asks: {1}', by, reason);
  return decision === 'allow' ? t('The hook {0} allows it.', by) : t('The hook {0} ran.', by);
}
