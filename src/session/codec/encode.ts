import { type EnvelopeHead, ENVELOPE_VERSION } from './decode.js';
import type { StoredMessage } from './decode-message.js';
import { encodeMessage } from './encode-message.js';
import { quote } from './strings.js';

/** Levels around a message in an envelope. */
const MESSAGE_DEPTH = 2;

/**
 * The bytes of one message of an envelope, to be kept and given to {@link envelopeParts} again and again.
 * They are what Pipe writes, apart from indentation before the first line.
 */
export function encodePiece(stored: StoredMessage): Uint8Array {
  return Buffer.from(encodeMessage(stored, MESSAGE_DEPTH));
}

/**
 * The parts of a v1 file in order, byte for byte what Pipe's own writer makes of the same session (Go's `MarshalIndent` with
 * two spaces, HTML escaping on, no line break at the end). Times are written as given.
 * @param pieces the messages as {@link encodePiece} made them; made only when they are asked for.
 */
export function* envelopeParts(head: EnvelopeHead, pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  yield Buffer.from(`{\n  ${headLines(head).join(',\n  ')},\n  "messages": [`);
  let count = 0;
  for (const piece of pieces) {
    yield Buffer.from(count === 0 ? '\n    ' : ',\n    ');
    yield piece;
    count += 1;
  }
  yield Buffer.from(count === 0 ? ']\n}' : '\n  ]\n}');
}

/** A whole v1 file in one go. */
export function encodeSession(head: EnvelopeHead, messages: readonly StoredMessage[]): Uint8Array {
  return Buffer.concat([...envelopeParts(head, messages.map(encodePiece))]);
}

function headLines(head: EnvelopeHead): readonly string[] {
  return [
    `"version": ${ENVELOPE_VERSION}`,
    `"id": ${quote(head.id)}`,
    `"system_prompt": ${quote(head.systemPrompt)}`,
    `"created_at": ${quote(head.createdAt)}`,
    `"updated_at": ${quote(head.updatedAt)}`,
  ];
}
