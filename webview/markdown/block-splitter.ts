import type { Token } from 'marked';
import { Fence } from './fence.js';
import { lexBlocks } from './lexer.js';
import type { BlockSource, Piece } from './pieces.js';
import { PlainBlock } from './plain-block.js';
import { sliceBlock } from './slice.js';

/** Characters from which on an open block is cut where that is possible. */
const SLICE_LENGTH = 4_096;
/** The same for lists, which may have an entry in every few characters, and for tables, whose cells cost still more to lay out. */
const SLICE_LENGTHS: Readonly<Record<string, number>> = { list: 2_048, table: 1_024 };
/** Characters from which on an open block that cannot be cut is given out as plain text. */
const PLAIN_LENGTH = 16_384;

const LINE_END = /\r\n?/g;
const BLANK_LINES = /^(?:[ \t]*\n)+/;

/**
 * Splits a growing text of Markdown into blocks, each given out once.
 *
 * A block is finished when the next one has begun on a complete line; only the open block at the end is looked at
 * again. The work for a text is linear in its length and, for a call, bounded by the length of what is added.
 */
export class BlockSplitter {
  private tail = '';
  private carry = '';
  private inner: Fence | PlainBlock | undefined;
  private continued = false;
  private start: number | undefined;
  private ended = false;

  /** The source of the open block, with the line that is not complete; empty inside of code and plain text. */
  get open(): BlockSource {
    const source = this.inner === undefined ? this.tail : '';
    return { source, continued: this.continued, ...(this.start === undefined ? {} : { start: this.start }) };
  }

  /** Takes more text, best in portions of a few thousand characters. */
  push(text: string): readonly Piece[] {
    const all = this.carry + text;
    this.carry = all.endsWith('\r') ? '\r' : '';
    this.tail += all.slice(0, all.length - this.carry.length).replace(LINE_END, '\n');
    return this.advance(false);
  }

  /** Says that the text is complete. */
  finish(): readonly Piece[] {
    if (this.ended) return [];
    this.ended = true;
    this.tail += this.carry.replace(LINE_END, '\n');
    return this.advance(true);
  }

  private advance(final: boolean): readonly Piece[] {
    const pieces: Piece[] = [];
    for (;;) {
      if (this.inner === undefined) this.giveOutBlocks(pieces, final);
      if (this.inner === undefined) return pieces;
      const taken = this.inner.take(this.tail, final);
      pieces.push(...taken.pieces);
      this.tail = taken.rest;
      if (!taken.closed) return pieces;
      this.inner = undefined;
      if (this.tail === '') return pieces;
    }
  }

  /** Gives out every finished block, up to an open fence. */
  private giveOutBlocks(pieces: Piece[], final: boolean): void {
    this.dropBlankLines();
    const tokens = this.lex(final);
    const last = tokens.findLastIndex((token) => token.type !== 'space');
    for (const [index, token] of tokens.entries()) {
      if (this.enterFence(token, pieces)) return;
      if (!final && index === last) return this.shorten(token, pieces);
      if (token.type !== 'space') this.giveOut(token.raw, pieces);
      this.tail = this.tail.slice(token.raw.length);
    }
  }

  /** The blocks of the complete lines. A line too long to wait for its end is looked at as it is. */
  private lex(final: boolean): readonly Token[] {
    const complete = this.tail.lastIndexOf('\n') + 1;
    const whole = final || (complete === 0 && this.tail.length > SLICE_LENGTH);
    return lexBlocks(whole ? this.tail : this.tail.slice(0, complete));
  }

  private enterFence(token: Token, pieces: Piece[]): boolean {
    const fence = token.type === 'code' ? Fence.at(this.tail) : undefined;
    if (fence === undefined) return false;
    this.reset();
    this.inner = fence;
    this.tail = this.tail.slice(fence.openerLength);
    const { language, info } = fence;
    pieces.push({ type: 'code_open', language, ...(info === '' ? {} : { info }) });
    return true;
  }

  private giveOut(source: string, pieces: Piece[]): void {
    pieces.push({ type: 'block', ...this.open, source });
    this.reset();
  }

  private reset(): void {
    this.continued = false;
    this.start = undefined;
  }

  /** Keeps the open block short. */
  private shorten(token: Token, pieces: Piece[]): void {
    if (this.tail.length <= (SLICE_LENGTHS[token.type] ?? SLICE_LENGTH)) return;
    const slice = sliceBlock(token, this.tail, { continued: this.continued, start: this.start });
    if (slice !== undefined) {
      pieces.push({ type: 'block', ...slice.done });
      this.tail = slice.rest;
      this.start = slice.start;
      this.continued = true;
    } else if (this.tail.length > PLAIN_LENGTH) {
      this.reset();
      this.inner = new PlainBlock();
      pieces.push({ type: 'plain_open' });
    }
  }

  private dropBlankLines(): void {
    if (this.continued) return;
    this.tail = this.tail.replace(BLANK_LINES, '');
  }
}
