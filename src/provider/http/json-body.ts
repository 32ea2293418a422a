import { randomUUID } from 'node:crypto';

/** Characters from which on a text is kept in the form in which it is sent, and up to which: pictures would take all the room. */
const KEPT_FROM = 500;
const KEPT_TO = 500_000;
/** The most bytes that are kept, of all conversations together; a model's whole window takes some 4 MB. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** Characters of a text that its key is made of, and how many more of its end, where texts that grow differ. */
const KEY_CHARACTERS = 48;
const KEY_END = 16;

/** Stands for a text that is sent as it is kept. No text of a conversation can be this one. */
const MARK = randomUUID();

/** A text, and its form in a request. */
interface Sent {
  readonly text: string;
  readonly bytes: Buffer;
}

/** Texts in the form in which they are sent, by {@link keyOf}, the one used last at the end. */
const kept = new Map<string, Sent>();
let keptBytes = 0;

/**
 * A value as JSON in UTF-8, the body of a request. Each request of a conversation holds all of what was said before, so
 * the form of long texts is kept from one to the next: writing them anew is most of the time that a long conversation takes.
 */
export function jsonBytes(value: unknown): Uint8Array<ArrayBuffer> {
  const texts: Buffer[] = [];
  const rest = JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field !== 'string' || field.length < KEPT_FROM || field.length > KEPT_TO) return field;
    texts.push(sentForm(field));
    return MARK;
  });
  const parts = rest.split(`"${MARK}"`).flatMap((part, index) => [Buffer.from(part), ...texts.slice(index, index + 1)]);
  return Buffer.concat(parts);
}

function sentForm(text: string): Buffer {
  const [key, known] = find(text);
  const sent = known ?? { text, bytes: Buffer.from(JSON.stringify(text)) };
  kept.delete(key);
  kept.set(key, sent);
  if (known === undefined) makeRoom(sent.bytes.length);
  return sent.bytes;
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
  for (const [key, { bytes }] of kept) {
    if (keptBytes <= MAX_KEPT_BYTES) return;
    kept.delete(key);
    keptBytes -= bytes.length;
  }
}
