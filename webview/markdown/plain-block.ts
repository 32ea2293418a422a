import type { Piece } from './pieces.js';

/** Boundary that a block can follow: a line at the margin that starts with neither a list entry nor a quote nor a table. */
const END = /\n[ \t]*\n+(?=[^\s>|*+\-\d])/;
/** End of a text that can be the start of an {@link END}. */
const MAYBE_END = /\n[ \t\n]*$/;

/** A block of any kind that is too big to parse, shown as it is written. */
export class PlainBlock {
  /** Takes text. See the method of the same name of a fence. */
  take(text: string, final: boolean): { readonly pieces: readonly Piece[]; readonly rest: string; readonly closed: boolean } {
    const end = END.exec(text);
    if (end !== null) return this.result(text.slice(0, end.index), text.slice(end.index + end[0].length), true);
    const held = final ? null : MAYBE_END.exec(text);
    const length = held === null ? text.length : held.index;
    return this.result(text.slice(0, length), text.slice(length), final);
  }

  private result(text: string, rest: string, closed: boolean): ReturnType<PlainBlock['take']> {
    const pieces: Piece[] = text === '' ? [] : [{ type: 'plain_text', text }];
    return { pieces: closed ? [...pieces, { type: 'plain_close' }] : pieces, rest, closed };
  }
}
