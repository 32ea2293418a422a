import { textContent, toolCalls } from '../../domain/model/message-helpers.js';
import type { Message, ToolResultMessage } from '../../domain/model/message.js';
import type { ToolCallBlock } from '../../domain/model/content.js';

/** How a call of the script ended. `denied` and `cancelled` calls did not run to their end. */
type Outcome = 'ok' | 'failed' | 'denied' | 'cancelled';

/** A call that the script made and the answer it got. */
export interface PastCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly outcome: Outcome;
  readonly text: string;
  /** Whether the person has said nothing since. */
  readonly current: boolean;
}

const DENIED = /^((this|the) call was )?(permission denied\.|(the (user|person) )?(denied|declined|refused|rejected)\b)/i;
const CANCELLED = /^((this|the) call was )?(cancel+ed|interrupted|aborted|stopped|not (executed|run))\b|\[stopped on request[^\n]*\]\s*$/i;

/** The answered calls of a stretch of conversation, in order of the answers. Calls without an answer are left out. */
export function pastCalls(history: readonly Message[]): readonly PastCall[] {
  const lastUser = history.findLastIndex((message) => message.role === 'user');
  const calls = new Map<string, ToolCallBlock>();
  return history.flatMap((message, index): readonly PastCall[] => {
    if (message.role === 'assistant') for (const call of toolCalls(message)) calls.set(call.id, call);
    if (message.role !== 'tool_result') return [];
    const call = calls.get(message.toolCallId);
    return call === undefined ? [] : [pastCall(call, message, index > lastUser)];
  });
}

function pastCall(call: ToolCallBlock, result: ToolResultMessage, current: boolean): PastCall {
  const text = textContent(result);
  return { name: call.name, args: parseArgs(call.arguments), outcome: outcomeOf(text, result.isError), text, current };
}

/** What kind of answer it is, judged by its words, since a result carries nothing but content and the error flag. */
function outcomeOf(text: string, isError: boolean): Outcome {
  if (!isError) return 'ok';
  if (DENIED.test(text)) return 'denied';
  return CANCELLED.test(text) ? 'cancelled' : 'failed';
}

function parseArgs(json: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(json) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // Only a call that was cut off is not JSON, and such a call never ran.
    return {};
  }
}
