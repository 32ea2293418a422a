import type { Timestamp } from '../../domain/model/message.js';
import { bytesOf } from '../../text/pieced-text.js';
import { type StoredMessage, readMessage, readText, readTimestamp } from './decode-message.js';
import { type FieldsRead, EnvelopeReader } from './reader.js';
import { ZERO_TIME } from './time.js';

/** The version of the envelope that is read and written. */
export const ENVELOPE_VERSION = 1;

/** What an envelope says about its session, apart from the messages. */
export interface EnvelopeHead {
  /** The id in the file, whose name may differ. */
  readonly id: string;
  readonly systemPrompt: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** A whole v1 file. */
export interface DecodedSession extends EnvelopeHead {
  readonly messages: readonly StoredMessage[];
}

/**
 * Reads a v1 envelope in steps, one a message, so that a caller can let other work run in between.
 *
 * Read over: unknown keys, missing or null fields (they get Go's zero values), any stop reason, white space at the end.
 * Key names must match exactly, while Go also takes other capitals; Pipe never writes such.
 * Refused: another version than the integer 1, an unknown type of message or block, a value of the wrong kind, a time
 * without zone, token counts that are no whole numbers, broken base64, a byte-order mark, anything after the end.
 * @throws InvalidDataError naming place and problem.
 */
export function* decodeEnvelope(reader: EnvelopeReader): Generator<undefined, DecodedSession> {
  try {
    return yield* readEnvelope(reader);
  } catch (error) {
    throw reader.explain(error);
  }
}

/** {@link decodeEnvelope} of bytes in memory. */
export function* decodeSteps(bytes: Uint8Array): Generator<undefined, DecodedSession> {
  return yield* decodeEnvelope(new EnvelopeReader(bytesOf(bytes)));
}

/** {@link decodeSteps} in one go. */
export function decodeSession(bytes: Uint8Array): DecodedSession {
  const steps = decodeSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The fields of the head, in an envelope and in a journal. */
export const HEAD_FIELDS = { id: readText, system_prompt: readText, created_at: readTimestamp, updated_at: readTimestamp } as const;

/** The head of which fields were read; what is missing has Go's zero value. */
export function headOf(fields: FieldsRead<typeof HEAD_FIELDS>): EnvelopeHead {
  const { id = '', system_prompt: systemPrompt = '', created_at: createdAt = ZERO_TIME, updated_at: updatedAt = ZERO_TIME } = fields;
  return { id, systemPrompt, createdAt, updatedAt };
}

const ENVELOPE_FIELDS = { ...HEAD_FIELDS, version: readVersion } as const;

function* readEnvelope(reader: EnvelopeReader): Generator<undefined, DecodedSession> {
  const fields: FieldsRead<typeof ENVELOPE_FIELDS> = {};
  let messages: StoredMessage[] = [];
  for (const key of reader.keysOf('')) {
    if (key === 'messages') messages = yield* readMessages(reader);
    else reader.field(key, ENVELOPE_FIELDS, fields);
  }
  reader.end();
  if (fields.version === undefined) reader.refuse('version', 'is missing');
  return { ...headOf(fields), messages };
}

function* readMessages(reader: EnvelopeReader): Generator<undefined, StoredMessage[]> {
  const messages: StoredMessage[] = [];
  for (const index of reader.itemsOf('messages')) {
    reader.place = `messages[${index}]`;
    messages.push(readMessage(reader));
    reader.place = '';
    yield undefined;
  }
  return messages;
}

function readVersion(reader: EnvelopeReader): number {
  const found = reader.raw();
  if (found !== String(ENVELOPE_VERSION)) {
    reader.refuse('version', `must be the integer ${ENVELOPE_VERSION}, found ${found.slice(0, 40)}; another program or a newer version wrote this file`);
  }
  return ENVELOPE_VERSION;
}
