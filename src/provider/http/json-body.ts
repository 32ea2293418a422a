import { randomUUID } from 'node:crypto';

/** Characters from which on a text is kept in the form in which it is sent, and up to which: pictures would take all the room. */
const KEPT_FROM = 500;
const KEPT_TO = 500_000;
/** The most bytes that are kept, of all conversations together; a model's whole window takes some 4 MB. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** Stands for a text that is sent as it is kept. No text of a conversation can be this one. */
const MARK = randomUUID();

/** Texts in the form in which they are sent, the one used last at the end. */
const kept = new Map<string, Buffer>();
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
  const known = kept.get(text);
  const bytes = known ?? Buffer.from(JSON.stringify(text));
  kept.delete(text);
  kept.set(text, bytes);
  if (known === undefined) makeRoom(bytes.length);
  return bytes;
}

/** Forgets the texts that were not used for the longest time. */
function makeRoom(added: number): void {
  keptBytes += added;
  for (const [text, bytes] of kept) {
    if (keptBytes <= MAX_KEPT_BYTES) return;
    kept.delete(text);
    keptBytes -= bytes.length;
  }
}
