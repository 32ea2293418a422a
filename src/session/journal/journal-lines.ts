import { InvalidDataError } from '../../domain/errors.js';
import type { AssistantContent, ContentBlock, ThinkingBlock } from '../../domain/model/content.js';
import type { Message, Timestamp } from '../../domain/model/message.js';
import { bytesOf } from '../../text/pieced-text.js';
import { type EnvelopeHead, HEAD_FIELDS, headOf, readMessage, readTimestamp, type StoredMessage } from '../codec/decode.js';
import { encodeMessage, objectText } from '../codec/encode.js';
import { isStoredOutcome, readOutcome, storedOutcome } from '../codec/outcomes.js';
import { quote } from '../codec/strings.js';
import { EnvelopeReader, type FieldsRead } from '../codec/reader.js';
import { ZERO_TIME } from '../codec/time.js';

/**
 * One line of a journal, a JSON object:
 *
 * - start: `{"journal":1,"base":N,"session":{…}}`. The lines after it come on top of an envelope with `base` messages;
 *   `session` (id, system_prompt, created_at) is there while no envelope is.
 * - message: `{"index":N,"updated_at":…,"message":{…},"redacted":[…]}`, a message of the v1 envelope, whole; `redacted`
 *   (left out when empty) names the blocks whose thinking is redacted, for v1 cannot say so.
 *   The line of a result also has `outcome` (src/session/codec/outcomes.ts), which v1 has no place for.
 * - partial: the same with `"partial":true`: an answer that is still coming. A later line with the same index replaces it.
 */
export type JournalLine =
  | { readonly kind: 'start'; readonly base: number; readonly session?: EnvelopeHead }
  | ({ readonly kind: 'message' | 'partial' } & JournalMessage);

/** A message in a journal. */
export interface JournalMessage {
  /** Its place in the conversation, from 0. */
  readonly index: number;
  readonly updatedAt: Timestamp;
  readonly stored: StoredMessage;
}

/** The text of a line, line break included. */
export function encodeLine(line: JournalLine): string {
  return `${line.kind === 'start' ? startText(line.base, line.session) : messageText(line)}\n`;
}

function startText(base: number, session: EnvelopeHead | undefined): string {
  const head =
    session &&
    objectText(
      [
        ['id', quote(session.id)],
        ['system_prompt', quote(session.systemPrompt)],
        ['created_at', quote(session.createdAt)],
      ],
      undefined,
    );
  return objectText(
    [
      ['journal', '1'],
      ['base', String(base)],
      ['session', head],
    ],
    undefined,
  );
}

/** The positions of the blocks of a message whose thinking is redacted. */
export function redactedBlocks(message: Message): readonly number[] {
  return message.content.flatMap((block, position) => (block.type === 'thinking' && block.redacted === true ? [position] : []));
}

/** The message with the thinking at some positions marked as redacted, as it was before v1 dropped the mark. */
export function redactBlocks(message: Message, positions: readonly number[]): Message {
  if (message.role !== 'assistant' || positions.length === 0) return message;
  const mark = (block: AssistantContent, position: number): AssistantContent =>
    isOpaque(block) && positions.includes(position) ? { ...block, redacted: true } : block;
  return { ...message, content: message.content.map(mark) };
}

/** Whether a message may contain redacted thinking: in v1 that is thinking without text but with a signature. */
export function mayHoldRedacted(message: Message): boolean {
  return message.content.some(isOpaque);
}

function isOpaque<B extends ContentBlock>(block: B): block is B & ThinkingBlock {
  return block.type === 'thinking' && block.thinking === '' && block.signature !== undefined;
}

/**
 * The message as it may be used when it is not known which thinking is redacted: a signature without text becomes a redacted
 * block without payload, which no provider can send. The file keeps its bytes.
 */
export function withholdRedacted(message: Message): Message {
  if (message.role !== 'assistant' || !mayHoldRedacted(message)) return message;
  const withhold = (block: AssistantContent): AssistantContent => (isOpaque(block) ? { type: 'thinking', thinking: '', redacted: true } : block);
  return { ...message, content: message.content.map(withhold) };
}

function messageText(line: JournalMessage & { readonly kind: 'message' | 'partial' }): string {
  const redacted = redactedBlocks(line.stored.message);
  return objectText(
    [
      ['index', String(line.index)],
      ['partial', line.kind === 'partial' ? 'true' : undefined],
      ['updated_at', quote(line.updatedAt)],
      ['message', encodeMessage(line.stored, undefined)],
      ['redacted', redacted.length === 0 ? undefined : JSON.stringify(redacted)],
      ['outcome', outcomeText(line.stored.message)],
    ],
    undefined,
  );
}

function outcomeText(message: Message): string | undefined {
  if (message.role !== 'tool_result' || message.outcome === undefined) return undefined;
  return JSON.stringify(storedOutcome(message.toolCallId, message.outcome));
}

const LINE_FIELDS = {
  journal: readInteger,
  base: readInteger,
  session: (reader: EnvelopeReader, name: string) => headOf(reader.record(name, HEAD_FIELDS)),
  index: readInteger,
  partial: (reader: EnvelopeReader, name: string) => reader.boolean(name),
  updated_at: readTimestamp,
  message: readMessage,
  outcome: (reader: EnvelopeReader) => JSON.parse(reader.raw()) as unknown,
  redacted: (reader: EnvelopeReader, name: string) => Array.from(reader.itemsOf(name), () => reader.integer(name) ?? -1),
} as const;

function readInteger(reader: EnvelopeReader, name: string): number | undefined {
  return reader.integer(name);
}

/** Parses a line without its line break. @throws InvalidDataError when it is invalid. */
export function decodeLine(bytes: Uint8Array): JournalLine {
  const reader = new EnvelopeReader(bytesOf(bytes));
  try {
    const line = reader.record('', LINE_FIELDS);
    reader.end();
    return toLine(reader, line);
  } catch (error) {
    throw reader.explain(error);
  }
}

function toLine(reader: EnvelopeReader, line: FieldsRead<typeof LINE_FIELDS>): JournalLine {
  const { journal, session, index, message: stored, updated_at: updatedAt = ZERO_TIME } = line;
  if (journal !== undefined) {
    if (journal !== 1) reader.refuse('journal', `must be 1, found ${journal}`);
    const base = Math.max(0, line.base ?? 0);
    return session === undefined ? { kind: 'start', base } : { kind: 'start', base, session };
  }
  if (index === undefined || index < 0 || stored === undefined) throw new InvalidDataError('', 'it is no line of a journal');
  const message = withOutcome(redactBlocks(stored.message, line.redacted ?? []), line.outcome);
  return { kind: line.partial === true ? 'partial' : 'message', index, updatedAt, stored: { ...stored, message } };
}

function withOutcome(message: Message, stored: unknown): Message {
  if (message.role !== 'tool_result' || !isStoredOutcome(stored)) return message;
  const outcome = readOutcome(stored, message.toolCallId);
  return outcome === undefined ? message : { ...message, outcome };
}
