import { present } from '../../domain/present.js';
import { type ToolCallBlock, text } from '../../domain/model/content.js';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import type { Timestamp, ToolResultMessage } from '../../domain/model/message.js';
import { type ToldOutcome, forModel } from '../../domain/tool/for-model.js';
import { withNotesBefore } from '../../domain/tool/model-notes.js';
import { firstSentence, plainOutcome } from '../../domain/tool/outcome.js';
import type { ToolResult } from '../../domain/tool/tool.js';
import { validateMessage } from '../../domain/model/validate.js';

/** A result that tells the model what went wrong. @param detail as {@link forModel} takes it */
export function failure(outcome: ToldOutcome, detail?: string): ToolResult {
  return { content: [text(forModel(outcome, detail))], isError: true, outcome };
}

/** The result of a call of a tool that failed with an error, expected or not. */
export function thrown(error: unknown, tool: string): ToolResult {
  if (error instanceof ToolInputError) return { content: [text(error.message)], isError: true, outcome: error.outcome };
  const whole = errorMessage(error);
  return failure({ kind: 'crashed', tool, problem: firstSentence(whole) }, whole);
}

/** The result that the model gets for a call that was interrupted before it had one. */
export const INTERRUPTED: ToolResult = failure({ kind: 'interrupted' });

/** Result of a call that was running or waiting when the user stopped the turn. @param left what may still be going on */
export function cancelled(left?: string): ToolResult {
  return withNotesBefore({ content: [], isError: true, outcome: { kind: 'cancelled' } }, failure({ kind: 'cancelled' }, left).content);
}

/** The same for one that has ended. */
export const CANCELLED: ToolResult = cancelled();

/** Partial result of a stopped call, behind a note for the model. */
export function cutShort(result: ToolResult): ToolResult {
  const { outcome, ...told } = withNotesBefore(result, failure({ kind: 'cancelled' }).content);
  const { notes, more } = outcome ?? {};
  const took = outcome !== undefined && 'durationMs' in outcome ? { durationMs: outcome.durationMs } : {};
  return { ...told, outcome: { kind: 'cancelled', ...took, ...present({ notes, more }) } };
}

/** The message that answers a call. A result that breaks the rules of messages becomes an error result. */
export function resultMessage(call: ToolCallBlock, result: ToolResult, timestamp: Timestamp): ToolResultMessage {
  const base = { role: 'tool_result' as const, toolCallId: call.id, toolName: call.name, timestamp };
  const content = result.content.length === 0 ? [text('(no output)')] : result.content;
  const message: ToolResultMessage = { ...base, content, isError: result.isError, outcome: result.outcome ?? plainOutcome(result.isError) };
  try {
    validateMessage(message);
    return message;
  } catch (error) {
    const { content: told, isError, outcome } = failure({ kind: 'unusable', problem: errorMessage(error) });
    return { ...base, content: told, isError, ...present({ outcome }) };
  }
}

/** The result of a deletion that was not made because the content would be gone for good. @param subject the file */
export function notKept(subject: string): ToolResult {
  const why = `${subject} could not be kept for undo, as on a full disk; nothing was deleted.`;
  return thrown(new ToolInputError(`${why} Tell the user, and use bash if they want it deleted all the same.`), '');
}
