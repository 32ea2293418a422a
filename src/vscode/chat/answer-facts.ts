import type { AssistantMessage } from '../../domain/message.js';
import { addUsage } from '../../domain/usage.js';
import type { Turn } from '../../engine/events.js';
import type { ViewAnswerFacts } from '../../protocol/view-state.js';

/** What a turn took, for the person. @param model `provider/model` of its last round; empty before there was one. */
export function factsOfTurn({ rounds, usage, costUsd, durationMs }: Turn, model: string): ViewAnswerFacts {
  return { rounds, usage, durationMs, ...(model === '' ? {} : { model }), ...(costUsd === undefined ? {} : { costUsd }) };
}

/** What a stored answer took, with one more of its rounds. What it cost and how long it took is not stored. */
export function withRound(facts: ViewAnswerFacts | undefined, { usage }: AssistantMessage, model: string | undefined): ViewAnswerFacts {
  const named = model ?? facts?.model;
  return {
    rounds: (facts?.rounds ?? 0) + 1,
    usage: facts === undefined ? usage : addUsage(facts.usage, usage),
    ...(named === undefined ? {} : { model: named }),
  };
}
