import { present } from '../domain/present.js';
import type { Message, Timestamp } from '../domain/model/message.js';
import type { Session } from '../domain/session/session.js';
import type { SessionMeta } from '../domain/session/session-store.js';
import type { EnvelopeHead, StoredMessage } from './codec/decode.js';
import { encodePiece, envelopeParts } from './codec/encode.js';
import { oldOutcome } from './codec/old-outcomes.js';
import { isStoredOutcome, readOutcome, type StoredOutcome, storedOutcome } from './codec/outcomes.js';
import { laterTime } from './codec/time.js';
import { cleanMessage } from './clean-message.js';
import { encodeLine, mayHoldRedacted, redactBlocks, redactedBlocks, withholdRedacted } from './journal/journal-lines.js';
import type { RecoveredSession } from './journal/recovery.js';
import type { MetaPatch } from './sidecar.js';

/** Bytes of larger messages, which contain images, are encoded each time and not cached. */
const MAX_KEPT = 256 * 1024;

interface Entry {
  /** For the disk. */
  readonly stored: StoredMessage;
  /** For use; apart from marks of redacted thinking the same. */
  readonly message: Message;
  /** Whether it is known which thinking is redacted. */
  readonly known: boolean;
  /** Stored outcome of the call that it answers. Absent where only the result shows it. */
  readonly outcome?: StoredOutcome;
  /** Its bytes in the envelope, once they were needed. */
  piece?: Uint8Array;
}

/** A conversation in memory, in the form of its v1 file. */
export class SessionDocument {
  private readonly entries: Entry[] = [];

  /** @param id names the files; the envelope keeps the id that it came with. */
  constructor(
    readonly id: string,
    public head: EnvelopeHead,
  ) {}

  /** The document of a session that was read. */
  static of(id: string, recovered: RecoveredSession, meta: SessionMeta): SessionDocument {
    const document = new SessionDocument(id, recovered.head);
    const denials = new Map(meta.denials?.map(({ toolCallId, reason }) => [toolCallId, reason]));
    recovered.messages.forEach((stored, index) => {
      const entry = index < recovered.folded ? readEntry(stored, meta.redacted?.[index]) : newEntry(stored);
      document.entries.push(withOutcome(entry, meta.outcomes?.[index], denials));
    });
    return document;
  }

  get length(): number {
    return this.entries.length;
  }

  /** The conversation as it is now. */
  snapshot(): Session {
    const { systemPrompt, createdAt, updatedAt } = this.head;
    return { id: this.id, systemPrompt, createdAt, updatedAt, messages: this.entries.map(({ message }) => message) };
  }

  /** Adds a message. `updatedAt` never goes back, so that the history keeps its order when the clock does. */
  append(message: Message, now: Timestamp): void {
    this.entries.push(newEntry({ message: cleanMessage(message, now) }));
    this.head = { ...this.head, updatedAt: laterTime(this.head.updatedAt, now) };
  }

  /** Some messages as lines of a journal. */
  lines(from: number, to: number): readonly string[] {
    const { updatedAt } = this.head;
    return this.entries.slice(from, to).map(({ stored }, at) => encodeLine({ kind: 'message', index: from + at, updatedAt, stored }));
  }

  /** The v1 file of the conversation as it is now, whatever is added later. */
  envelope(): DocumentEnvelope {
    const { head } = this;
    const entries = [...this.entries];
    return { head, length: entries.length, parts: () => envelopeParts(head, pieces(entries)) };
  }

  /** What the sidecar says of the messages, since v1 has no place for it. */
  besideV1(): MetaPatch {
    return { redacted: this.redacted(), outcomes: this.outcomes() };
  }

  /** Which thinking is redacted; `undefined` when no message has any that could be. */
  private redacted(): SessionMeta['redacted'] {
    const marks = this.entries.flatMap(({ stored, known }, index) =>
      known && mayHoldRedacted(stored.message) ? [[String(index), redactedBlocks(stored.message)] as const] : [],
    );
    return marks.length === 0 ? undefined : Object.fromEntries(marks);
  }

  /** Outcomes of calls; `undefined` when none is known beside the results. */
  private outcomes(): SessionMeta['outcomes'] {
    const known = this.entries.flatMap(({ outcome }, index) => (outcome === undefined ? [] : [[String(index), outcome] as const]));
    return known.length === 0 ? undefined : Object.fromEntries(known);
  }
}

/** The content of a v1 file. */
export interface DocumentEnvelope {
  readonly head: EnvelopeHead;
  /** Number of messages. */
  readonly length: number;
  /** The file in parts. Each message is serialized when its part is asked for. */
  parts(): Generator<Uint8Array, void>;
}

function* pieces(entries: readonly Entry[]): Generator<Uint8Array, void> {
  for (const entry of entries) {
    const piece = entry.piece ?? encodePiece(entry.stored);
    if (piece.length <= MAX_KEPT) entry.piece = piece;
    yield piece;
  }
}

function newEntry(stored: StoredMessage): Entry {
  const { message } = stored;
  const outcome = message.role === 'tool_result' && message.outcome !== undefined ? storedOutcome(message.toolCallId, message.outcome) : undefined;
  return { stored, message, known: true, ...present({ outcome }) };
}

/** The entry with the outcome of the call that it answers: as stored, else derived from the text of an older version. */
function withOutcome(entry: Entry, stored: { readonly call: string } | undefined, denials: ReadonlyMap<string, string>): Entry {
  const { message } = entry;
  if (message.role !== 'tool_result' || message.outcome !== undefined) return entry;
  const ofCall = isStoredOutcome(stored) && stored.call === message.toolCallId ? stored : undefined;
  const outcome = readOutcome(ofCall, message.toolCallId) ?? oldOutcome(message, denials.get(message.toolCallId));
  return { ...entry, message: { ...message, outcome }, ...present({ outcome: ofCall }) };
}

function readEntry(stored: StoredMessage, positions: readonly number[] | undefined): Entry {
  if (!mayHoldRedacted(stored.message)) return newEntry(stored);
  if (positions === undefined) return { stored, message: withholdRedacted(stored.message), known: false };
  const message = redactBlocks(stored.message, positions);
  return newEntry({ ...stored, message });
}
