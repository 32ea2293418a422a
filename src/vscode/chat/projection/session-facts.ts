import type { Compaction, InstructionFile } from '../../../domain/session/context.js';
import { errorMessage } from '../../../domain/errors.js';
import type { Message } from '../../../domain/model/message.js';
import { toolCalls } from '../../../domain/model/message-helpers.js';
import type { TodoItem } from '../../../domain/tool/todo.js';
import type { SessionEvent } from '../../../engine/events.js';
import type { ViewCompactionItem, ViewInstruction, ViewRetry } from '../../../protocol/view-state.js';
import { readTodos } from '../../../tool/calls/todo-items.js';

/** The plan that the model showed last; empty when it showed none. Calls that were refused showed nothing. */
export function lastTodos(messages: readonly Message[]): readonly TodoItem[] {
  for (const message of [...messages].reverse()) {
    if (message.role !== 'assistant') continue;
    for (const call of toolCalls(message).toReversed()) {
      const todos = call.name === 'todo' ? readTodos(call.arguments) : undefined;
      if (todos !== undefined) return todos;
    }
  }
  return [];
}

/** Instruction files as the chat lists them. */
export function instructionViews(files: readonly InstructionFile[]): readonly ViewInstruction[] {
  return files.map(({ display, hidden, truncated }) => ({ display, truncated, ...(hidden === undefined ? {} : { hidden }) }));
}

/** A wait before another attempt. @param now milliseconds since 1970. */
export function retryView(event: Extract<SessionEvent, { type: 'retry_scheduled' }>, now: number): ViewRetry {
  const { attempt, maxAttempts, delayMs, error } = event;
  return { reason: errorMessage(error), attempt, maxAttempts, at: now + delayMs };
}

/** A summary as the transcript shows it. */
export function compactionView(id: string, compaction: Compaction, status: ViewCompactionItem['status']): ViewCompactionItem {
  const { trigger, summary, tokensBefore, tokensAfter } = compaction;
  return { kind: 'compaction', id, trigger, summary, tokensBefore, tokensAfter, status };
}
