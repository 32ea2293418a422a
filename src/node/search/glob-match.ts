import { ToolInputError } from '../../domain/errors.js';
import { compileName, type PathStep, pathFits } from '../../text/wildcards.js';

/** A compiled pattern for paths. */
export interface Glob {
  /** @param path relative, with `/` between its parts. */
  matches(path: string): boolean;
  /** Patterns for file names of which a path that matches fits at least one; `undefined` when any name may match. */
  readonly names: readonly string[] | undefined;
}

/**
 * Compiles a pattern in the manner of ignore files: `*` and `?` stay within a name, `**` spans folders, `[a-z]`, `[!a]`
 * and `{a,b}` choose; without a `/` it fits names in every folder; a `!` in front turns it round. Upper and lower case
 * differ.
 *
 * Own code, because ripgrep's `--glob` brings ignored files back and the usual libraries make regular expressions that
 * a hostile pattern can send into endless backtracking. Here a match takes at most pattern × path steps.
 * @throws ToolInputError for too many alternatives.
 */
export function compileGlob(pattern: string): Glob {
  const negated = pattern.startsWith('!');
  const alternatives = expandBraces(negated ? pattern.slice(1) : pattern).map(normal);
  const compiled = alternatives.map((alternative) => alternative.split('/').map(compilePart));
  return {
    matches(path) {
      const names = path.split('/');
      return compiled.some((parts) => pathFits(parts, names)) !== negated;
    },
    names: negated ? undefined : fileNames(alternatives),
  };
}

function normal(pattern: string): string {
  // A trailing `**` matches what lies in a folder, not the folder or a file of its name.
  const anchored = pattern.replace(/^\.\//, '').replace(/\/(\*\*)?$/, '/**/*');
  return anchored.includes('/') ? anchored.replace(/^\//, '') : `**/${anchored}`;
}

function fileNames(alternatives: readonly string[]): readonly string[] | undefined {
  const names = alternatives.map((alternative) => alternative.slice(alternative.lastIndexOf('/') + 1));
  return names.some((name) => name === '**' || name === '*' || !/^[\w.*?-]+$/.test(name)) ? undefined : names;
}

function compilePart(part: string): PathStep {
  return part === '**' ? 'any' : compileName(part);
}

/** Alternatives that the braces of one pattern may expand to. */
const MAX_ALTERNATIVES = 1_000;

/**
 * Expands the braces of a pattern such as `src/*.{js,ts}`. Braces may be nested; one that is never closed, or is escaped by a
 * backslash, is an ordinary character.
 * @throws ToolInputError for more than 1,000 alternatives.
 */
function expandBraces(pattern: string): readonly string[] {
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

/**
 * Combines patterns as in an ignore file: the last match decides, and `!` negates. If every pattern is negated, unmatched
 * paths are included. `undefined` when there are no patterns.
 * @throws ToolInputError for too many alternatives.
 */
export function compileGlobs(patterns: readonly string[]): Glob | undefined {
  if (patterns.length === 0) return undefined;
  const steps = patterns.map((pattern) => {
    const leavesOut = pattern.startsWith('!');
    return { leavesOut, glob: compileGlob(leavesOut ? pattern.slice(1) : pattern) };
  });
  const taking = steps.filter(({ leavesOut }) => !leavesOut);
  const names = taking.map(({ glob }) => glob.names);
  return {
    matches(path) {
      const last = steps.findLast(({ glob }) => glob.matches(path));
      return last === undefined ? taking.length === 0 : !last.leavesOut;
    },
    names: taking.length === 0 || names.includes(undefined) ? undefined : names.flatMap((list) => list ?? []),
  };
}
