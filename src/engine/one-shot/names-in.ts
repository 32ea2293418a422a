/** Names at most. */
const MAX_NAMES = 5;
/** Characters of a name at most. */
const MAX_LENGTH = 80;
/** What stands before a name in a list that a model was not asked for. */
const BULLET = /^(?:[-*•]|\d+[.)])\s+/;
/** A name as most languages have it; Ruby's `?` and `!`, Lisp's and CSS's `-` too. */
const NAME = /^[\p{L}_$@-][\p{L}\p{N}_$-]*[?!]?$/u;

/** The names in what a model wrote: each line that is nothing but a name other than the present one, each once. */
export function namesIn(written: string, present: string): readonly string[] {
  const lines = written.split(/\r\n?|\n/).map((line) => line.trim().replace(BULLET, '').replace(/^`|`$/g, ''));
  const names = lines.filter((line) => line.length <= MAX_LENGTH && NAME.test(line) && line !== present);
  return [...new Set(names)].slice(0, MAX_NAMES);
}
