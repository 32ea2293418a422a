import { assertNever } from '../../domain/assert-never.js';
import { LimitReachedError, ProviderError } from '../../domain/errors.js';
import type { LimitReached } from '../../domain/model/purse.js';
import { t } from '../../domain/l10n.js';
import { cutOff } from '../../domain/model/accumulator.js';
import { type AssistantMessage, hasToolCalls, type StopReason, textContent } from '../../domain/model/message.js';
import type { ToldOutcome } from '../../domain/tool/for-model.js';
import type { TurnEnd } from '../events.js';
import type { Loop } from './loop-guard.js';
import { isRefusal, refusal } from '../refusal.js';

/** End of a turn, with the error for the ends `error`, `cap`, `loop` and `hook`. */
export interface Outcome {
  readonly end: TurnEnd;
  readonly error?: unknown;
  /** The limit that was reached, with the end `cap`. */
  readonly reached?: LimitReached;
}

/** The end of a turn by something that failed, or that a limit did not let be sent. */
export function failed(error: unknown): Outcome {
  return error instanceof LimitReachedError ? { end: 'cap', error, reached: error.reached } : { end: 'error', error };
}

/** Whether the model has answered, be it that the length limit has cut its answer. */
export function isAnswered({ end }: Outcome): boolean {
  return end === 'end_turn' || end === 'length' || end === 'cut';
}

/** Stop reason of a pause from which the model wants to continue. */
const PAUSE = 'pause_turn';
/** Stop reason of newer Anthropic models for a response that filled the context window. */
const WINDOW_FULL = 'model_context_window_exceeded';

/** Why an answer is as good as none and worth another request: it says nothing and asks for nothing. */
export function emptiness(message: AssistantMessage | undefined): EmptyAnswerError | undefined {
  if (message === undefined) return new EmptyAnswerError();
  const done = message.stopReason === 'end_turn' || message.stopReason === 'tool_use';
  const says = hasToolCalls(message) || textContent(message).trim() !== '';
  return done && !says ? new EmptyAnswerError() : undefined;
}

/** Whether the model wants to be asked again to continue with its answer. */
export function isPause(message: AssistantMessage): boolean {
  return message.rawStopReason === PAUSE;
}

/** Error for a response that a model or a filter refused. */
export function refusalOf(message: AssistantMessage | undefined): ProviderError | undefined {
  return message?.stopReason === 'unknown' && isRefusal(message.rawStopReason) ? refusal() : undefined;
}

/** End of a turn after a response without tool calls. */
export function outcomeOfAnswer(message: AssistantMessage): Outcome {
  switch (message.stopReason) {
    case 'end_turn':
    case 'tool_use':
      return { end: 'end_turn' };
    case 'unknown':
      return outcomeOfOther(message.rawStopReason);
    case 'length':
    case 'aborted':
      return { end: message.stopReason };
    case 'error':
      return { end: 'error', error: cutOff() };
    default:
      return assertNever(message.stopReason);
  }
}

/** The end of a turn by an unknown stop reason. */
function outcomeOfOther(rawStopReason: string): Outcome {
  if (isRefusal(rawStopReason)) return { end: 'error', error: refusal() };
  return rawStopReason === WINDOW_FULL ? { end: 'error', error: windowFilled() } : { end: 'unknown' };
}

/** Whether an answer was cut off at a limit, so that the model can continue with it. */
export function isCut(message: AssistantMessage): boolean {
  return message.stopReason === 'length' || filledWindow(message);
}

/** Whether an answer was cut off because it filled the context window of the model. */
export function filledWindow(message: AssistantMessage): boolean {
  return message.rawStopReason === WINDOW_FULL;
}

/** Error for such a response. */
export function windowFilled(): ProviderError {
  return new ProviderError(
    'context_length',
    t('The response filled the model’s context window and was cut off. Start a new chat, or choose a model with a larger context window.'),
  );
}

/** The end of a turn in which the model pauses again and again. */
export function endlessPauses(times: number): Outcome {
  const words = t('The model paused its response {0} times without finishing, so the turn was ended. Continue, or rephrase your message.', times);
  return { end: 'loop', error: new Error(words) };
}

/** The end of a turn in which the model repeats calls that bring nothing new. */
export function repeatedCalls({ tools, times, failing }: Loop): Outcome {
  const several = tools.includes(',');
  return { end: 'loop', error: new Error(failing ? failedAgain(several, tools, times) : sameAgain(several, tools, times)) };
}

function failedAgain(several: boolean, tools: string, times: number): string {
  return several
    ? t('The model made the same failing calls ({0}) {1} times in a row, so the turn was ended. Tell it what to do differently.', tools, times)
    : t('The model made the same failing {0} call {1} times in a row, so the turn was ended. Tell it what to do differently.', tools, times);
}

function sameAgain(several: boolean, tools: string, times: number): string {
  return several
    ? t('The model made the same calls ({0}) with the same result {1} times in a row, so the turn was ended. Tell it what to do differently.', tools, times)
    : t('The model made the same {0} call with the same result {1} times in a row, so the turn was ended. Tell it what to do differently.', tools, times);
}

/** Outcome of a call in a response that did not stop for tools: it is not run. */
export function notExecuted(reason: StopReason): ToldOutcome {
  switch (reason) {
    case 'length':
    case 'error':
      return { kind: 'not_run', why: reason };
    case 'aborted':
      return { kind: 'cancelled', unstarted: true };
    case 'end_turn':
    case 'tool_use':
    case 'unknown':
      return { kind: 'not_run', why: 'no_stop' };
    default:
      return assertNever(reason);
  }
}

/** Warning to a model that makes no progress, appended to the result of its call. */
export const FAILING_AGAIN =
  '[This has failed in the same way several times in a row. Do not send it again as it is: find out why it fails, try another way, or ask the user.]';

/** The same where the calls succeed, and bring nothing new. */
export const SAME_AGAIN =
  '[This has brought the same result several times in a row. Do not repeat it: work with what you have, try another way, or ask the user.]';

/** A model that ended its answer without a word and without a call. */
export class EmptyAnswerError extends ProviderError {
  constructor() {
    super('protocol', t('The model returned an empty response. Try again, or rephrase your message.'), { fact: t('The model returned an empty response.') });
  }
}
