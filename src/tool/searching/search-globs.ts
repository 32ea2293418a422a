/**
 * The single patterns of a list such as `*.ts !*.d.ts` or `*.js, *.ts`: white space and commas part them, but for those
 * within braces or behind a backslash.
 */
export function splitGlobs(list: string): readonly string[] {
  const globs = [''];
  let depth = 0;
  for (const [token] of list.matchAll(/\\?[^]/gu)) {
    if (token === '{') depth += 1;
    if (token === '}') depth = Math.max(depth - 1, 0);
    const space = /^\s$/.test(token);
    if (depth === 0 && (space || token === ',')) globs.push('');
    else if (!space) globs.push((globs.pop() ?? '') + token);
  }
  return globs.filter((glob) => glob !== '');
}
