import { countLines } from '../../text/lines.js';

/** What begins a comment in common languages, and a bare bracket, as models write before such lines. */
const OPENING = /^\s*(?:\/\/+|\/\*+|\*+|#+|<!--|--+|;+|%+|\{\s*\/\*+|\[|\(|REM\b|["']{3})?\s*/i;
const CLOSING = /\s*(?:\*+\/\s*\}?|--+>|\]|\)|["']{3})?\s*$/;

/** Words for what was left out. */
const REST = 'rest of|remaining|remainder of|existing|previous|original|other|same|unchanged|omitted|unmodified|as before|as is';
const WHAT = 'code|file|content|contents|function|functions|method|methods|implementation|class|imports|lines|logic|everything|above|below|before|unchanged|same|stays?|remains?|here';
const ELISIONS: readonly RegExp[] = [
  // "... rest of the code", "existing code ...", "... (unchanged) ..."
  new RegExp(`^(?:\\.{3,}|…).*\\b(?:${REST}|${WHAT})\\b`, 'i'),
  new RegExp(`\\b(?:${REST}|${WHAT})\\b.*(?:\\.{3,}|…)$`, 'i'),
  // "rest of the file unchanged", "existing code remains the same"
  new RegExp(`^(?:the )?(?:rest of|remaining|remainder of|existing|previous|original)\\b.*\\b(?:unchanged|same|stays?|remains?|here|omitted|as before|as is)\\b`, 'i'),
  /^(?:the )?(?:rest|remainder) of (?:the|this|your)? ?(?:code|file|content|contents|function|method|implementation|class)\b/i,
  // "unchanged", "no changes", "same as before"
  /^(?:\(?unchanged\)?|no changes?(?: here| needed)?|same as (?:before|above)|(?:code |content )?omitted(?: for brevity)?)\.?$/i,
];
/** What at least one of them holds: a quick look at lines that are none. */
const HINT = /\.{3}|…|unchanged|change|rest|remain|existing|previous|original|same|omitted/i;
/** Nothing but dots in a comment. */
const DOTS = /^(?:\.{3,}|…)$/;

/** A line that stands for text that was left out. */
export interface Elision {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * The first line of a new text that stands for what a model left out, such as `// ... rest of the code`, when the text
 * has fewer lines than the old one. A line that the old text has too is meant as it is.
 */
export function elisionIn(fresh: string, old: string): Elision | undefined {
  if (!HINT.test(fresh) || countLines(fresh) >= countLines(old)) return undefined;
  const lines = fresh.split(/\r\n|\n|\r/);
  const index = lines.findIndex((line) => HINT.test(line) && isElision(line) && !hasLine(old, line.trim()));
  return index === -1 ? undefined : { line: index + 1, text: (lines[index] ?? '').trim() };
}

function hasLine(text: string, wanted: string): boolean {
  return text.includes(wanted) && text.split(/\r\n|\n|\r/).some((line) => line.trim() === wanted);
}

function isElision(line: string): boolean {
  if (line.length > 200) return false;
  const opening = OPENING.exec(line)?.[0] ?? '';
  const words = line.slice(opening.length).replace(CLOSING, '');
  if (opening.trim() === '') return /^(?:\.{3,}|…)/.test(words) && ELISIONS.some((pattern) => pattern.test(words));
  return DOTS.test(words) || ELISIONS.some((pattern) => pattern.test(words));
}
