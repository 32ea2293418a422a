import { InvalidDataError } from '../../domain/errors.js';
import type { Timestamp } from '../../domain/model/message.js';
import type { EnvelopeHead } from '../codec/decode.js';
import type { StoredMessage } from '../codec/decode-message.js';
import { readMessage, readTimestamp } from '../codec/decode-message.js';
import { encodeMessage, objectText } from '../codec/encode-message.js';
import { quote } from '../codec/quote.js';
import { EnvelopeReader } from '../codec/reader.js';
import { ZERO_TIME } from '../codec/time.js';
import { redactedBlocks, redactBlocks } from './redaction.js';

/**
 * One line of a journal, a JSON object:
 *
 * - start: `{"journal":1,"base":N,"session":{…}}`. The lines after it come on top of an envelope with `base` messages;
 *   `session` (id, system_prompt, created_at) is there while no envelope is.
 * - message: `{"index":N,"updated_at":…,"message":{…},"redacted":[…]}`, a message of the v1 envelope, whole; `redacted`
 *   (left out when empty) names the blocks whose thinking is redacted, for v1 cannot say so.
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
  return objectText([['journal', '1'], ['base', String(base)], ['session', head]], undefined);
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
    ],
    undefined,
  );
}

interface WireLine {
  journal: number | undefined;
  base: number | undefined;
  session: EnvelopeHead | undefined;
  index: number | undefined;
  partial: boolean | undefined;
  updatedAt: Timestamp;
  stored: StoredMessage | undefined;
  redacted: readonly number[];
}

/** Reads a line without its line break. @throws InvalidDataError when it is none. */
export function decodeLine(text: string): JournalLine {
  const reader = new EnvelopeReader(text);
  try {
    const wire = readWire(reader);
    reader.end();
    return toLine(reader, wire);
  } catch (error) {
    throw reader.explain(error);
  }
}

function readWire(reader: EnvelopeReader): WireLine {
  const wire: WireLine = {
    journal: undefined,
    base: undefined,
    session: undefined,
    index: undefined,
    partial: undefined,
    updatedAt: ZERO_TIME,
    stored: undefined,
    redacted: [],
  };
  reader.object('', (key) => readField(reader, wire, key));
  return wire;
}

function readField(reader: EnvelopeReader, wire: WireLine, key: string): void {
  switch (key) {
    case 'journal':
    case 'base':
    case 'index':
      wire[key] = reader.integer(key);
      return;
    case 'partial':
      wire.partial = reader.boolean(key);
      return;
    case 'updated_at':
      wire.updatedAt = readTimestamp(reader, key);
      return;
    case 'session':
      wire.session = readSession(reader);
      return;
    case 'message':
      wire.stored = readMessage(reader);
      return;
    default:
      if (key === 'redacted') wire.redacted = readIndexes(reader);
      else reader.raw();
  }
}

function readSession(reader: EnvelopeReader): EnvelopeHead {
  const head = { id: '', systemPrompt: '', createdAt: ZERO_TIME, updatedAt: ZERO_TIME };
  reader.object('session', (key) => {
    if (key === 'id') head.id = reader.string(key) ?? '';
    else if (key === 'system_prompt') head.systemPrompt = reader.string(key) ?? '';
    else if (key === 'created_at') head.createdAt = readTimestamp(reader, key);
    else reader.raw();
  });
  return head;
}

function readIndexes(reader: EnvelopeReader): readonly number[] {
  const indexes: number[] = [];
  for (let more = reader.firstItem('redacted'); more; more = reader.nextItem()) indexes.push(reader.integer('redacted') ?? -1);
  return indexes;
}

function toLine(reader: EnvelopeReader, wire: WireLine): JournalLine {
  if (wire.journal !== undefined) {
    if (wire.journal !== 1) reader.refuse('journal', `must be 1, found ${wire.journal}`);
    const base = Math.max(0, wire.base ?? 0);
    return wire.session === undefined ? { kind: 'start', base } : { kind: 'start', base, session: wire.session };
  }
  const { index, stored, updatedAt } = wire;
  if (index === undefined || index < 0 || stored === undefined) throw new InvalidDataError('', 'it is no line of a journal');
  const message = redactBlocks(stored.message, wire.redacted);
  return { kind: wire.partial === true ? 'partial' : 'message', index, updatedAt, stored: { ...stored, message } };
}
