import type { AssistantMessage } from '../../../domain/model/message.js';
import type { TurnCost } from '../../../domain/session/session-store.js';
import { addUsage } from '../../../domain/model/usage.js';
import type { Turn } from '../../../engine/events.js';
import type { ViewAnswerFacts } from '../../../protocol/view-state.js';

/** What a turn took, for the user. @param model `provider/model` of its last round; empty before there was one. */
export function factsOfTurn({ rounds, usage, costUsd, durationMs }: Turn, model: string): ViewAnswerFacts {
  return { rounds, usage, durationMs, ...(model === '' ? {} : { model }), ...(costUsd === undefined ? {} : { costUsd }) };
}

/** What is stored of a round beside its message. */
export interface StoredRound {
  /** `provider/model`. */
  readonly model: string | undefined;
  /** What the turn took that ended with it; that of one which never ended is not known. */
  readonly turn: TurnCost | undefined;
}

/** What a stored answer took, with one more of its rounds. */
export function withRound(facts: ViewAnswerFacts | undefined, { usage }: AssistantMessage, { model, turn }: StoredRound): ViewAnswerFacts {
  const named = model ?? facts?.model;
  return {
    rounds: (facts?.rounds ?? 0) + 1,
    usage: facts === undefined ? usage : addUsage(facts.usage, usage),
    ...(named === undefined ? {} : { model: named }),
    ...turn,
  };
}
