/** Characters of a matcher that is a regular expression. */
export const MAX_PATTERN = 256;
/** Characters of a matcher that is a list of names. */
export const MAX_NAMES = 4_096;

/** What a matcher means. */
export type ParsedMatcher =
  | { readonly type: 'all' }
  | { readonly type: 'names'; readonly names: readonly string[] }
  /** A regular expression that is not anchored. Whoever runs it has to bound its time. */
  | { readonly type: 'pattern'; readonly source: string }
  | { readonly type: 'unusable'; readonly why: 'too_long' | 'invalid' };

/** Letters, digits, and what separates names or is in them. */
const NAMES_ONLY = /^[\w\- ,|]*$/;

/**
 * Reads a matcher by the rule of Claude Code 2.1.195 (code.claude.com/docs/en/hooks, "Matcher patterns"): nothing, an empty text and `*`
 * are for all; one of only letters, digits, `_`, `-`, spaces, `,` and `|` is a list of exact names; anything else is a regular
 * expression that may match anywhere in a name.
 */
export function parseMatcher(matcher: string | undefined): ParsedMatcher {
  if (matcher === undefined || matcher.trim() === '' || matcher === '*') return { type: 'all' };
  if (NAMES_ONLY.test(matcher)) {
    if (matcher.length > MAX_NAMES) return { type: 'unusable', why: 'too_long' };
    return { type: 'names', names: matcher.split(/[|,]/).map((name) => name.trim()).filter((name) => name !== '') };
  }
  if (matcher.length > MAX_PATTERN) return { type: 'unusable', why: 'too_long' };
  try {
    return { type: 'pattern', source: new RegExp(matcher).source };
  } catch {
    // Whoever wrote it is told by the caller, who knows the file.
    return { type: 'unusable', why: 'invalid' };
  }
}
