import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { Compaction } from '../../../../src/domain/session/context.js';
import { type ViewEvent, applyViewEvent } from '../../../../src/protocol/view-event.js';
import { type ViewState, emptyViewState } from '../../../../src/protocol/view-state.js';
import { type SessionFactEvent, SessionFactsProjector } from '../../../../src/chat/projection/session-facts-projector.js';

const NOW = 1_000_000;
const compaction = (summary: string): Compaction => ({
  upTo: 2,
  at: 4,
  summary,
  trigger: 'manual',
  createdAt: '2026-01-02T03:04:05Z',
  tokensBefore: 900,
  tokensAfter: 100,
});

/** What a panel shows after some events, each sent as JSON as VS Code sends it. */
function shownAfter(...events: readonly SessionFactEvent[]): ViewState {
  const state = emptyViewState('a/b', 'default');
  const emit = (event: ViewEvent): void => applyViewEvent(state, JSON.parse(JSON.stringify(event)) as ViewEvent);
  const projector = new SessionFactsProjector({ emit, now: () => NOW }, []);
  for (const event of events) projector.project(event);
  return state;
}

const waits: SessionFactEvent = { type: 'retry_scheduled', attempt: 1, maxAttempts: 8, delayMs: 4_000, error: new Error('Overloaded.') };

describe('facts of the session in the chat', () => {
  it('a wait is shown with its end, and is gone when it is over', () => {
    expect(shownAfter(waits).retry).toEqual({ reason: 'Overloaded.', attempt: 1, maxAttempts: 8, at: NOW + 4_000 });
    const limited = new ProviderError('rate_limit', 'Limited. Try again in 12 seconds.', { fact: 'Limited.' });
    expect(shownAfter({ ...waits, error: limited }).retry).toMatchObject({ reason: 'Limited.' });
    expect(shownAfter(waits, { type: 'retry_ended' }).retry).toBeNull();
  });

  it('the context is shown', () => {
    expect(shownAfter({ type: 'context', context: { used: 5, limit: 10 } }).context).toEqual({ used: 5, limit: 10 });
  });

  it('a second summary covers the first, and gives it back when it is undone', () => {
    const started: SessionFactEvent = { type: 'compaction_started', trigger: 'manual' };
    const both = [started, { type: 'compacted', compaction: compaction('one') }, started, { type: 'compacted', compaction: compaction('two') }] as const;
    const statuses = (state: ViewState): readonly string[] => state.items.map((item) => (item.kind === 'compaction' ? `${item.summary} ${item.status}` : ''));
    expect(statuses(shownAfter(...both))).toEqual(['one covered', 'two active']);
    expect(statuses(shownAfter(...both, { type: 'compaction_undone', compaction: compaction('two') }))).toEqual(['one active', 'two undone']);
  });

  it('a summary that failed says why', () => {
    const state = shownAfter({ type: 'compaction_started', trigger: 'auto' }, { type: 'compaction_failed', error: new Error('No network.') });
    expect(state.items).toMatchObject([{ kind: 'compaction', status: 'failed', problem: 'No network.' }]);
  });

  it('conf-20: instructions are listed as they are now, with the hidden characters that were taken out', () => {
    const file = { path: '/ws/AGENTS.md', display: 'AGENTS.md', text: 'x', hidden: 'a zero-width space', truncated: false };
    const other = { path: '/ws/CLAUDE.md', display: 'CLAUDE.md', text: 'y', truncated: true };
    const state = shownAfter(
      { type: 'instructions_found', found: { files: [other], leftOut: [] } },
      { type: 'instructions_found', found: { files: [file], leftOut: [{ ...other, reason: 'Why.' }] } },
    );
    expect(state.instructions).toEqual({
      files: [{ display: 'AGENTS.md', hidden: 'a zero-width space', truncated: false, tokens: expect.any(Number) as number }],
      leftOut: [{ display: 'CLAUDE.md', reason: 'Why.' }],
    });
  });
});
