import type { Replacement } from './match.js';

interface Piece {
  readonly content: string;
  /** Empty for what follows the last line ending. */
  readonly ending: string;
}

/**
 * Puts replacements into a text, in rising order. Each takes over the line endings of what it replaces: lines that stay
 * keep theirs, new ones get those of their neighbours, so that CRLF, LF and mixed files stay what they are. Where only
 * line endings differ, changing them is what was asked for, and they are taken as given.
 */
export function replaceAll(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let position = 0;
  for (const replacement of replacements) {
    parts.push(text.slice(position, replacement.start), adopted(text, replacement));
    position = replacement.end;
  }
  return parts.join('') + text.slice(position);
}

function adopted(text: string, { start, end, replacement }: Replacement): string {
  const old = text.slice(start, end);
  if (old.replaceAll('\r\n', '\n') === replacement.replaceAll('\r\n', '\n')) return replacement;
  const ending = endingNear(text, start, end);
  if (ending === undefined) return replacement;
  return join(withEndings(piecesOf(old, /\r\n|\n|\r/), piecesOf(replacement, /\r\n|\n/), ending));
}

/** The first line ending in the range, else the next after it, else the last before it. */
function endingNear(text: string, start: number, end: number): string | undefined {
  const ending = /\r\n|\n|\r/g;
  ending.lastIndex = start;
  const found = ending.exec(text)?.[0];
  if (found !== undefined) return found;
  const before = text.slice(0, end).match(/\r\n|\n|\r/g);
  return before?.at(-1);
}

function piecesOf(text: string, ending: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const match of text.matchAll(new RegExp(ending, 'g'))) {
    pieces.push({ content: text.slice(start, match.index), ending: match[0] });
    start = match.index + match[0].length;
  }
  return [...pieces, { content: text.slice(start), ending: '' }];
}

function withEndings(old: readonly Piece[], fresh: readonly Piece[], fallback: string): readonly Piece[] {
  const head = commonHead(old, fresh);
  const tail = commonHead(old.slice(head).reverse(), fresh.slice(head).reverse());
  const freshTail = fresh.length - tail;
  let latest = fallback;
  return fresh.map((piece, index) => {
    if (piece.ending === '') return piece;
    const counterpart = index < freshTail ? middle(old, index, old.length - tail) : old[index - fresh.length + old.length];
    latest = counterpart === undefined || counterpart.ending === '' ? latest : counterpart.ending;
    return { content: piece.content, ending: latest };
  });
}

function middle(old: readonly Piece[], index: number, end: number): Piece | undefined {
  return index < end ? old[index] : undefined;
}

function commonHead(a: readonly Piece[], b: readonly Piece[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length]?.content === b[length]?.content) length += 1;
  return length;
}

function join(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.content + piece.ending).join('');
}
