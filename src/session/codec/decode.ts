import { InvalidDataError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Timestamp } from '../../domain/model/message.js';
import type { StoredMessage } from './decode-message.js';
import { readMessage, readTimestamp } from './decode-message.js';
import type { TextPieces } from './reader.js';
import { EnvelopeReader } from './reader.js';
import { ZERO_TIME } from './time.js';

/** The version of the envelope that is read and written. */
export const ENVELOPE_VERSION = 1;

/** What an envelope says about its session, apart from the messages. */
export interface EnvelopeHead {
  /** As it stands in the file, which may have another name. */
  readonly id: string;
  readonly systemPrompt: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** A whole v1 file. */
export interface DecodedSession extends EnvelopeHead {
  readonly messages: readonly StoredMessage[];
}

interface WireEnvelope {
  version: number | undefined;
  id: string;
  systemPrompt: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  messages: StoredMessage[];
}

/**
 * Reads a v1 envelope in steps, one a message, so that a caller can let other work run in between.
 *
 * Read over: unknown keys, missing or null fields (they get Go's zero values), any stop reason, white space at the end.
 * Key names must match exactly, while Go also takes other capitals; Pipe never writes such.
 * @param bytes the file.
 * Refused: another version than the integer 1, an unknown type of message or block, a value of the wrong kind, a time
 * without zone, token counts that are no whole numbers, broken base64, a byte-order mark, anything after the end.
 * @throws InvalidDataError naming place and problem.
 */
export function* decodeSteps(bytes: Uint8Array): Generator<undefined, DecodedSession> {
  return yield* decodePieces(toText(bytes));
}

/** {@link decodeSteps} of text, or of text that comes in pieces. */
export function* decodePieces(source: string | TextPieces): Generator<undefined, DecodedSession> {
  const reader = new EnvelopeReader(source);
  try {
    return yield* readEnvelope(reader);
  } catch (error) {
    throw reader.explain(error);
  }
}

/** {@link decodeSteps} in one go. */
export function decodeSession(bytes: Uint8Array): DecodedSession {
  const steps = decodeSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The text of UTF-8 bytes; bytes that are none become U+FFFD, as in Go. */
function toText(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new InvalidDataError('', t('the file is empty'));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new InvalidDataError('', t('the file begins with a byte-order mark'));
  }
  try {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  } catch {
    // Node holds at most about 512 MB in a string.
    throw new InvalidDataError('', t('the file is too large to be read ({0} bytes)', bytes.length));
  }
}

function* readEnvelope(reader: EnvelopeReader): Generator<undefined, DecodedSession> {
  const wire: WireEnvelope = { version: undefined, id: '', systemPrompt: '', createdAt: ZERO_TIME, updatedAt: ZERO_TIME, messages: [] };
  for (const key of reader.keys('')) {
    if (key === 'messages') yield* readMessages(reader, wire);
    else readHeadField(reader, wire, key);
  }
  reader.end();
  if (wire.version === undefined) reader.refuse('version', 'is missing');
  const { id, systemPrompt, createdAt, updatedAt, messages } = wire;
  return { id, systemPrompt, createdAt, updatedAt, messages };
}

function* readMessages(reader: EnvelopeReader, wire: WireEnvelope): Generator<undefined, void> {
  wire.messages = [];
  for (let more = reader.firstItem('messages'); more; more = reader.nextItem()) {
    reader.place = `messages[${wire.messages.length}]`;
    wire.messages.push(readMessage(reader));
    reader.place = '';
    yield undefined;
  }
}

function readHeadField(reader: EnvelopeReader, wire: WireEnvelope, key: string): void {
  switch (key) {
    case 'version':
      wire.version = readVersion(reader);
      return;
    case 'id':
      wire.id = reader.string(key) ?? '';
      return;
    case 'system_prompt':
      wire.systemPrompt = reader.string(key) ?? '';
      return;
    case 'created_at':
      wire.createdAt = readTimestamp(reader, key);
      return;
    case 'updated_at':
      wire.updatedAt = readTimestamp(reader, key);
      return;
    default:
      reader.pass();
  }
}

function readVersion(reader: EnvelopeReader): number {
  const found = reader.raw();
  if (found !== String(ENVELOPE_VERSION)) {
    reader.refuse('version', `must be the integer ${ENVELOPE_VERSION}, found ${found.slice(0, 40)}; another program or a newer version wrote this file`);
  }
  return ENVELOPE_VERSION;
}
