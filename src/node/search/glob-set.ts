import { compileGlob } from './glob-match.js';
import type { Glob } from './glob-match.js';

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
