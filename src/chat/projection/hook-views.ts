import { t } from '../../domain/l10n.js';
import { hookName } from '../../domain/hook/definition.js';
import type { HookOutcome, HookRun } from '../../domain/hook/outcome.js';
import type { HookRecord } from '../../domain/session/session-store.js';
import type { ViewHookRun } from '../../protocol/view-state.js';
import type { Notice } from './notices.js';

/** Characters of arguments that are shown. */
const MAX_ASKED = 2_000;

/** The hooks that ran for a tool call, as they are shown with it, live and from the disk. @param asked the arguments that the model had sent, as JSON */
export function hookRunViews(records: readonly HookRecord[], asked: string): readonly ViewHookRun[] {
  return records.map(({ event, by, decision, durationMs, failed, rewrote, reason }) => ({
    event,
    by,
    decision,
    durationMs,
    ...(failed === undefined ? {} : { failed }),
    ...(rewrote === undefined ? {} : { rewrote, asked: asked.slice(0, MAX_ASKED) }),
    ...(reason === undefined ? {} : { reason }),
  }));
}

/** What the user is told of hooks in the chat: what they said to them, and which failed, where that is not shown with a call. What a hook blocks says so itself. */
export function noticesOfHooks({ runs, messages }: HookOutcome, withCall: boolean): readonly Notice[] {
  const failed = withCall ? [] : runs.filter(({ end, decision }) => end !== 'answered' && decision === 'none').map(failure);
  return [...messages.map(({ by, text }) => t('The hook {0} says: {1}', by, text)), ...failed].map((text) => ({ level: 'warning', text, actions: [] }));
}

function failure({ hook, reason }: HookRun): string {
  return t('The hook {0} failed: {1}', hookName(hook), reason ?? t('No reason was given.'));
}
