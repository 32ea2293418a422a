import type { SessionSummary } from '../../../domain/session/session-store.js';
import type { HistoryEntry } from '../../../protocol/host/session-messages.js';

/** Dollars below which a cost is shown with four digits. */
const SMALL_COST = 0.1;

/** What {@link historyEntries} needs beside the summaries. */
export interface EntryFacts {
  /** Name of a model for people. */
  readonly modelName: (key: string) => string;
}

/** The lines of the history. */
export function historyEntries(sessions: readonly SessionSummary[], { modelName }: EntryFacts): readonly HistoryEntry[] {
  const titles = new Map(sessions.map(({ id, title }) => [id, title]));
  return sessions.map(({ id, title, updatedAt, messageCount, model, costUsd, pinned, parent, elsewhere, problem }) => ({
    ...{ id, title, updatedAt, messageCount },
    ...(model === undefined ? {} : { model: modelName(model) }),
    ...(costUsd === undefined || costUsd === 0 ? {} : { cost: `$${costUsd.toFixed(costUsd < SMALL_COST ? 4 : 2)}` }),
    ...(pinned === true ? { pinned } : {}),
    ...(parent === undefined ? {} : { parent: titles.get(parent.id) ?? '' }),
    ...(elsewhere === true ? { elsewhere } : {}),
    ...(problem === undefined ? {} : { problem }),
  }));
}
