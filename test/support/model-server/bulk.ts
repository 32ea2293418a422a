import { sseFrame } from './sse.js';

/** Bytes handed to the socket at once. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Encodes one text block of `count` deltas once, in pieces that a socket takes whole, so that sending costs nothing.
 * @param textOf the text of a delta by its number.
 */
export function encodeBulk(index: number, count: number, textOf: (n: number) => string): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let pending = sseFrame({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
  for (let n = 0; n < count; n += 1) {
    pending += sseFrame({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: textOf(n) } });
    if (pending.length < CHUNK_BYTES) continue;
    pieces.push(Buffer.from(pending));
    pending = '';
  }
  pieces.push(Buffer.from(pending + sseFrame({ type: 'content_block_stop', index })));
  return pieces;
}

/** Text of a delta of exactly 12 characters, different for each number up to 99,999: `word 00042. `. */
export function twelveCharacters(n: number): string {
  return `word ${String(n).padStart(5, '0')}. `;
}
