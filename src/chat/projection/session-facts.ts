import { present } from '../../domain/present.js';
import type { Compaction, FoundInstructions } from '../../domain/session/context.js';
import { errorMessage, ProviderError } from '../../domain/errors.js';
import { type AssistantMessage, type Message, toolCalls } from '../../domain/model/message.js';
import type { TodoItem } from '../../domain/tool/interaction.js';
import { instructionText } from '../../engine/context/instruction-text.js';
import { textTokens } from '../../text/text-tokens.js';
import type { EmittedEvent, Turn } from '../../engine/events.js';
import type { ViewAnswerFacts, ViewCompactionItem, ViewInstructions, ViewRetry } from '../../protocol/view-state.js';
import { parseArguments } from '../../engine/tool-call/arguments.js';
import { readTodos } from '../../tool/calls/todo-items.js';
import type { TurnCost } from '../../domain/session/session-store.js';
import { addUsage } from '../../domain/model/usage.js';
import type { TaskKind } from '../../domain/model/task-kind.js';

/** The plan that the model showed last; empty when it showed none. Calls that were refused showed nothing. */
export function lastTodos(messages: readonly Message[]): readonly TodoItem[] {
  for (const message of [...messages].reverse()) {
    if (message.role !== 'assistant') continue;
    for (const call of toolCalls(message).toReversed()) {
      const args = call.name === 'todo' ? parseArguments(call.arguments) : undefined;
      const todos = args?.ok === true ? readTodos(args.value) : undefined;
      if (todos !== undefined) return todos;
    }
  }
  return [];
}

/** Instructions as the chat lists them. */
export function instructionsView({ files, leftOut }: FoundInstructions): ViewInstructions {
  return {
    files: files.map((file) => ({
      display: file.display,
      tokens: Math.round(textTokens(instructionText(file))),
      truncated: file.truncated,
      ...present({ hidden: file.hidden }),
    })),
    leftOut: leftOut.map(({ display, reason, wantedBy }) => ({ display, reason, ...(wantedBy === undefined ? {} : { needsConsent: true }) })),
  };
}

/** A wait before another attempt. @param now milliseconds since 1970. */
export function retryView(event: Extract<EmittedEvent, { type: 'retry_scheduled' }>, now: number): ViewRetry {
  const { attempt, maxAttempts, delayMs, error } = event;
  // While it is tried again on its own, there is nothing for the user to do.
  const reason = (error instanceof ProviderError ? error.fact : undefined) ?? errorMessage(error);
  return { reason, attempt, maxAttempts, at: now + delayMs };
}

/** A summary as the transcript shows it. */
export function compactionView(id: string, compaction: Compaction, status: ViewCompactionItem['status']): ViewCompactionItem {
  const { trigger, summary, tokensBefore, tokensAfter } = compaction;
  return { kind: 'compaction', id, trigger, summary, tokensBefore, tokensAfter, status };
}

/** Cost and duration of a turn, for the user. `model` is the `provider/model` of its last round, empty before there was one. */
export function factsOfTurn(
  { rounds, usage, costUsd, durationMs, cacheBreak }: Turn,
  { model, mode, routedAs }: { readonly model: string; readonly mode: string; readonly routedAs?: TaskKind | undefined },
): ViewAnswerFacts {
  return {
    ...(mode === 'plan' ? { planned: true } : {}),
    rounds,
    usage,
    durationMs,
    ...(model === '' ? {} : { model }),
    ...present({ costUsd, cacheBreak, routedAs }),
  };
}

/** Stored facts about a round, beside its message. */
interface StoredRound {
  /** `provider/model`. */
  readonly model: string | undefined;
  /** Cost of the turn that ended with it; unknown for a turn that never ended. */
  readonly turn: TurnCost | undefined;
  /** The kind of task that its model was chosen for. */
  readonly routedAs: TaskKind | undefined;
}

/** Adds one more round to the cost and duration of a stored answer. */
export function withRound(facts: ViewAnswerFacts | undefined, { usage }: AssistantMessage, { model, turn, routedAs }: StoredRound): ViewAnswerFacts {
  const named = model ?? facts?.model;
  return {
    rounds: (facts?.rounds ?? 0) + 1,
    usage: facts === undefined ? usage : addUsage(facts.usage, usage),
    ...present({ model: named, routedAs }),
    ...turn,
  };
}
