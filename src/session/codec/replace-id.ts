import { quote } from './quote.js';
import { JsonScanner } from './scanner.js';

/**
 * A v1 file with another id and otherwise the same bytes. A file without id stays as it is.
 * @param bytes a file that was read without error.
 */
export function replaceId(bytes: Uint8Array, id: string): Uint8Array {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // As Latin-1 each byte is a character, so that offsets hold for the bytes and nothing is decoded that stays.
  const scanner = new JsonScanner(source.toString('latin1'));
  const parts: Uint8Array[] = [];
  let kept = 0;
  for (let key = scanner.firstKey(); key !== undefined; key = scanner.nextKey()) {
    let [start, end] = [Infinity, 0];
    scanner.skip((from, to) => {
      start = Math.min(start, from);
      end = to;
    });
    if (key !== 'id') continue;
    parts.push(source.subarray(kept, start), Buffer.from(quote(id)));
    kept = end;
  }
  return Buffer.concat([...parts, source.subarray(kept)]);
}
