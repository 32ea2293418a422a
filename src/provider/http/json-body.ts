import { randomUUID } from 'node:crypto';

/** Characters from which on a text is kept in the form in which it is sent, and up to which: images would take all the room. */
const KEPT_FROM = 500;
const KEPT_TO = 500_000;

/** Placeholder for a text whose cached JSON is sent. No text of a conversation can equal it. */
const MARK = randomUUID();

/** Characters of a text that its key is made of, and how many more of its end, where texts that grow differ. */
const KEY_CHARACTERS = 48;
const KEY_END = 16;

/** JSON in UTF-8, the form in which texts and bodies are sent. */
export type SentForm = Buffer<ArrayBuffer>;

/** A text, and its form in a request. */
interface Sent {
  readonly text: string;
  readonly form: SentForm;
}

/** How many bytes are kept, and for how long. */
interface KeptLimits {
  /** Of one conversation; a model’s whole window takes some 4 MB. The texts that were used longest ago go first. */
  readonly ofConversation: number;
  /** Of all conversations together. Those that sent nothing for the longest time go first, as a whole. */
  readonly ofAll: number;
  /** Milliseconds after its last request from which on a conversation is not kept any more. */
  readonly idleMs: number;
}

const LIMITS: KeptLimits = { ofConversation: 16 * 1024 * 1024, ofAll: 64 * 1024 * 1024, idleMs: 15 * 60_000 };

/**
 * Texts in the form in which they are sent, by conversation: many that are at work side by side do not take one another's room,
 * and what is kept grows with them up to a bound.
 */
export class SentTexts {
  /** By name, the one used last at the end. */
  private readonly conversations = new Map<string, Conversation>();

  constructor(private readonly limits: KeptLimits = LIMITS) {}

  /** Bytes of all that is kept. */
  get bytes(): number {
    return [...this.conversations.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Begins a request of a conversation. Returns what gives its texts in the form in which they are sent. @param now in milliseconds */
  begin(name: string, now: number): (text: string) => SentForm {
    const conversation = this.conversations.get(name) ?? new Conversation(this.limits.ofConversation);
    conversation.usedAt = now;
    this.conversations.delete(name);
    this.conversations.set(name, conversation);
    for (const [each, { usedAt }] of this.conversations) if (now - usedAt > this.limits.idleMs) this.conversations.delete(each);
    return (text) => {
      const form = conversation.formOf(text);
      this.makeRoom(conversation);
      return form;
    };
  }

  private makeRoom(current: Conversation): void {
    let { bytes } = this;
    for (const [name, conversation] of this.conversations) {
      if (bytes <= this.limits.ofAll || conversation === current) return;
      this.conversations.delete(name);
      bytes -= conversation.bytes;
    }
  }
}

/** The texts of one conversation. */
class Conversation {
  bytes = 0;
  usedAt = 0;
  /** By {@link keyOf}, the one used last at the end. */
  private readonly kept = new Map<string, Sent>();

  constructor(private readonly most: number) {}

  formOf(text: string): SentForm {
    const [key, known] = this.find(text);
    const sent = known ?? { text, form: Buffer.from(JSON.stringify(text)) };
    this.kept.delete(key);
    this.kept.set(key, sent);
    if (known === undefined) this.makeRoom(sent.form.length);
    return sent.form;
  }

  /** Where a text is kept, or would be: of texts that look alike each has a number. */
  private find(text: string): readonly [key: string, known: Sent | undefined] {
    const looks = keyOf(text);
    for (let number = 0; ; number += 1) {
      const key = `${looks}${number}`;
      const known = this.kept.get(key);
      if (known === undefined || known.text === text) return [key, known];
    }
  }

  private makeRoom(added: number): void {
    this.bytes += added;
    for (const [key, { form }] of this.kept) {
      if (this.bytes <= this.most) return;
      this.kept.delete(key);
      this.bytes -= form.length;
    }
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

/** The texts of all conversations of this window. */
const sentTexts = new SentTexts();

/**
 * Encodes a value as JSON in UTF-8, the body of a request. Each request of a conversation repeats all earlier messages, so
 * the JSON of long texts is cached between requests: encoding it again would be most of the time that a long conversation
 * takes. The platform's `fetch` copies bytes fewer times than a `Blob`, and sends them in one piece.
 * @param conversation names the one that the request belongs to; requests of none share one name
 */
export function jsonBody(value: unknown, conversation = ''): SentForm {
  const texts: SentForm[] = [];
  const sentForm = sentTexts.begin(conversation, performance.now());
  const rest = JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field !== 'string' || field.length < KEPT_FROM || field.length > KEPT_TO) return field;
    texts.push(sentForm(field));
    return MARK;
  });
  return Buffer.concat(rest.split(`"${MARK}"`).flatMap((part, index) => [Buffer.from(part), ...texts.slice(index, index + 1)]));
}
