import { randomUUID } from 'node:crypto';

/** Characters from which on a text is kept in the form in which it is sent, and up to which: pictures would take all the room. */
const KEPT_FROM = 500;
const KEPT_TO = 500_000;
/** The most bytes that are kept, of all conversations together; a model's whole window takes some 4 MB. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** Characters of a text that its key is made of, and how many more of its end, where texts that grow differ. */
const KEY_CHARACTERS = 48;
const KEY_END = 16;

/** Bytes from which on a kept text is a part of the body on its own, which is not copied; each part costs some time to send. */
const OWN_PART_FROM = 64 * 1024;

/** Placeholder for a text whose cached JSON is sent. No text of a conversation can equal it. */
const MARK = randomUUID();

/** A text, and its form in a request. */
interface Sent {
  readonly text: string;
  readonly form: Buffer<ArrayBuffer> | Blob;
  readonly size: number;
}

/** Texts in the form in which they are sent, by {@link keyOf}, the one used last at the end. */
const kept = new Map<string, Sent>();
let keptBytes = 0;

/**
 * Encodes a value as JSON in UTF-8, the body of a request. Each request of a conversation repeats all earlier messages, so
 * the JSON of long texts is cached between requests: encoding it again would be most of the time that a long conversation
 * takes. A `Blob` is sent piece by piece, while bytes would be copied as a whole, several times.
 */
export function jsonBody(value: unknown): Blob {
  const texts: (Buffer<ArrayBuffer> | Blob)[] = [];
  const rest = JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field !== 'string' || field.length < KEPT_FROM || field.length > KEPT_TO) return field;
    texts.push(sentForm(field));
    return MARK;
  });
  return new Blob(joined(rest.split(`"${MARK}"`).flatMap((part, index) => [Buffer.from(part), ...texts.slice(index, index + 1)])));
}

/** The same pieces with all bytes between two blobs as one. */
function joined(pieces: readonly (Buffer<ArrayBuffer> | Blob)[]): (Buffer<ArrayBuffer> | Blob)[] {
  const parts: (Buffer<ArrayBuffer> | Blob)[] = [];
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

function sentForm(text: string): Buffer<ArrayBuffer> | Blob {
  const [key, known] = find(text);
  const sent = known ?? newForm(text);
  kept.delete(key);
  kept.set(key, sent);
  if (known === undefined) makeRoom(sent.size);
  return sent.form;
}

function newForm(text: string): Sent {
  const bytes = Buffer.from(JSON.stringify(text));
  return { text, form: bytes.length < OWN_PART_FROM ? bytes : new Blob([bytes]), size: bytes.length };
}

/** Where a text is kept, or would be: of texts that look alike each has a number. */
function find(text: string): readonly [key: string, known: Sent | undefined] {
  const looks = keyOf(text);
  for (let number = 0; ; number += 1) {
    const key = `${looks}${number}`;
    const known = kept.get(key);
    if (known === undefined || known.text === text) return [key, known];
  }
}

/**
 * What is looked up instead of the text itself: V8 hashes a string of more than 16,383 characters by its length alone, so
 * that looking up one of many versions of a file would compare it with all others.
 */
function keyOf(text: string): string {
  let key = `${text.length} ${text.slice(-KEY_END)}`;
  for (let sample = 0; sample < KEY_CHARACTERS; sample += 1) key += text.charAt(Math.floor((sample * text.length) / KEY_CHARACTERS));
  return key;
}

/** Forgets the texts that were not used for the longest time. */
function makeRoom(added: number): void {
  keptBytes += added;
  for (const [key, { size }] of kept) {
    if (keptBytes <= MAX_KEPT_BYTES) return;
    kept.delete(key);
    keptBytes -= size;
  }
}
