/** Characters of a matcher that is a regular expression. */
export const MAX_PATTERN = 256;
/** Characters of a matcher that is a list of names. */
export const MAX_NAMES = 4_096;

/** Parsed matcher of a hook. */
export type ParsedMatcher =
  | { readonly type: 'all' }
  | { readonly type: 'names'; readonly names: readonly string[] }
  /** A regular expression that is not anchored. The caller must limit its time. */
  | { readonly type: 'pattern'; readonly source: string }
  | { readonly type: 'unusable'; readonly why: 'too_long' | 'invalid' };

/** Letters, digits, and what separates names or is in them. */
const NAMES_ONLY = /^[\w\- ,|]*$/;

/** Parts of a regular expression: an escape, a class, a repetition, or one character. */
const PARTS = /\\(?:[pP]\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/g;
/** Characters that the names of tools have. */
const IN_NAMES = /^[\w-]$/;

/**
 * Whether a matcher can match no name of a tool, because every alternative of its regular expression needs a character that no such name
 * has, such as `Edit:.*\.cs`. Names of tools of servers can have any character in files; what may be about them is left alone.
 */
export function matchesNoTool(matcher: string): boolean {
  const parsed = parseMatcher(matcher);
  if (parsed.type !== 'pattern' || /mcp/i.test(matcher)) return false;
  const alternatives: string[][] = [[]];
  let depth = 0;
  for (const [part] of parsed.source.matchAll(PARTS)) {
    if (part === '(') depth += 1;
    if (depth === 0 && part === '|') alternatives.push([]);
    // What is in a group may be optional, or one of several.
    else if (depth === 0) alternatives.at(-1)?.push(part);
    if (part === ')') depth -= 1;
  }
  return alternatives.every((parts) => parts.some((part, index) => isForeign(part) && !/^(?:[*?]|\{0)/.test(parts[index + 1] ?? '')));
}

/** Whether a part of a regular expression stands for one character that no name of a tool has. */
function isForeign(part: string): boolean {
  const character = /^\\[^\w\s]$/.test(part) ? part.slice(1) : part;
  return character.length === 1 && !IN_NAMES.test(character) && (character !== part || !/[.^$*+?()[\]{}|\\]/.test(character));
}

/**
 * Reads a matcher by the rule of Claude Code 2.1.195 (code.claude.com/docs/en/hooks, "Matcher patterns"): nothing, an empty text and `*`
 * are for all; one of only letters, digits, `_`, `-`, spaces, `,` and `|` is a list of exact names; anything else is a regular
 * expression that may match anywhere in a name.
 */
export function parseMatcher(matcher: string | undefined): ParsedMatcher {
  if (matcher === undefined || matcher.trim() === '' || matcher === '*') return { type: 'all' };
  if (NAMES_ONLY.test(matcher)) {
    if (matcher.length > MAX_NAMES) return { type: 'unusable', why: 'too_long' };
    return {
      type: 'names',
      names: matcher
        .split(/[|,]/)
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    };
  }
  if (matcher.length > MAX_PATTERN) return { type: 'unusable', why: 'too_long' };
  try {
    return { type: 'pattern', source: new RegExp(matcher).source };
  } catch {
    // The caller, who knows the file, reports it to the user.
    return { type: 'unusable', why: 'invalid' };
  }
}
