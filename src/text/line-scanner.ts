import type { CutLine, LineWindow, LineStretch } from '../domain/workspace/documents.js';
import { decodeWindows1252 } from './encoding.js';

const LF = 0x0a;
const CR = 0x0d;
/** The most bytes of a character. */
const BYTES_PER_CHARACTER = 4;

/** Whether the bytes of a file are single, as in UTF-8 and older encodings, or come in pairs, as in UTF-16. */
export type Units = 'single' | 'utf16le' | 'utf16be';

/**
 * Takes some lines out of the bytes of a file as they come in, and keeps nothing else. Lines end as an editor counts
 * them: with CRLF, LF or CR.
 */
export class LineScanner {
  private readonly lines: CutLine[] = [];
  private readonly kept: Uint8Array;
  private keptBytes = 0;
  private omitted = 0;
  private number = 1;
  private lineHasBegun = false;
  private afterCr = false;
  private characters = 0;
  private full = false;

  constructor(
    private readonly range: LineWindow,
    private readonly units: Units,
  ) {
    this.kept = new Uint8Array(range.lineCharacters * BYTES_PER_CHARACTER);
  }

  /** Number of lines that have ended. */
  get passed(): number {
    return this.number - 1;
  }

  /**
   * Takes the next bytes, in UTF-16 an even number of them.
   * @returns how many were used: fewer than given when the lines are complete.
   */
  add(bytes: Uint8Array): number {
    const width = this.units === 'single' ? 1 : 2;
    let at = 0;
    while (at < bytes.length && !this.full) {
      const end = this.units === 'single' ? endInBytes(bytes, at) : this.endInPairs(bytes, at);
      if (end > at) this.keep(bytes, at, end);
      if (end >= bytes.length) return bytes.length;
      this.endLine(this.unitAt(bytes, end));
      at = end + width;
    }
    return at;
  }

  /** The lines found. @param ended whether all bytes of the file were used. */
  stretch(ended: boolean): LineStretch {
    if (ended && this.lineHasBegun) this.finish();
    return { lines: this.lines, total: ended ? this.passed : undefined };
  }

  private get wanted(): boolean {
    return this.number >= this.range.first && !this.full;
  }

  private keep(bytes: Uint8Array, start: number, end: number): void {
    this.lineHasBegun = true;
    this.afterCr = false;
    if (!this.wanted) return;
    const take = Math.min(end - start, this.kept.length - this.keptBytes);
    this.kept.set(bytes.subarray(start, start + take), this.keptBytes);
    this.keptBytes += take;
    this.omitted += end - start - take;
  }

  private endLine(unit: number): void {
    const secondHalf = unit === LF && this.afterCr;
    this.afterCr = unit === CR;
    if (!secondHalf) this.finish();
  }

  private finish(): void {
    if (this.wanted) this.take();
    this.number += 1;
    this.lineHasBegun = false;
  }

  private take(): void {
    const text = this.decoded(this.kept.subarray(0, this.keptBytes));
    const limit = this.range.lineCharacters;
    const end = text.length > limit && /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
    const rest = text.slice(end);
    const line = { text: text.slice(0, end), omitted: this.omitted + (this.units === 'single' ? Buffer.byteLength(rest) : rest.length * 2) };
    this.characters += line.text.length + 1;
    if (this.characters <= this.range.characters || this.lines.length === 0) this.lines.push(line);
    this.full = this.lines.length >= this.range.lines || this.characters > this.range.characters;
    [this.keptBytes, this.omitted] = [0, 0];
  }

  private decoded(bytes: Uint8Array): string {
    if (this.units !== 'single') return new TextDecoder(this.units === 'utf16le' ? 'utf-16le' : 'utf-16be').decode(bytes);
    try {
      // "stream" leaves out a character that was cut in two at the end.
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: this.omitted > 0 });
    } catch (error) {
      if (error instanceof TypeError) return decodeWindows1252(bytes);
      throw error;
    }
  }

  private endInPairs(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length && this.unitAt(bytes, at) !== LF && this.unitAt(bytes, at) !== CR) at += 2;
    return Math.min(at, bytes.length);
  }

  private unitAt(bytes: Uint8Array, at: number): number {
    if (this.units === 'single') return bytes[at] ?? 0;
    const [low, high] = this.units === 'utf16le' ? [bytes[at], bytes[at + 1]] : [bytes[at + 1], bytes[at]];
    return (low ?? 0) + (high ?? 0) * 256;
  }
}

function endInBytes(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at += 1;
  return at;
}
