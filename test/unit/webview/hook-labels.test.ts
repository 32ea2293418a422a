import { expect, it } from 'vitest';
import type { ViewHookRun } from '../../../src/protocol/view-state.js';
import { isNotable } from '../../../webview/state/transcript/hook-labels.js';

const run = (over: Partial<ViewHookRun>): ViewHookRun => ({ event: 'PreToolUse', by: 'PreToolUse (a:1)', decision: 'none', durationMs: 5, ...over });

it('a hook has a line of its own only where it did something that is not said elsewhere', () => {
  for (const durationMs of [0, 299, 300, 60_000]) {
    for (const decision of ['none', 'allow', 'deny', 'block'] as const)
      expect([durationMs, decision, isNotable(run({ durationMs, decision }))]).toEqual([durationMs, decision, false]);
    for (const over of [{ decision: 'ask' }, { failed: true }, { rewrote: true }] as const)
      expect([durationMs, over, isNotable(run({ durationMs, ...over }))]).toEqual([durationMs, over, true]);
  }
});
