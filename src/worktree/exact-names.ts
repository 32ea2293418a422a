/// <reference lib="es2024.string" />
import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';

/** What stands for a byte that is no part of UTF-8: the half of a surrogate pair, as PEP 383 has it. No text that is in UTF-8 has one alone. */
const STANDS_FOR = 0xdc00;
const STAND_IN = /([\udc80-\udcff])/u;
/** The most bytes of a character in UTF-8. */
const LONGEST = 4;

/**
 * The parts of an answer of Git that ends each with a NUL, without loss: names of files need not be in UTF-8 on every system. {@link bytesOf} gives the bytes
 * of such a part back, and {@link shownName} what others can read.
 */
export function exactParts(output: Buffer): readonly string[] {
  if (isUtf8(output))
    return output
      .toString('utf8')
      .split('\0')
      .filter((part) => part !== '');
  const parts: string[] = [];
  for (let at = 0; at < output.length;) {
    const next = output.indexOf(0, at);
    const end = next === -1 ? output.length : next;
    if (end > at) parts.push(exactName(output.subarray(at, end)));
    at = end + 1;
  }
  return parts;
}

function exactName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let name = '';
  for (let at = 0; at < bytes.length;) {
    let length = 1;
    while (length <= LONGEST && !isUtf8(bytes.subarray(at, at + length))) length += 1;
    const isCharacter = length <= LONGEST && at + length <= bytes.length;
    name += isCharacter ? bytes.toString('utf8', at, at + length) : String.fromCharCode(STANDS_FOR + (bytes[at] ?? 0));
    at += isCharacter ? length : 1;
  }
  return name;
}

/** The bytes of a name. */
export function bytesOf(name: string): Buffer {
  if (isPlain(name)) return Buffer.from(name, 'utf8');
  return Buffer.concat(name.split(STAND_IN).map((part) => (STAND_IN.test(part) ? Buffer.from([part.charCodeAt(0) - STANDS_FOR]) : Buffer.from(part, 'utf8'))));
}

/** Whether a name is in UTF-8, so that it is the same everywhere. */
export function isPlain(name: string): boolean {
  return name.isWellFormed();
}

/** A name that others can read, which need not be that of the file. */
export function shownName(name: string): string {
  return name.toWellFormed();
}

/** Where a path of a working tree is, as the file system takes it. @param path with `/`; empty for the folder */
export function placeIn(folder: string, path: string): string | Buffer {
  return isPlain(path) ? join(folder, path) : Buffer.concat([Buffer.from(`${folder}/`, 'utf8'), bytesOf(path)]);
}
