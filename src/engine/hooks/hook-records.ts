import { present } from '../../domain/present.js';
import { hookName } from '../../domain/hook/definition.js';
import type { HookOutcome } from '../../domain/hook/outcome.js';
import type { HookRecord } from '../../domain/session/session-store.js';

/** Characters of a reason that are shown and kept. */
const MAX_REASON = 2_000;

/** Records of the hooks that ran for a tool call, for display and storage. */
export function hookRecords({ event, runs }: HookOutcome, toolCallId: string): readonly HookRecord[] {
  return runs.map(({ hook, end, decision, durationMs, rewrote, reason }) => ({
    toolCallId,
    event,
    by: hookName(hook),
    decision,
    durationMs: Math.round(durationMs),
    ...(end === 'answered' ? {} : { failed: true as const }),
    ...present({ rewrote }),
    ...(reason === undefined ? {} : { reason: reason.slice(0, MAX_REASON) }),
  }));
}
