/**
 * The source of a pattern that fits where one of these does, to be put into a group. Long lists of alternatives are written with it, a line for
 * those that belong together: a line may hold several, with bars between them.
 */
export function anyOf(...patterns: readonly (string | RegExp)[]): string {
  return patterns.map((pattern) => (typeof pattern === 'string' ? pattern : pattern.source)).join('|');
}
