import { type ToolCallBlock, text } from '../../domain/model/content.js';
import { errorMessage } from '../../domain/errors.js';
import type { Timestamp, ToolResultMessage } from '../../domain/model/message.js';
import type { ToolResult } from '../../domain/tool/tool.js';
import { validateMessage } from '../../domain/model/validate.js';

/** A result that tells the model what went wrong. */
export function failure(message: string): ToolResult {
  return { content: [text(message)], isError: true };
}

/** The result that the model gets for a call that was interrupted before it had one. */
export const INTERRUPTED = 'Interrupted before it finished; not run again.';

/** What a call that was running or waiting gets when the user stops the turn. */
export const CANCELLED: ToolResult = failure('Cancelled by the user.');

/** The message that answers a call. A result that breaks the rules of messages becomes an error result. */
export function resultMessage(call: ToolCallBlock, result: ToolResult, timestamp: Timestamp): ToolResultMessage {
  const base = { role: 'tool_result' as const, toolCallId: call.id, toolName: call.name, timestamp };
  const content = result.content.length === 0 ? [text('(no output)')] : result.content;
  const message: ToolResultMessage = { ...base, content, isError: result.isError };
  try {
    validateMessage(message);
    return message;
  } catch (error) {
    return { ...base, ...failure(`The tool returned something that cannot be used: ${errorMessage(error)}.`) };
  }
}

/** What the model is told of a deletion that was not made because the content would be gone for good. @param subject the file */
export function notKept(subject: string): string {
  return `${subject} could not be kept for undo, as on a full disk; nothing was deleted. Tell the user, and use bash if they want it deleted all the same.`;
}
