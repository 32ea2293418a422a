import { lineEndingsOf, withLineEndings } from '../../text/line-endings.js';
import type { OffsetEdit } from '../../text/text-edit.js';
import { inSlices, LINES_PER_STEP, type Steps } from '../../concurrency/steps.js';
import { commonHead, commonTail } from '../../text/common-ends.js';
import { TextParts } from '../../text/text-parts.js';

interface Piece {
  readonly content: string;
  /** Empty for what follows the last line ending. */
  readonly ending: string;
}

/** A part of a text that was replaced by one of another length. */
export interface ReplacedPart {
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

/** A text with replacements in it. */
export interface ReplacedText {
  readonly text: string;
  readonly parts: readonly ReplacedPart[];
}

/**
 * Puts replacements into a text, in rising order. Each takes over the line endings of what it replaces: lines that stay
 * keep theirs, new ones get those of their neighbors, so that CRLF, LF and mixed files stay what they are. Where only
 * line endings differ, changing them is what was asked for, and they are taken as given.
 */
export function* replaceAll(text: string, replacements: readonly OffsetEdit[]): Steps<ReplacedText> {
  const texts = new TextParts();
  const parts: ReplacedPart[] = [];
  let position = 0;
  for (const replacement of replacements) {
    const { start, end } = replacement;
    const fresh = adopted(text, replacement);
    texts.add(text.slice(position, start), fresh);
    parts.push({ start, end, length: fresh.length });
    position = end;
    if (parts.length % LINES_PER_STEP === 0) yield;
  }
  texts.add(text.slice(position));
  return { text: texts.text(), parts };
}

function adopted(text: string, { start, end, text: replacement }: OffsetEdit): string {
  if (!/[\r\n]/.test(replacement)) return replacement;
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
  if (found !== undefined || end === 0) return found;
  const lf = text.lastIndexOf('\n', end - 1);
  const cr = text.lastIndexOf('\r', end - 1);
  if (lf === -1 && cr === -1) return undefined;
  if (cr > lf) return '\r';
  return cr === lf - 1 && cr !== -1 ? '\r\n' : '\n';
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
  const contents = ({ content }: Piece): string => content;
  const [before, after] = [old.map(contents), fresh.map(contents)];
  const tail = commonTail(before, after, commonHead(before, after));
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

function join(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.content + piece.ending).join('');
}

/**
 * What the user meant to write, given what an editor saved. An editor normalizes line endings and may put a byte-order mark
 * in front: where the proposal has mixed line endings, each line keeps its ending, and new lines get those of their
 * neighbors.
 */
export async function textOfSave(saved: string, proposed: string, signal: AbortSignal): Promise<string> {
  const text = saved.startsWith('\uFEFF') && !proposed.startsWith('\uFEFF') ? saved.slice(1) : saved;
  if (!['mixed', '\r'].includes(lineEndingsOf(proposed))) return text;
  // Only line endings that an editor changed on its own are no change of the user's.
  if (withLineEndings(text, '\n') === withLineEndings(proposed, '\n')) return proposed;
  const whole = { start: 0, end: proposed.length, text: withLineEndings(text, '\n') };
  return (await inSlices(replaceAll(proposed, [whole]), signal)).text;
}
