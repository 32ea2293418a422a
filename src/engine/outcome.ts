import { assertNever } from '../domain/assert-never.js';
import type { ToolCallBlock } from '../domain/content.js';
import { ProviderError } from '../domain/errors.js';
import type { AssistantMessage, StopReason } from '../domain/message.js';
import { textContent } from '../domain/message-helpers.js';
import type { TurnEnd } from './events.js';
import { REPEAT_LIMIT } from './loop-guard.js';

/** How a turn ends, and with `error` what ended it. */
export interface Outcome {
  readonly end: TurnEnd;
  readonly error?: unknown;
}

/** How a turn ends after an answer that asks for no tool. An answer that says nothing is an error (stream-13). */
export function outcomeOfAnswer(message: AssistantMessage): Outcome {
  switch (message.stopReason) {
    case 'end_turn':
    case 'tool_use':
      return textContent(message).trim() === '' ? emptyAnswer() : { end: 'end_turn' };
    case 'length':
    case 'unknown':
    case 'aborted':
      return { end: message.stopReason };
    case 'error':
      return { end: 'error', error: new ProviderError('interrupted', 'The answer broke off before its end. What arrived is kept.') };
    default:
      return assertNever(message.stopReason);
  }
}

/** The end of a turn whose answer says nothing. */
export function emptyAnswer(): Outcome {
  return { end: 'error', error: new ProviderError('protocol', 'The model gave no answer. Try again, or say it in other words.') };
}

/** The end of a turn in which the model repeats a failing call. */
export function repeatedCall(call: ToolCallBlock): Outcome {
  const words = `The model made the same failing call of ${call.name} ${REPEAT_LIMIT} times in a row, so the turn was ended. Tell it what to do instead.`;
  return { end: 'error', error: new Error(words) };
}

/** What a call is told that came with an answer which did not stop for tools (G23, decision 14). */
export function notExecuted(reason: StopReason): string {
  switch (reason) {
    case 'length':
      return 'Not executed: the answer reached its length limit before it was finished. Send the call again, in smaller parts.';
    case 'aborted':
      return 'Not executed: the user stopped the answer.';
    case 'error':
      return 'Not executed: the answer broke off.';
    case 'end_turn':
    case 'tool_use':
    case 'unknown':
      return 'Not executed: the answer did not stop for tool use. Send the call again if it is still needed.';
    default:
      return assertNever(reason);
  }
}
