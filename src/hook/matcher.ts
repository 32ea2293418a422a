import { boundedPattern } from '../text/bounded-pattern.js';

/** Characters of a matcher that is used. */
export const MAX_MATCHER = 200;
/** A matcher of such characters only is a list of exact names. */
const NAMES = /^[\w\- ,|]*$/;

/** Whether a matcher hits one of the names; `undefined` for one that cannot be used, or not be tried on such a name. */
export type Matches = (names: readonly string[]) => boolean | undefined;

/**
 * Reads a matcher by the rule of Claude Code (code.claude.com/docs/en/hooks, "Matcher patterns"): nothing, an empty text, and `*` are
 * all; letters, digits, `_`, `-`, spaces, commas, and `|` alone are exact names; all else is a regular expression that may hit any part
 * of a name. Case counts. An expression that is not known to be quick on every text is not used.
 */
export function readMatcher(matcher: string | undefined): Matches {
  if (matcher === undefined || matcher.trim() === '' || matcher.trim() === '*') return () => true;
  if (matcher.length > MAX_MATCHER) return () => undefined;
  if (NAMES.test(matcher)) {
    const wanted = new Set(matcher.split(/[,|]/).map((name) => name.trim()));
    return (names) => names.some((name) => wanted.has(name));
  }
  const pattern = boundedPattern(matcher);
  return (names) => {
    const hits = names.map((name) => pattern?.matches(name));
    return hits.includes(true) ? true : hits.includes(undefined) ? undefined : false;
  };
}
