import { ToolInputError } from '../../domain/errors.js';

/** Alternatives that the braces of one pattern may stand for. */
const MAX_ALTERNATIVES = 1_000;

/**
 * The patterns without braces that a pattern such as `src/*.{js,ts}` stands for. Braces may be nested; one that is never
 * closed, or is escaped by a backslash, is an ordinary character.
 * @throws ToolInputError for more than 1,000 alternatives.
 */
export function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next);
    if (group === undefined) done.push(next);
    else open.push(...group.alternatives.map((part) => group.before + part + group.after).reverse());
    if (done.length + open.length > MAX_ALTERNATIVES) {
      throw new ToolInputError(`The braces in the pattern stand for more than ${MAX_ALTERNATIVES} names. Use * instead.`);
    }
  }
  return done;
}

interface Group {
  readonly before: string;
  readonly alternatives: readonly string[];
  readonly after: string;
}

function firstGroup(pattern: string): Group | undefined {
  for (let start = 0; start < pattern.length; start += 1) {
    if (pattern[start] === '\\') start += 1;
    else if (pattern[start] === '{') {
      const group = groupAt(pattern, start);
      if (group !== undefined) return group;
    }
  }
  return undefined;
}

function groupAt(pattern: string, start: number): Group | undefined {
  const alternatives: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (depth === 0 || (depth === 1 && character === ',')) {
      alternatives.push(pattern.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return { before: pattern.slice(0, start), alternatives, after: pattern.slice(at + 1) };
  }
  return undefined;
}
