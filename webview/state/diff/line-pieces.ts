import { formatNumber, t } from '../../../src/protocol/l10n.js';
import type { Token } from '../../markdown/highlight/line-tokenizer.js';
import { visibleParts } from '../approval/visible-text.js';
import type { Stretch } from './changed-words.js';

/** A stretch of a line that is drawn alike. */
export interface Piece extends Token {
  /** Whether it is what a line has in another way than the one it replaces. */
  readonly changed?: true;
  /** Whether it stands for characters that cannot be seen, or for a long run of blanks. */
  readonly escape?: true;
}

/** A longer run of blanks could push what follows it out of sight; its length is written instead. */
const MAX_BLANKS = 40;
const BLANKS = new RegExp(`[ \\t]{${MAX_BLANKS},}`, 'g');

/**
 * Cuts a line into what is drawn alike. Whatever it contains, it hides nothing: hidden characters are escapes, and a long run
 * of blanks is a number.
 * @param tokens the line in colors; their texts together are the line.
 * @param changed the stretches to be marked, in order.
 */
export function linePieces(tokens: readonly Token[], changed: readonly Stretch[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const token of tokens) {
    for (const { text, marked } of cutAt(token.text, at, changed)) {
      const kind = token.kind === undefined ? {} : { kind: token.kind };
      for (const part of shownParts(text))
        pieces.push({ text: part.text, ...kind, ...(marked ? { changed: true } : {}), ...(part.escape ? { escape: true } : {}) });
    }
    at += token.text.length;
  }
  return pieces;
}

/** Cuts a text that begins at a place of the line where stretches begin and end. */
function cutAt(text: string, from: number, stretches: readonly Stretch[]): readonly { readonly text: string; readonly marked: boolean }[] {
  const cuts = stretches.flatMap(({ start, end }) => [start - from, end - from]).filter((cut) => cut > 0 && cut < text.length);
  const places = [0, ...cuts, text.length];
  return places.slice(0, -1).map((start, index) => {
    const at = from + start;
    return { text: text.slice(start, places[index + 1]), marked: stretches.some((stretch) => at >= stretch.start && at < stretch.end) };
  });
}

function shownParts(text: string): readonly { readonly text: string; readonly escape: boolean }[] {
  return visibleParts(text).flatMap((part) => (part.escape ? [part] : withoutBlanks(part.text)));
}

function withoutBlanks(text: string): readonly { readonly text: string; readonly escape: boolean }[] {
  const parts: { text: string; escape: boolean }[] = [];
  let from = 0;
  for (const { 0: run, index } of text.matchAll(BLANKS)) {
    if (index > from) parts.push({ text: text.slice(from, index), escape: false });
    parts.push({ text: t('⋯ {0} spaces ⋯', formatNumber(run.length)), escape: true });
    from = index + run.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), escape: false });
  return parts;
}

/** Lays pieces out in rows of at most as many characters, so that nothing lies further to the side. */
export function foldPieces(pieces: readonly Piece[], columns: number): readonly (readonly Piece[])[] {
  const rows: Piece[][] = [[]];
  let room = columns;
  for (const piece of pieces) {
    let rest = piece.text;
    while (rest !== '') {
      if (room === 0) {
        rows.push([]);
        room = columns;
      }
      const part = rest.slice(0, room);
      rows.at(-1)?.push({ ...piece, text: part });
      room -= part.length;
      rest = rest.slice(part.length);
    }
  }
  return rows;
}
