import { randomUUID } from 'node:crypto';
import { type SentForm, SentTexts } from './sent-texts.js';

/** Characters from which on a text is kept in the form in which it is sent, and up to which: pictures would take all the room. */
const KEPT_FROM = 500;
const KEPT_TO = 500_000;

/** Placeholder for a text whose cached JSON is sent. No text of a conversation can equal it. */
const MARK = randomUUID();

/** The texts of all conversations of this window. */
const sentTexts = new SentTexts();

/**
 * Encodes a value as JSON in UTF-8, the body of a request. Each request of a conversation repeats all earlier messages, so
 * the JSON of long texts is cached between requests: encoding it again would be most of the time that a long conversation
 * takes. A `Blob` is sent piece by piece, while bytes would be copied as a whole, several times.
 * @param conversation names the one that the request belongs to; requests of none share one name
 */
export function jsonBody(value: unknown, conversation = ''): Blob {
  const texts: SentForm[] = [];
  const sentForm = sentTexts.begin(conversation, performance.now());
  const rest = JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field !== 'string' || field.length < KEPT_FROM || field.length > KEPT_TO) return field;
    texts.push(sentForm(field));
    return MARK;
  });
  return new Blob(joined(rest.split(`"${MARK}"`).flatMap((part, index) => [Buffer.from(part), ...texts.slice(index, index + 1)])));
}

/** The same pieces with all bytes between two blobs as one. */
function joined(pieces: readonly SentForm[]): SentForm[] {
  const parts: SentForm[] = [];
  let bytes: Buffer<ArrayBuffer>[] = [];
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) {
      bytes.push(piece);
      continue;
    }
    parts.push(Buffer.concat(bytes), piece);
    bytes = [];
  }
  return [...parts, Buffer.concat(bytes)];
}
