import type { Token, Tokens } from 'marked';
import { isList } from './lexer.js';
import type { BlockSource } from './pieces.js';

/** The start of a long open block that can be given out, and what remains of it. */
export interface Slice {
  readonly done: BlockSource;
  /** Source of the rest: a block of the same kind on its own. */
  readonly rest: string;
  /** Number of the first entry of the rest, when it is an ordered list. */
  readonly start?: number;
}

/** Position within the block that is being cut. */
export interface SliceContext {
  /** Whether its start was given out already. */
  readonly continued: boolean;
  /** Number of its first entry by counting. */
  readonly start: number | undefined;
}

/** Distance from the end of a paragraph within which it may be cut. */
const CUT_WINDOW = 1_024;
/** Text that may follow a cut, as it cannot be parsed as the start of a list, heading, quote or fence. */
const SAFE_START = /[\p{L}"'(“‘]/u;

/** Cuts the token that `source` starts with, or `undefined` when it has no place to cut. */
export function sliceBlock(token: Token, source: string, context: SliceContext): Slice | undefined {
  if (isList(token)) return sliceList(token, source, context);
  if (token.type === 'table') return sliceTable(token.raw, source, context);
  if (token.type === 'paragraph') return sliceParagraph(token.raw.length, source, context);
  return undefined;
}

/** Between the last two entries: the last one may continue. */
function sliceList(list: Tokens.List, source: string, context: SliceContext): Slice | undefined {
  const finished = list.items.slice(0, -1);
  if (finished.length === 0) return undefined;
  const length = finished.reduce((sum, item) => sum + item.raw.length, 0);
  const done = { source: source.slice(0, length), continued: context.continued };
  const rest = source.slice(length);
  if (!list.ordered) return { done, rest };
  const start = context.start ?? Number(list.start);
  return { done: { ...done, start }, rest, start: start + finished.length };
}

/** After the last complete row. The rest is a table with the same head. */
function sliceTable(raw: string, source: string, context: SliceContext): Slice | undefined {
  const head = /^[^\n]*\n[^\n]*\n/.exec(source)?.[0];
  const end = raw.trimEnd().length + 1;
  if (head === undefined || end <= head.length) return undefined;
  return { done: { source: source.slice(0, end), continued: context.continued }, rest: head + source.slice(end) };
}

/** At white space that is in no code, link or strong text, else at any white space, else anywhere. */
function sliceParagraph(length: number, source: string, context: SliceContext): Slice {
  const at = cutPlace(source, length);
  const done = { source: source.slice(0, at), continued: context.continued };
  return { done, rest: source.slice(at) };
}

function cutPlace(source: string, length: number): number {
  const earliest = Math.max(1, length - CUT_WINDOW);
  let fallback: number | undefined;
  let open = openMarks(source.slice(0, earliest));
  let best: number | undefined;
  for (let at = earliest; at < length; at += 1) {
    const before = source.charAt(at - 1);
    if ((before === ' ' || before === '\n') && SAFE_START.test(source.charAt(at))) {
      fallback = at;
      if (open.code + open.strong + open.brackets === 0) best = at;
    }
    open = step(open, source, at);
  }
  return best ?? fallback ?? wholeCharacter(source, length - 1);
}

interface Marks {
  readonly code: number;
  readonly strong: number;
  readonly brackets: number;
}

function openMarks(text: string): Marks {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const brackets = Math.max(0, count(/[[(]/g) - count(/[\])]/g));
  return { code: count(/`/g) % 2, strong: count(/[*_~]/g) % 2, brackets };
}

function step(marks: Marks, source: string, at: number): Marks {
  const char = source.charAt(at);
  if (char === '`') return { ...marks, code: 1 - marks.code };
  if (char === '*' || char === '_' || char === '~') return { ...marks, strong: 1 - marks.strong };
  if (char === '[' || char === '(') return { ...marks, brackets: marks.brackets + 1 };
  if (char === ']' || char === ')') return { ...marks, brackets: Math.max(0, marks.brackets - 1) };
  return marks;
}

/** Moves a cut before a pair of surrogates. */
function wholeCharacter(source: string, at: number): number {
  const code = source.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? Math.max(1, at - 1) : Math.max(1, at);
}
